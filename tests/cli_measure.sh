#!/bin/sh
# measure: drops of a run, and what is refused.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

# A drop on a floor and one in the air.
cat >two.json <<'JSON'
{
  "spacing": 0.0005,
  "gravity": [0, 0, 0],
  "duration": 0.004,
  "fps": 500,
  "fluids": {
    "water": {
      "tension": {"vapor": 0.072},
      "bodies": [
        {"shape": {"kind": "sphere", "radius": 0.004}},
        {"shape": {"kind": "sphere", "radius": 0.002, "translation": [0, 0, 0.01]}, "velocity": [0.1, 0, 0]}
      ]
    }
  },
  "solids": {"floor": {"shape": {"kind": "plane", "size": [0.02, 0.02]}, "contact_angle": 90}}
}
JSON
expect 0 "$MENISCUS" run two.json -o run --quiet --format ply
expect 0 "$MENISCUS" measure run --json found.json
has stdout "wetted_m2"
[ "$(wc -l <stdout)" = 4 ] || fail "not a row for each of 3 frames: $(cat stdout)"
[ "$(awk 'NR > 1 && $3 == 2' stdout | wc -l)" = 3 ] || fail "not two drops in each frame: $(cat stdout)"
# The half-ball of 4 mm: its angle, and its foot of 50 mm².
awk 'NR > 1 && !($10 > 80 && $10 < 100 && $9 > 4.6e-5 && $9 < 5.4e-5) { bad = 1 } END { exit bad }' stdout ||
    fail "not a half-ball: $(cat stdout)"
for key in drop_count volume_m3 d32_m wetted_area_m2 angle_mean_deg angle_front_deg sliding_speed_m_s height_m; do
    has found.json "\"$key\": "
done
has found.json '"solid": "floor"'
[ "$(grep -c '"frame": ' found.json)" = 3 ] || fail "found.json does not have 3 frames"

# A part of the frames, a folder of frames, a single one.
expect 0 "$MENISCUS" measure run --frames 1-2 -q
[ "$(wc -l <stdout)" = 3 ] || fail "--frames 1-2: $(cat stdout)"
[ ! -s stderr ] || fail "--quiet says: $(cat stderr)"
expect 0 "$MENISCUS" measure run/frames --frames 2
expect 0 "$MENISCUS" measure run/frames/frame_000001.ply
[ "$(wc -l <stdout)" = 2 ] || fail "a single frame: $(cat stdout)"

for name in . ./ frame_000001.ply ./frame_000001.ply; do
    expect 0 sh -c 'cd run/frames && exec "$0" measure "$1"' "$MENISCUS" $name
done
mkdir beside
cp run/scene.json run/frames/frame_000001.ply beside
expect 0 "$MENISCUS" measure beside
expect 0 "$MENISCUS" measure beside/frame_000001.ply
mkdir beside/other
mv beside/frame_000001.ply beside/other
expect 2 "$MENISCUS" measure beside/other
has stderr "beside/other has no scene.json"

# 2D.
expect 0 "$MENISCUS" run two.json -o flat --quiet --format vtp --steps 1 --set dimension=2 \
    --set 'solids.floor.shape.normal=[0, 1, 0]' --set 'fluids.water.bodies[1].shape.translation=[0, 0.01, 0]'
expect 0 "$MENISCUS" measure flat --json flat.json
has stdout "volume_m2"
has flat.json '"contact_points": 2'

# What cannot be used, and that nothing is left behind then.
expect 2 "$MENISCUS" measure
expect 2 "$MENISCUS" measure nowhere
has stderr "nowhere"
expect 2 "$MENISCUS" measure run --frames 7-9
has stderr "only 0 to 2"
for frames in 2-1 x 1- -1 1-2-3; do expect 2 "$MENISCUS" measure run --frames=$frames; done
mkdir empty
expect 2 "$MENISCUS" measure empty
has stderr "no frames"
cp -r run old
rm old/scene.json
expect 2 "$MENISCUS" measure old --json out.json
has stderr "scene.json"
cp -r run broken
head -c 5000 run/frames/frame_000001.ply >broken/frames/frame_000001.ply
expect 2 "$MENISCUS" measure broken --json out.json
has stderr "broken/frames/frame_000001.ply"
rm broken/frames/frame_000001.ply
expect 0 "$MENISCUS" measure broken
expect 2 "$MENISCUS" measure run --json nowhere/out.json
has stderr "nowhere/out.json"
expect 2 "$MENISCUS" measure run --json run/scene.json
has stderr "would replace"
cp run/frames/frame_000000.ply run/frames/frame_000000.vtp
expect 2 "$MENISCUS" measure run --json run/frames/frame_000000.vtp
cmp -s run/frames/frame_000000.ply run/frames/frame_000000.vtp || fail "a frame was replaced"
[ "$(ls ./*out.json* run/*.tmp* 2>/dev/null)" = "" ] || fail "left behind: $(ls)"
expect 1 sh -c 'exec "$0" measure run >/dev/full' "$MENISCUS"

# The disk is full by the end of it.
expect 1 sh -c 'ulimit -f 1 && exec "$0" measure run --json out.json' "$MENISCUS"
absent out.json

finish
