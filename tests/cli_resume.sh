#!/bin/sh
# meniscus run --resume: runs that are killed at any moment and gone on with leave what a run leaves that was never
# stopped, byte by byte. MN_TEST_KILLS says how often each is killed (default: 3); for many kills by hand:
#     MN_TEST_KILLS=30 MN_TEST_SOURCE=. MENISCUS=build/release/meniscus sh tests/cli_resume.sh
case $MENISCUS in /*) ;; *) MENISCUS=$PWD/$MENISCUS ;; esac
case $MN_TEST_SOURCE in /*) ;; *) MN_TEST_SOURCE=$PWD/$MN_TEST_SOURCE ;; esac
. "$MN_TEST_SOURCE/tests/cli_common.sh"
kills_wanted=${MN_TEST_KILLS:-3}
kills=0 resumed=0 restarted=0 compared=0

expect 0 "$MENISCUS" run drop.json -o probe --steps 1 --checkpoint-every never
absent probe/checkpoints
if "$MENISCUS" run drop.json -o probe --steps 1 --checkpoint-every 1 2>&1 | grep -q "this build has no checkpoints"; then
    expect 2 "$MENISCUS" run --resume probe
    has stderr "this build has no checkpoints"
    expect 0 "$MENISCUS" run drop.json -o probe --steps 1 -v
    has stderr "this build has no checkpoints"
    finish
fi

# same WHOLE PART: the second run has left what the first has, and nothing besides.
same() {
    for file in series.csv scene.json boundary.ply; do
        [ ! -e "$1/$file" ] || cmp "$1/$file" "$2/$file" || fail "$2/$file differs"
    done
    for part in frames solids; do
        [ ! -e "$1/$part" ] || diff -r "$1/$part" "$2/$part" >diffs || fail "$part of $2 differ: $(cat diffs)"
    done
    [ "$(wc -l <"$1/timings.csv")" = "$(wc -l <"$2/timings.csv")" ] || fail "$2/timings.csv has other rows"
    find "$2" -name '*.partial' | grep -q . && fail "partial files are left in $2"
    compared=$((compared + $(ls "$1/frames" | wc -l)))
}

# start FOLDER ARGUMENTS...: begins the run, or goes on with it; on one core, which makes no difference.
start() {
    folder_of_run=$1
    shift
    if ls "$folder_of_run"/checkpoints/*.h5 >ignored 2>&1; then
        resumed=$((resumed + 1))
        "$MENISCUS" run --resume "$folder_of_run" --checkpoint-every 7 --threads 1 --quiet >stdout 2>stderr &
    else
        restarted=$((restarted + 1))
        "$MENISCUS" run "$@" -o "$folder_of_run" --checkpoint-every 7 --threads 1 --quiet >stdout 2>stderr &
    fi
    program=$!
}

# killed NAME SCENE ARGUMENTS...: the whole run, then one that is killed at random moments within the time that the
# whole one took.
killed() {
    name=$1
    shift
    begun=$(date +%s%N)
    expect 0 "$MENISCUS" run "$@" -o "whole_$name" --quiet --checkpoint-every never
    took=$(($(date +%s%N) - begun))
    done_kills=0 tries=0
    while [ "$done_kills" -lt "$kills_wanted" ] && [ "$tries" -lt $((5 * kills_wanted)) ]; do
        tries=$((tries + 1))
        start "part_$name" "$@"
        sleep "$(awk -v seed="$(date +%N)$kills" -v took="$took" 'BEGIN { srand(seed); print rand() * took / 1e9 }')"
        kill -KILL "$program" 2>ignored
        wait "$program" 2>ignored
        ended=$?
        case $ended in
        137)
            done_kills=$((done_kills + 1))
            kills=$((kills + 1))
            # Too early for a checkpoint.
            ls "part_$name"/checkpoints/*.h5 >ignored 2>&1 || took=$((took * 5 / 4))
            ;;
        0) # It was done before, and is begun anew.
            same "whole_$name" "part_$name"
            rm -rf "part_$name"
            took=$((took * 2 / 3))
            ;;
        *) fail "$name ended with $ended: $(cat stderr)" ;;
        esac
    done
    start "part_$name" "$@"
    wait "$program" || fail "$name does not go on: $(cat stderr)"
    same "whole_$name" "part_$name"
    rm -rf "whole_$name" "part_$name"
}

killed rain rain_on_window --set spacing=0.001 --set 'solids.pane.shape.size=[0.014,0.02]' \
    --set emitters.0.rate=400 --until 0.07 --fps 200 --format ply,vtp,csv,vtkhdf
killed plate moving_plate --set spacing=0.0005 --set solids.plate.motion.0.time=0.005 \
    --set solids.plate.motion.1.time=0.02 --set solids.plate.motion.2.time=0.03 --until 0.04 --fps 300
killed jet jet_on_sphere --set spacing=0.001 --until 0.1 \
    --set 'sinks=[{"lower":[-0.1,-0.1,-0.2],"upper":[0.1,0.1,0.008]}]'
killed slope drop_on_slope --set spacing=0.0005 --set 'solids.slope.shape.size=[0.08,0.006]' --until 0.03 \
    --set schedules.0.keys.1.time=0.005 --set schedules.0.keys.2.time=0.02 --set time_step.fixed=2e-4
killed boards tumbling_boards --set spacing=0.0012 --until 0.03 --fps 100 --set solver.kind=nncg
killed plane two_fluids --set spacing=0.002 --until 0.05
killed dam dam_break --set spacing=0.014 --until 0.1

# SIGTERM (which a script cannot have ignored from the start, as it has SIGINT): the step is finished, a checkpoint is
# written, and the frame of the state that it had then is gone when it goes on.
"$MENISCUS" run drop.json -o stopped --until 1000 --fps 1 --checkpoint-every 0.1s >stdout.run 2>stderr.run &
program=$!
tries=0
while [ ! -e stopped/checkpoints ] && [ $tries -lt 200 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
expect 2 "$MENISCUS" run --resume stopped
expect 2 "$MENISCUS" run drop.json -o stopped
has stderr "another run is writing there"
kill -TERM "$program"
wait "$program"
[ $? = 1 ] || fail "an interrupted run must end with status 1"
has stderr.run "meniscus run --resume stopped"
has stopped/summary.json '"status": "interrupted"'
there stopped/frames/frame_000001.ply
step=$(ls stopped/checkpoints | tail -1 | sed 's/[^0-9]*0*\([0-9]*\).*/\1/')
expect 0 "$MENISCUS" run --resume stopped --steps $((step + 3)) -v
has stderr "going on from step $step"
expect 0 "$MENISCUS" run drop.json -o not_stopped --until 1000 --fps 1 --steps $((step + 3))
same not_stopped stopped

# A terminal that is closed ends it in the same way, unless that is to be ignored.
"$MENISCUS" run drop.json -o hung_up --until 1000 --checkpoint-every 0.1s --quiet >stdout.run 2>stderr.run &
program=$!
(trap '' HUP && exec "$MENISCUS" run drop.json -o kept_on --until 1000 --steps 400 --checkpoint-every 0.1s --quiet) &
other=$!
tries=0
while { [ ! -e hung_up/checkpoints ] || [ ! -e kept_on/checkpoints ]; } && [ $tries -lt 200 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
kill -HUP "$program" "$other"
wait "$program"
[ $? = 1 ] || fail "a run whose terminal was closed must end with status 1"
has hung_up/summary.json '"status": "interrupted"'
wait "$other" || fail "a run that ignores that its terminal was closed must go on"

# A run that is done says so and nothing is touched; with more time it goes on as if that had been meant at first.
expect 0 "$MENISCUS" run drop.json -o ended --checkpoint-every 5
cp -r ended before
cp -r ended ended_before
expect 0 "$MENISCUS" run --resume ended
has stdout "done already"
diff -r ended before >diffs || fail "a run that is done was touched: $(cat diffs)"
expect 0 "$MENISCUS" run --resume ended --until 0.004
expect 0 "$MENISCUS" run drop.json -o longer --until 0.004
same longer ended
has ended/summary.json '"status": "done"'
has ended/summary.json '"scene": "drop"'

# The one before where the newest is damaged, none where both are.
cp -r before damaged
newest=$(ls damaged/checkpoints/*.h5 | tail -1)
printf 'x' | dd of="$newest" bs=1 seek=20000 conv=notrunc 2>ignored
expect 0 "$MENISCUS" run --resume damaged --until 0.004
has stderr "is damaged: its checksum"
has stderr "going on from the checkpoint before"
same longer damaged
cp -r before broken
for file in broken/checkpoints/*.h5; do head -c 5000 "$file" >cut && mv cut "$file"; done
expect 2 "$MENISCUS" run --resume broken --until 0.004
has stderr "is cut short"
has stderr "has no good checkpoint"
expect 2 "$MENISCUS" run --resume nowhere
has stderr "has no checkpoint"
expect 2 "$MENISCUS" run --resume drop.json
has stderr "cannot look at the checkpoints of drop.json: Not a directory"

# Scenes: one that was edited is refused by the names of its keys, one that was lost comes back.
cp -r before edited
sed 's/"vapor": [0-9.]*/"vapor": 0.05/' before/scene.json >edited/scene.json
cp -r edited twice
expect 2 "$MENISCUS" run --resume edited --until 0.004
has stderr "fluids.water.tension.vapor: was 0.072, is 0.05"
diff -r edited twice >diffs || fail "a run with an edited scene was touched: $(cat diffs)"
cp -r before lost
rm lost/scene.json
expect 0 "$MENISCUS" run --resume lost --until 0.004
same longer lost

# What may be changed and what may not.
for set in spacing=0.0002 dimension=2 seed=9 'fluids.water.bodies.0.shape.radius=0.001' 'solver.rest_areas="paper"' \
    'fluids={"oil":{"bodies":[{"shape":{"kind":"sphere","radius":0.0005}}]}}' \
    'emitters=[{"kind":"drops","fluid":"water","drops":[{"time":1,"position":[0,0,0],"radius":0.0005}]}]' \
    'solids={"floor":{"shape":{"kind":"plane","size":[0.01,0.01]}}}'; do
    expect 2 "$MENISCUS" run --resume before --until 0.004 --set "$set"
    has stderr "cannot be changed on the way"
    has stderr "${set%%[=.]*}"
done
expect 2 "$MENISCUS" run --resume before --until 0.004 --set fluids.water.densty=3
same ended_before before
cp -r before changed
expect 0 "$MENISCUS" run --resume changed --until 0.004 --set fluids.water.viscosity=0.01 --set title=thick --fps 2000 \
    --set 'gravity=[0,0,-1]' --set time_step.max=0.0001
has stderr "fluids.water.viscosity: was not given, is 0.01"
has changed/scene.json '"title": "thick"'
[ "$(cut -d, -f2 changed/series.csv | tr '\n' ' ')" = "time [s] 0 0.001 0.002 0.0025 0.003 0.0035 0.004 " ] ||
    fail "frames at other times: $(cut -d, -f2 changed/series.csv | tr '\n' ' ')"
expect 0 "$MENISCUS" run --resume changed --until 0.005
has changed/scene.json '"viscosity": 0.01'

# Where all that has the changes is damaged, the run is not lost: whoever moves scene.json away goes on without them.
for file in changed/checkpoints/*.h5; do head -c 5000 "$file" >cut && mv cut "$file"; done
rm "$(ls changed/checkpoints/*.h5 | head -1)"
cp "$(ls before/checkpoints/*.h5 | head -1)" changed/checkpoints
expect 2 "$MENISCUS" run --resume changed --until 0.004
has stderr "fluids.water.viscosity: was not given, is 0.01"
has stderr "move the file away"
rm changed/scene.json
expect 0 "$MENISCUS" run --resume changed --until 0.004
same longer changed

# A run that has become unstable can be tried with other settings.
expect 1 "$MENISCUS" run drop.json -o unstable --set time_step.min=0.0001 --set solver.max_iterations=3
has unstable/summary.json '"status": "unstable"'
has stderr "it can go on from step"
expect 0 "$MENISCUS" run --resume unstable --set time_step.min=1e-9 --set solver.max_iterations=100
has unstable/summary.json '"status": "done"'

# One that goes on and ends at once, between two frames, keeps the frame and the row of its last state.
expect 1 "$MENISCUS" run drop.json -o taut --set time_step.min=0.00001 --set 'schedules=[{"target":
    "fluids.water.tension.vapor", "keys": [{"time": 0.00125, "value": 0.072}, {"time": 0.00126, "value": 50}]}]'
cp -r taut taut_again
expect 1 "$MENISCUS" run --resume taut_again
for file in series.csv frames/frames.pvd; do
    cmp -s "taut/$file" "taut_again/$file" || fail "$file of a run that ends unstable twice differs"
done

# A limit on file sizes stands for a full disk: frames fit, checkpoints do not. The run goes on without.
expect 0 sh -c 'ulimit -f 120; exec "$0" run drop.json -o tight --checkpoint-every 30' "$MENISCUS"
has stderr "warning: there is no checkpoint of step 30"
has stderr "warning: there is no checkpoint of the last state"
[ "$(ls tight/checkpoints)" = "" ] || fail "left behind: $(ls tight/checkpoints)"
cmp tight/series.csv before/series.csv || fail "a run without checkpoints has other results"

# What a checkpoint is of.
expect 0 "$MENISCUS" info before
has stdout "checkpoint"
expect 0 "$MENISCUS" info "$(ls before/checkpoints/*.h5 | tail -1)"
has stdout "checkpoint of drop"
has stdout "time         0.002 s"
expect 0 "$MENISCUS" run drop_on_slope -o walls --set spacing=0.0005 --steps 1
expect 0 "$MENISCUS" info "$(ls walls/checkpoints/*.h5 | tail -1)"
grep -q "fluid, [1-9][0-9]* boundary" stdout || fail "walls that sleep are not counted: $(cat stdout)"

# On a device, from a device to this machine and back.
if ! "$MENISCUS" devices | grep -q '^no devices'; then
    expect 0 "$MENISCUS" run drop.json -o device --backend opencl --steps 4
    expect 0 "$MENISCUS" run --resume device --backend opencl --steps 8
    expect 0 "$MENISCUS" run --resume device --backend cpu --steps 12
    expect 0 "$MENISCUS" run --resume device --backend opencl
    has device/summary.json '"status": "done"'
    expect 0 "$MENISCUS" run drop.json -o here
    [ "$(cut -d, -f1,2,7 device/series.csv)" = "$(cut -d, -f1,2,7 here/series.csv)" ] || fail "a device loses its way"
fi

# Usage, and a new run that has nothing of an old one.
expect 2 "$MENISCUS" run --resume before drop.json
expect 2 "$MENISCUS" run --resume before -o other
expect 2 "$MENISCUS" run --resume before --format csv
expect 2 "$MENISCUS" run drop.json --checkpoint-every often
expect 0 "$MENISCUS" run drop.json -o ended --steps 1 --checkpoint-every never
absent ended/checkpoints
mkdir -p ended/checkpoints/checkpoint_000000009.h5
cp ended/series.csv series.csv
expect 2 "$MENISCUS" run drop.json -o ended
has stderr "cannot remove a checkpoint of an earlier run"
cmp ended/series.csv series.csv || fail "a run was overwritten whose checkpoints stay"

echo "$kills kills, $resumed times gone on, $restarted begun anew, $compared frames compared"
finish
