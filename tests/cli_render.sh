# Pictures and films from outside: what is written, what is refused, and that nothing half-finished is left.
. "${MN_TEST_SOURCE:?}/tests/cli_common.sh"

"$MENISCUS" run drop.json -o run --format ply -q || fail "no run to show"

# Fields need libpng and nothing else.
expect 0 "$MENISCUS" render run --look field:speed --size 160x90
if grep -q 'need libpng' stderr; then
    echo "skipped: this build has no libpng"
    exit 0
fi
has stdout run/picture.png
there run/picture.png
absent run/picture.png.partial
expect 0 "$MENISCUS" render run/frames/frame_000001.ply --look field:pressure --size 160x90 -o one.png -q
[ -s stdout ] || [ -s stderr ] && fail "--quiet said something"
there one.png
expect 0 "$MENISCUS" render run --look field:id --size 160x90 --frames 1 -o two.png
expect 0 "$MENISCUS" render run/frames/frame_000001.ply --look field:id --size 160x90 -o three.png
cmp two.png three.png || fail "the same frame is not the same picture"

# Water and clay, where Embree is there.
"$MENISCUS" render run --size 64x36 --samples 2 --threads 1 -o water1.png >stdout 2>stderr
if grep -q Embree stderr; then
    echo "this build has no Embree: water is not tested"
else
    there water1.png
    expect 0 "$MENISCUS" render run --size 64x36 --samples 2 --threads 2 -o water2.png
    cmp water1.png water2.png || fail "1 and 2 threads make different pictures"
    expect 0 "$MENISCUS" render run --size 64x36 --samples 2 --look clay -o clay.png \
        --camera "from=0.002,-0.003,0.001 to=0,0,0 fov=20 aperture=0"
fi

# A frame in which nobody is left.
awk '/^element vertex/ { print "element vertex 0"; next } { print } /^end_header/ { exit }' \
    run/frames/frame_000001.ply >run/frames/frame_000007.ply
for place in run/frames .; do
    [ $place = . ] && cp run/frames/frame_000007.ply .
    expect 0 "$MENISCUS" render $place/frame_000007.ply --look field:phase --size 64x36 -o nobody.png
    "$MENISCUS" render $place/frame_000007.ply --size 64x36 --samples 2 -o nobody.png >stdout 2>stderr ||
        grep -q Embree stderr || fail "no picture of nobody: $(cat stderr)"
done
rm run/frames/frame_000007.ply

# Films.
if command -v ffmpeg >/dev/null; then
    expect 0 "$MENISCUS" render run --look field:speed --size 160x90 -o film.mp4
    there film.mp4
    expect 0 "$MENISCUS" render run --look field:speed --size 160x90 --frames 1-2 --fps 5 -o short.mp4
else
    echo "ffmpeg is not there: films are not tested"
fi
expect 2 "$MENISCUS" render run --look field:speed --size 161x91 -o odd.mp4
has stderr even
PATH=/nowhere expect 1 "$MENISCUS" render run --look field:speed --size 160x90 -o none.mp4
has stderr ffmpeg
absent none.mp4
absent none.mp4.partial

# What is refused, with nothing left behind.
expect 2 "$MENISCUS" render
has stderr "which frame"
expect 2 "$MENISCUS" render nowhere
has stderr nowhere
expect 2 "$MENISCUS" render run --look field:sped
has stderr field:speed
expect 2 "$MENISCUS" render run --size 12
expect 2 "$MENISCUS" render run --size 1280x720x3
expect 2 "$MENISCUS" render run --samples 0
expect 2 "$MENISCUS" render run --camera "from=1,2" --look field:speed
has stderr "from=1,2"
expect 2 "$MENISCUS" render run --frames 7-9 --look field:speed
expect 2 "$MENISCUS" render run --frames 2-1 --look field:speed
expect 2 "$MENISCUS" render run --look field:speed -o picture.jpg
has stderr ".png"
expect 2 "$MENISCUS" render run --look field:speed -o none/picture.png
has stderr none/picture.png
expect 2 "$MENISCUS" render run --look field:speed -o /dev/null
cp -r run cut
rm cut/picture.png
truncate -s 700 cut/frames/frame_000001.ply
expect 2 "$MENISCUS" render cut --look field:speed -o cut.mp4 --size 160x90
has stderr frame_000001.ply
absent cut.mp4
absent cut.mp4.partial
rm cut/frames/frame_000001.ply
expect 2 "$MENISCUS" render cut --look field:speed -o cut.mp4 --size 160x90
has stderr 1
absent cut.mp4
rm cut/frames/*
expect 2 "$MENISCUS" render cut --look field:speed
has stderr frames
absent cut/picture.png

finish
