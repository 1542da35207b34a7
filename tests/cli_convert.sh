#!/bin/sh
# meniscus convert: frames and runs into other formats, and what it refuses.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

# The drop with a floor and a ball that moves.
sed -e '$d' drop.json >solids.json
cat >>solids.json <<'JSON'
  ,"solids": {
    "floor": {"shape": {"kind": "plane", "size": [0.003, 0.003], "translation": [0, 0, -0.0006]}},
    "ball": {"shape": {"kind": "sphere", "radius": 0.0003, "translation": [0.001, 0, 0]},
             "motion": [{"time": 0}, {"time": 0.002, "translation": [0, 0, 0.0002]}]}
  }
}
JSON
expect 0 "$MENISCUS" run solids.json -o run --format ply,csv --quiet
for file in floor.ply ball.ply ball.csv; do there run/solids/$file; done
absent run/solids/floor.csv
[ "$(wc -l <run/solids/ball.csv)" = 4 ] || fail "not a row per frame: $(cat run/solids/ball.csv)"
has run/solids/ball.csv "0.002,0,0,0.0002,0,0,0,1"
expect 0 "$MENISCUS" info run/solids/ball.ply
has stdout "closed       yes"

# The same mesh, as somebody else reads it.
python=/usr/bin/python3
[ -x $python ] || python=python3
$python - run/solids/ball.ply >found 2>&1 <<'PYTHON'
import sys
try:
    import meshio
except ImportError as error:
    sys.exit("skipped: solids by meshio: %s" % error)
mesh = meshio.read(sys.argv[1])
triangles = mesh.cells_dict["triangle"]
assert len(triangles) > 100 and len(mesh.points) == 3 * len(triangles)
for x, y, z in mesh.points:
    assert abs(((x - 0.001) ** 2 + y * y + z * z) ** 0.5 - 0.0003) < 1e-9
PYTHON
[ $? = 0 ] || grep '^skipped' found || fail "the ball is not read as it was written: $(cat found)"

# same_table A B: alike but for the radius, which other formats round to a float.
same_table() {
    cut -d, -f1-10 "$1" >left
    cut -d, -f1-10 "$2" >right
    cmp left right || fail "$1 and $2 differ"
}

# One frame: what comes back is what was there.
frame=run/frames/frame_000001
expect 0 "$MENISCUS" convert $frame.ply one.bgeo
expect 0 "$MENISCUS" convert one.bgeo one.vtp
expect 0 "$MENISCUS" convert one.vtp one.csv
same_table one.csv $frame.csv
expect 0 "$MENISCUS" convert one.vtp one.ply
expect 0 "$MENISCUS" info one.ply
has stdout "time         0.001 s"
cp $frame.ply kept.ply
for arguments in "$frame.ply $frame.ply" "$frame.ply ./$frame.ply" "$frame.ply one.stl" "$frame.ply one" \
    "$frame.ply one.vtp --format vtp" "$frame.ply one.vtp --frames 1" "missing.ply one.vtp" "one.vtp" "" \
    "$frame.ply one.vtp two.vtp" "drop.json one.vtp" "run/solids/ball.ply one.vtp"; do
    cp one.vtp before
    # shellcheck disable=SC2086
    expect 2 "$MENISCUS" convert $arguments
    [ -s stderr ] || fail "nothing is said about: convert $arguments"
    cmp -s one.vtp before || fail "a file was touched by: convert $arguments"
done
cmp kept.ply $frame.ply || fail "the frame itself was replaced"
ln -s $frame.ply link.ply
expect 2 "$MENISCUS" convert $frame.ply link.ply
expect 1 "$MENISCUS" convert $frame.ply nowhere/one.vtp
has stderr "nowhere/one.vtp"

# A run: frames as the run would have written them, and its solids.
expect 0 "$MENISCUS" convert run out --format bgeo,vtp
has stdout "3 of 3 frames"
for number in 0 1 2; do
    there out/frames/frame_00000$number.bgeo
    there out/frames/frame_00000$number.vtp
done
has out/frames/frames.pvd 'timestep="0.002" part="0" file="frame_000002.vtp"'
diff -r run/solids out/solids || fail "the solids differ"
expect 0 "$MENISCUS" run solids.json -o whole --format vtp,bgeo --quiet
diff -r whole/frames out/frames || fail "the frames differ from those of a run"

expect 2 "$MENISCUS" convert run whole --format bgeo
has stderr "whole is the folder of another run"

# A part of it, from its frames, into the run itself.
expect 0 "$MENISCUS" convert run/frames part --format csv --frames 1-2 --quiet
[ -s stdout ] || [ -s stderr ] && fail "--quiet is not quiet"
absent part/frames/frame_000000.csv
same_table run/frames/frame_000002.csv part/frames/frame_000002.csv
[ "$(wc -l <part/solids/ball.csv)" = 3 ] || fail "not a row per frame: $(cat part/solids/ball.csv)"
expect 0 "$MENISCUS" convert run run --format vtp --frames 1
there run/frames/frame_000001.vtp
absent run/frames/frame_000000.vtp
[ "$(wc -l <run/solids/ball.csv)" = 4 ] || fail "the run's own solids were touched"
expect 2 "$MENISCUS" convert run run --format bgeo,csv
has stderr "run/frames/frame_000000.csv is a frame of the run itself"
absent run/frames/frame_000000.bgeo

# What is refused leaves nothing.
for arguments in "run new" "run new.ply --format ply" "run new --format stl" "run new --format ply --frames 2-1" \
    "run new --format ply --frames x" "run new --format ply --frames 2-3" "run new --format ply --frames 7-9" \
    "shelf new --format ply" "run/solids new --format ply" "run plain/new --format bgeo"; do
    : >plain
    # shellcheck disable=SC2086
    expect 2 "$MENISCUS" convert $arguments
    [ -s stderr ] || fail "nothing is said about: convert $arguments"
    absent new
done
rm run/frames/frame_000001.*
expect 2 "$MENISCUS" convert run new --format bgeo
has stderr "frame 1 is missing"
absent new
expect 0 "$MENISCUS" convert run new --format bgeo --frames 2
head -c 1000 kept.ply >run/frames/frame_000001.ply
expect 1 "$MENISCUS" convert run broken --format bgeo,csv
has stderr "run/frames/frame_000001.ply: cut short"
has stderr "the last good frame is broken/frames/frame_000000"
there broken/frames/frame_000000.bgeo
absent broken/frames/frame_000001.bgeo
rm run/frames/frame_000000.csv
head -c 1000 kept.ply >run/frames/frame_000000.ply
expect 2 "$MENISCUS" convert run never --format bgeo
absent never

# A file size limit stands for a full disk.
expect 1 sh -c 'ulimit -f 40; exec "$0" convert whole disk --format bgeo,csv' "$MENISCUS"
has stderr "cannot write disk/frames/frame_00000"
find disk -name '*.partial' | grep -q . && fail "partial files are left"
[ "$(ls disk/frames/*.csv 2>/dev/null | wc -l)" = "$(ls disk/frames/*.bgeo 2>/dev/null | wc -l)" ] ||
    fail "a frame is there in one format only"

finish
