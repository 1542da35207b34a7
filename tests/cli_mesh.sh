#!/bin/sh
# meniscus mesh: surfaces of a run, and what is said when there can be none.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

expect 0 "$MENISCUS" run drop.json -o run --quiet --format ply
expect 0 "$MENISCUS" mesh run --format ply,obj,vtp
has stdout "9 surfaces in run/surface"
for frame in 000000 000001 000002; do
    for format in ply obj vtp; do there "run/surface/surface_$frame.$format"; done
done
find run -name '*.partial' | grep -q . && fail "partial files are left"

# One frame or some, from the folder of frames or a single file; the same bytes for any number of threads.
expect 0 "$MENISCUS" mesh run/frames -o one --frames 1-2 --threads 1 --quiet
[ -s stdout ] || [ -s stderr ] && fail "--quiet is not quiet"
absent one/surface_000000.ply
cmp one/surface_000002.ply run/surface/surface_000002.ply || fail "surfaces differ with the number of threads"
expect 0 "$MENISCUS" mesh run/frames/frame_000001.ply -o single
cmp single/surface_000001.ply one/surface_000001.ply || fail "a single frame gives another surface"

# Closed, and of the volume of the particles: 552 of 1e-12 m³, give or take 2 %.
expect 0 "$MENISCUS" info run/surface/surface_000002.ply
has stdout "closed       yes"
count=$(head -20 run/frames/frame_000002.ply | grep -a 'element vertex' | cut -d' ' -f3)
awk -v n="$count" '/^volume/ { exit !($2 > 0.98e-12 * n && $2 < 1.02e-12 * n) }' stdout || fail "the volume is off: $(cat stdout)"

expect 0 "$MENISCUS" info run/surface/surface_000002.vtp
has stdout "VTP surface"

# Others read all three formats and find the same closed mesh. Debian's modules are seen by Debian's Python.
/usr/bin/python3 "$MN_TEST_SOURCE/tests/read_surface.py" run/surface/surface_000002 >found 2>&1
case $? in
0) ;;
77 | 127) echo "skipped: surfaces by VTK: $(tail -1 found)" ;;
*) fail "VTK does not read the surfaces: $(cat found)" ;;
esac

# Two fluids have surfaces of their own, named after them.
cat >two.json <<'JSON'
{
  "spacing": 0.0001, "gravity": [0, 0, 0], "duration": 0.0001, "fps": 10000,
  "fluids": {
    "water": {"tension": {"vapor": 0.07}, "bodies": [{"shape": {"kind": "sphere", "radius": 0.0004}}]},
    "oil/1": {"tension": {"vapor": 0.03},
      "bodies": [{"shape": {"kind": "sphere", "radius": 0.0004, "translation": [0.0009, 0, 0]}}]}
  },
  "solids": {"floor": {"shape": {"kind": "plane", "size": [0.004, 0.004], "translation": [0, 0, -0.0004]}}}
}
JSON
expect 0 "$MENISCUS" run two.json -o two --quiet --format vtp --steps 1
expect 0 "$MENISCUS" mesh two --frames 0
there two/surface/surface_000000_water.ply
there two/surface/surface_000000_oil_1.ply

# Names that are the same as names of files are told apart, and a fluid that there cannot be is refused.
sed 's/"water"/"oil 1"/' two.json >same.json
expect 0 "$MENISCUS" run same.json -o same --quiet --format csv --steps 1
expect 0 "$MENISCUS" mesh same --frames 0
there same/surface/surface_000000_oil_1_0.ply
there same/surface/surface_000000_oil_1_1.ply
printf 'phase,x,y,z,radius\n2147483647,0,0,0,0.001\n' >frame_000003.csv
expect 2 "$MENISCUS" mesh frame_000003.csv -o nothing
has stderr "2147483647"
absent nothing

# What cannot be done is said, and nothing is left of it.
expect 2 "$MENISCUS" mesh nowhere
has stderr "nowhere"
mkdir empty
expect 2 "$MENISCUS" mesh empty
expect 2 "$MENISCUS" mesh run --frames 7-9
has stderr "no frames 7 to 9"
expect 2 "$MENISCUS" mesh run --frames 9-7
expect 2 "$MENISCUS" mesh run --format stl
expect 2 "$MENISCUS" mesh run -o large --voxel 1
has stderr "may be from"
absent large
cp -r run gap
rm gap/frames/frame_000001.ply
expect 2 "$MENISCUS" mesh gap -o nothing
has stderr "frame 1 is missing"
absent nothing
cp -r run broken
head -c 2000 run/frames/frame_000000.ply >broken/frames/frame_000000.ply
expect 2 "$MENISCUS" mesh broken -o nothing
has stderr "frame_000000.ply"
absent nothing
touch file
expect 2 "$MENISCUS" mesh run -o file
has stderr "file"
mkdir taken taken/surface_000001.ply
expect 1 "$MENISCUS" mesh run -o taken
has stderr "taken/surface_000001.ply"
there taken/surface_000000.ply
absent taken/surface_000001.ply.partial

cat >flat.json <<'JSON'
{
  "dimension": 2, "spacing": 0.0001, "gravity": [0, 0, 0], "duration": 0.0001, "fps": 10000,
  "fluids": {"water": {"bodies": [{"shape": {"kind": "sphere", "radius": 0.0004}}]}}
}
JSON
expect 0 "$MENISCUS" run flat.json -o flat --quiet --steps 1
expect 2 "$MENISCUS" mesh flat
has stderr "two dimensions"

# Without scene.json the radii tell the spacing; without either it has to be told.
rm run/scene.json
expect 0 "$MENISCUS" mesh run -o older --frames 2
printf 'id,phase,x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s],pressure [Pa],measure\n0,0,0,0,0,0,0,0,0,0\n' >bare.csv
expect 2 "$MENISCUS" mesh bare.csv -o bare
has stderr "--voxel"
expect 0 "$MENISCUS" mesh bare.csv -o bare --voxel 0.0001
there bare/surface_000000.ply

# Frames before the first drop fell have a surface of nothing, whatever is known of spacings.
head -n 1 bare.csv >frame_000000.csv
expect 0 "$MENISCUS" mesh frame_000000.csv -o before
there before/surface_000000.ply

finish
