#!/bin/sh
# meniscus run on a device that fails: what is said, how it ends, and that all that was written by then can be read and is
# what a run without trouble writes. The device's libOpenCL is tests/faulty_opencl.c.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

MN_REAL_OPENCL=$(/sbin/ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -n 1)
export MN_REAL_OPENCL
[ -n "$MN_REAL_OPENCL" ] || {
    echo "skipped: ldconfig knows no libOpenCL.so.1"
    exit 77
}

# with_fault FUNCTION CALLS COMMAND...: the function fails after so many calls.
with_fault() {
    fault=$1
    after=$2
    shift 2
    env LD_LIBRARY_PATH="$MN_TEST_BUILD/tests/faulty" MN_FAULT="$fault" MN_FAULT_AFTER="$after" "$@"
}

# has_kept FOLDER WHOLE: the folder of a run that failed has frames and rows, whole ones, and they begin those of WHOLE.
has_kept() {
    find "$1" -name '*.partial' | grep -q . && fail "partial files are left in $1"
    count=$(find "$1/frames" -name '*.ply' | wc -l)
    [ "$count" -ge 2 ] || fail "only $count frame(s) in $1: it did not fail in the middle"
    for frame in "$1"/frames/frame_*; do
        expect 0 "$MENISCUS" info "$frame"
        has stdout "particles "
        cmp "$frame" "$2/frames/${frame##*/}" || fail "$frame is not that of $2"
    done
    head -n $((count + 1)) "$2/series.csv" | cmp - "$1/series.csv" || fail "$1/series.csv does not begin $2/series.csv"
    [ "$(grep -c '<DataSet' "$1/frames/frames.pvd")" = "$count" ] || fail "$1/frames/frames.pvd has not $count frames"
    expect 0 "$MENISCUS" info "$1"
    has stdout "$count ply files"
    has stdout "$count vtp files"
    has stdout "$count rows"
    has "$1/summary.json" '"status": "failed"'
    has "$1/summary.json" "\"frames\": $count"
}

# Lost between two launches, and in the middle of bringing particles back for a frame. Every step is a frame.
expect 0 "$MENISCUS" run drop.json -o whole --until 1000 --fps 100000 --steps 40 --quiet
for launches in 500 1000 1500; do
    expect 1 with_fault clEnqueueNDRangeKernel $launches "$MENISCUS" run drop.json -o lost --until 1000 --fps 100000 \
        --steps 40
    has stderr "stopped after step"
    has stderr "launching the kernel"
    has stderr "CL_OUT_OF_RESOURCES"
    has stderr "take a larger spacing, another device, or the CPU"
    has stdout "failed: "
    has lost/summary.json CL_OUT_OF_RESOURCES
    has lost/summary.json '"mass": null'
    has_kept lost whole
done
for reads in 120 135 150 165; do
    expect 1 with_fault clEnqueueReadBuffer $reads "$MENISCUS" run drop.json -o lost --until 1000 --fps 100000 \
        --steps 40
    has stderr "reading the buffer"
    has stderr "it was lost"
    has_kept lost whole
done

# No memory for what a jet brings.
jet='emitters=[{"kind":"round","fluid":"water","position":[0,0,0.002],"direction":[0,0,-1],"radius":0.0003,"speed":3}]'
expect 0 "$MENISCUS" run drop.json -o whole --until 1000 --fps 100000 --steps 40 --quiet --set "$jet"
expect 1 with_fault clCreateBuffer 80 "$MENISCUS" run drop.json -o full --until 1000 --fps 100000 --steps 40 \
    --set "$jet"
has stderr "no memory for the buffer"
has stderr "CL_MEM_OBJECT_ALLOCATION_FAILURE"
has_kept full whole

# What cannot be begun leaves an earlier run alone.
cp -r full before
expect 2 with_fault clCreateBuffer 20 "$MENISCUS" run drop.json -o full
has stderr "no memory for the buffer"
[ -s stdout ] && fail "a run that was not begun has ended: $(cat stdout)"
expect 2 with_fault clBuildProgram 0 env XDG_CACHE_HOME="$folder/cache" "$MENISCUS" run drop.json -o full
has stderr "does not build the kernels: CL_BUILD_PROGRAM_FAILURE"
log=$(sed -n 's/.*The log is kept in \(.*\.log\) and begins: .*/\1/p' stderr)
case $log in
"$folder"/cache/*) [ -s "$log" ] || fail "$log is empty" ;;
*) fail "no log is named: $(cat stderr)" ;;
esac
diff -r full before >diffs || fail "an earlier run was touched: $(cat diffs)"

finish
