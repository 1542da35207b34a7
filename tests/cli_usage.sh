#!/bin/sh
# Usage, bad input and the small verbs.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

expect 0 "$MENISCUS" --version
has stdout "meniscus "
expect 0 "$MENISCUS" --help
for verb in run check convert info measure mesh render scenes schema studio validate bench devices; do has stdout "meniscus $verb"; done
expect 0 "$MENISCUS" help run
has stdout "--until"
expect 2 "$MENISCUS"
expect 2 "$MENISCUS" chekc drop.json
has stderr 'did you mean "check"'
expect 2 "$MENISCUS" xyzzy
has stderr '--help'

# Usage of run.
expect 2 "$MENISCUS" run
expect 2 "$MENISCUS" run drop.json --nonsense
expect 2 "$MENISCUS" run drop.json drop.json
expect 2 "$MENISCUS" run drop.json --until soon
has stderr '"soon"'
expect 2 "$MENISCUS" run drop.json --until nan
expect 2 "$MENISCUS" run drop.json --steps 1.5
expect 2 "$MENISCUS" run drop.json --fps 0
expect 2 "$MENISCUS" run drop.json --threads -1
expect 2 "$MENISCUS" run drop.json --format ply,stl
has stderr 'ply,vtp,csv,bgeo,vtkhdf'
expect 2 "$MENISCUS" run drop.json --quiet -v
expect 2 "$MENISCUS" run drop.json --set nonsense
absent out

# Bad input writes nothing.
expect 2 "$MENISCUS" run missing.json -o out
has stderr "missing.json"
expect 2 "$MENISCUS" run drop.json -o out --set fluids.water.density=-1
has stderr "fluids.water.density"
expect 2 "$MENISCUS" run drop.json -o out --set fluids.water.densty=1
has stderr "density"
absent out
touch plain
expect 2 "$MENISCUS" run drop.json -o plain/out
has stderr "plain/out"
expect 2 "$MENISCUS" run drop.json -o out --summary /dev/null
absent out

# check: all problems in one go, with their places.
sed -e 's/"spacing": 0.0001/"spacing": -1/' -e 's/"duration"/"duraton"/' drop.json >bad.json
expect 2 "$MENISCUS" check bad.json
grep -q '^bad.json:3:[0-9]*: spacing: ' stdout || fail "no place for spacing: $(cat stdout)"
grep -q '^bad.json:5:[0-9]*: duraton: .*duration' stdout || fail "no place or hint for duraton: $(cat stdout)"
expect 0 "$MENISCUS" check drop.json
has stdout "particles"
expect 2 "$MENISCUS" check

# What run refuses check refuses, and what check refuses is told with its place where it has one.
cat >broken.json <<'JSON'
{"spacing": 0.001,
 "fluids": {"water": {"bodies": [{"shape": {"kind": "plane", "size": [1, 1]}}]}},
 "solids": {"post": {"shape": {"kind": "mesh", "path": "missing.obj"}}},
 "emitters": [{"kind": "drops", "fluid": "water", "drops": [{"time": 0, "position": [0, 0, 0], "radius": 1}]}]}
JSON
sed -e 's/"duration"/"max_particles": 500, "duration"/' drop.json >limited.json
sed -e 's/"radius": 0.0005/"radius": 1/' drop.json >vast.json
for scene in broken limited vast; do
    expect 2 "$MENISCUS" check $scene.json
    expect 2 "$MENISCUS" run $scene.json -o out
    absent out
done
expect 2 "$MENISCUS" check broken.json
for place in '2:44: fluids.water.bodies[0].shape' '4:15: emitters[0]'; do has stdout "broken.json:$place: "; done

# info.
expect 0 "$MENISCUS" info drop.json
has stdout "A small free drop"
expect 0 "$MENISCUS" run drop.json -o run --steps 1 --format ply,vtp,csv --quiet
for file in run/frames/frame_000001.ply run/frames/frame_000001.vtp run/frames/frame_000001.csv; do
    expect 0 "$MENISCUS" info $file
    has stdout "particles "
    has stdout "pressure"
done
expect 0 "$MENISCUS" info run
has stdout "2 ply files"
has stdout "iterations_mean"
expect 0 "$MENISCUS" info run/summary.json
expect 0 "$MENISCUS" info run/series.csv
expect 2 "$MENISCUS" info .
expect 2 "$MENISCUS" info plain
expect 2 "$MENISCUS" info nowhere.ply

# scenes and schema.
mkdir shelf
cp drop.json shelf/one_drop.json
MENISCUS_SCENES=$folder/shelf
export MENISCUS_SCENES
expect 0 "$MENISCUS" scenes
grep -q '^one_drop .*A small free drop$' stdout || fail "scenes says: $(cat stdout)"
expect 0 "$MENISCUS" check one_drop
expect 2 "$MENISCUS" check one_dorp
has stderr 'did you mean the shipped scene "one_drop"'
unset MENISCUS_SCENES
expect 0 "$MENISCUS" scenes
has stdout drop_on_slope
for scene in $(cut -d' ' -f1 stdout); do
    expect 0 "$MENISCUS" check "$scene"
done
expect 0 "$MENISCUS" schema
has stdout '$schema'
expect 2 "$MENISCUS" schema extra

# devices: a table, or what is missing. The loader is told to look for drivers where there are none.
expect 0 "$MENISCUS" devices
grep -q -e '^no\.  platform .*driver$' -e '^no devices: ' stdout || fail "devices says: $(cat stdout)"
expect 0 env OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES= "$MENISCUS" devices
grep -q '^no devices: .*\(pocl-opencl-icd\|opencl-c-headers\)' stdout || fail "devices says: $(cat stdout)"
expect 2 "$MENISCUS" devices extra

# What simulates: an option, else a variable. Where there is no such device nothing is written.
for verb in run bench validate; do
    expect 0 "$MENISCUS" $verb --help
    has stdout MENISCUS_BACKEND
    expect 2 "$MENISCUS" $verb --backend abacus
    has stderr 'takes cpu, opencl or opencl:DEVICE, not "abacus"'
done
for arguments in 'run drop.json' bench validate; do
    # shellcheck disable=SC2086
    expect 2 env MENISCUS_BACKEND=abacus "$MENISCUS" $arguments
    has stderr 'MENISCUS_BACKEND takes cpu, opencl or opencl:DEVICE'
done
expect 0 env MENISCUS_BACKEND=abacus "$MENISCUS" run drop.json -o by_option --steps 1 --backend cpu
expect 0 env MENISCUS_BACKEND= "$MENISCUS" run drop.json -o by_default --steps 1
expect 2 env MENISCUS_BACKEND='opencl:no such device' "$MENISCUS" run drop.json -o nowhere
[ -s stderr ] || fail "nothing said about a device that is not there"
absent nowhere

# What cannot be written is not passed over in silence.
expect 1 sh -c 'exec "$0" scenes >/dev/full' "$MENISCUS"
has stderr "cannot write to the standard output"

finish
