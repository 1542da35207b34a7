#!/bin/sh
# meniscus run: what it writes, what it says, how it ends.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

# Everything that is promised is there, and the frames come at whole multiples of 1/fps.
expect 0 "$MENISCUS" run drop.json -o full --format ply,vtp,csv
for frame in 000000 000001 000002; do
    for format in ply vtp csv; do there "full/frames/frame_$frame.$format"; done
done
absent full/frames/frame_000003.ply
there full/frames/frames.pvd
there full/series.csv
there full/summary.json
find full -name '*.partial' | grep -q . && fail "partial files are left"
has stdout "full/summary.json"
for key in version scene method dimension h threads particles fluid boundary steps time wall_seconds ms_per_step \
    iterations_mean ms_per_iteration timers neighbours viscosity diagonals solver integrate output memory_bytes \
    residuals volume tension friction mean_pressure max_compression momentum energy kinetic surface potential; do
    has full/summary.json "\"$key\":"
done
has full/summary.json '"status": "done"'
[ "$(cut -d, -f2 full/series.csv | tr '\n' ' ')" = "time [s] 0 0.001 0.002 " ] || fail "times of frames are off"
head -c 200 full/frames/frame_000000.ply | grep -aq 'format binary_little_endian 1.0' || fail "not a binary PLY"

# The same bits for one and two threads.
expect 0 "$MENISCUS" run drop.json -o one --threads 1 --quiet
[ -s stdout ] || [ -s stderr ] && fail "--quiet is not quiet"
expect 0 "$MENISCUS" run drop.json -o two --threads 2
diff -r one/frames two/frames >diffs || fail "frames differ between 1 and 2 threads: $(cat diffs)"
cmp one/series.csv two/series.csv || fail "series differ between 1 and 2 threads"
has two/summary.json '"threads": 2'

# Limits on steps and time; the last state is written even where no frame is due.
expect 0 "$MENISCUS" run drop.json -o steps --steps 3 --fps 1 --summary steps.json
has steps.json '"steps": 3'
absent steps/summary.json
there steps/frames/frame_000001.ply
absent steps/frames/frame_000002.ply
expect 0 "$MENISCUS" run drop.json -o until --until 0.0001 --set time_step.fixed=2e-5
has until/summary.json '"steps": 5'
expect 0 "$MENISCUS" run drop.json -o set --steps 1 --set fluids.water.density=500 --set 'title="x"' -v
has stderr "frame 1 at"

# An earlier, longer run leaves nothing behind.
expect 0 "$MENISCUS" run drop.json -o full --steps 1
absent full/frames/frame_000002.ply
absent full/frames/frame_000000.csv

# A summary elsewhere: its folder is made, and nothing of value is replaced by it.
expect 0 "$MENISCUS" run drop.json -o where --steps 1 --summary new/folder/s.json
there new/folder/s.json
for refused in drop.json where/series.csv where "" "$folder/link"; do
    ln -sf drop.json link
    cp drop.json before.json
    expect 2 "$MENISCUS" run drop.json -o nothing --steps 1 --summary "$refused"
    absent nothing
    cmp drop.json before.json || fail "the scene was touched"
    [ -L link ] || fail "the link was replaced"
done

# Nor does a run into a folder replace what somebody else has put there, its scene least of all.
mkdir mine
for name in scene.json summary.json; do
    cp drop.json mine/$name
    expect 2 "$MENISCUS" run mine/$name -o mine --steps 1
    has stderr "would replace the scene itself"
    expect 2 sh -c 'cd mine && exec "$0" run "$1" -o . --steps 1' "$MENISCUS" $name
    cmp drop.json mine/$name || fail "the scene was touched"
    [ "$(ls mine)" = $name ] || fail "something was written: $(ls mine)"
    rm mine/*
done
for name in scene.json boundary.ply; do
    cp drop.json mine/$name
    expect 2 "$MENISCUS" run drop.json -o mine --steps 1
    has stderr "mine/$name: there is a file that no run has written"
    cmp drop.json mine/$name || fail "mine/$name was touched"
    absent mine/frames
    rm mine/*
done
expect 2 "$MENISCUS" run drop.json -o nothing --steps 1 --summary nothing/scene.json
absent nothing
expect 2 "$MENISCUS" run full/scene.json -o full --steps 1
expect 0 "$MENISCUS" run full/scene.json -o again --steps 1 --quiet

# What is there already is not thrown away before it is known that something new can be written.
mkdir -p blocked/series.csv blocked/frames
: >blocked/frames/frame_000000.ply
expect 2 "$MENISCUS" run drop.json -o blocked --steps 1
there blocked/frames/frame_000000.ply

# Nothing to simulate, and drops that find no place.
expect 2 "$MENISCUS" run drop.json -o nothing --set fluids.water.bodies.0.shape.radius=0.00001
has stderr "without fluid"
absent nothing
expect 0 "$MENISCUS" run drop.json -o crowded --steps 2 \
    --set 'emitters=[{"kind":"drops","fluid":"water","drops":[{"time":0,"position":[0,0,0],"radius":0.0005}]}]'
has stderr "1 drops still wait"
has crowded/summary.json '"drops_waiting": 1'

# Ctrl-C: the step is finished, the last state and the summary are written.
"$MENISCUS" run drop.json -o stopped --until 1000 --fps 1 >stdout 2>stderr &
program=$!
tries=0
while [ ! -e stopped/series.csv ] && [ $tries -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
sleep 0.3
# A background process of a script ignores SIGINT from its start; SIGTERM takes the same path.
kill -TERM "$program"
wait "$program"
[ $? = 1 ] || fail "an interrupted run must end with status 1"
has stopped/summary.json '"status": "interrupted"'
there stopped/frames/frame_000001.ply

# A file size limit stands for a full disk: the frame is named, and so is the last good one.
expect 1 sh -c 'ulimit -f 8; exec "$0" run drop.json -o disk --format csv' "$MENISCUS"
has stderr "cannot write disk/frames/frame_000000.csv"
has stderr "no frame was written"
absent disk/frames/frame_000000.csv

# A folder that goes away while the run writes into it.
"$MENISCUS" run drop.json -o gone --until 1000 >stdout 2>stderr &
program=$!
tries=0
while [ ! -e gone/frames/frame_000001.ply ] && [ $tries -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
while [ -e gone ]; do rm -rf gone; done
wait "$program"
[ $? = 1 ] || fail "a run whose folder has gone must end with status 1"
has stderr "cannot write gone/frames/frame_"
has stderr "No such file or directory"

finish
