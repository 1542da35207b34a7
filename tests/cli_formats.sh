#!/bin/sh
# Frames in every format, read by programs that are not ours where they are installed.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

# Debian's modules are seen by Debian's Python, which need not be the first one on the path.
python=/usr/bin/python3
[ -x $python ] || python=python3

formats=ply,vtp,csv,bgeo,vtkhdf
"$MENISCUS" run drop.json -o probe --steps 1 --format vtkhdf --quiet 2>stderr || {
    has stderr "HDF5 was not found"
    absent probe
    echo "skipped: this build writes no VTKHDF"
    formats=ply,vtp,csv,bgeo
}

# alike READER FILE CSV TIME: another reader finds in the file what the table has.
alike() {
    [ -e "$2" ] || return
    $python "$MN_TEST_SOURCE/tests/read_frames.py" "$@" >found 2>&1
    case $? in
    0) ;;
    77 | 127) echo "skipped: $2 by $1: $(tail -1 found)" ;;
    *) fail "$1 does not read $2 as it was written: $(cat found)" ;;
    esac
}

# all_alike FRAME CSV TIME: the same of all files of a frame, which is given without its ending.
all_alike() {
    alike ply "$1.ply" "$2" "$3"
    alike vtp "$1.vtp" "$2" "$3"
    alike bgeo "$1.bgeo" "$2" "$3"
    alike h5py "$1.vtkhdf" "$2" "$3"
    alike vtkhdf "$1.vtkhdf" "$2" "$3"
}

expect 0 "$MENISCUS" run drop.json -o run --format $formats --quiet
for frame in 0 1 2; do
    for format in $(echo $formats | tr , ' '); do there "run/frames/frame_00000$frame.$format"; done
    all_alike "run/frames/frame_00000$frame" "run/frames/frame_00000$frame.csv" "0.00$frame"
done
for format in $(echo $formats | tr , ' '); do
    expect 0 "$MENISCUS" info run/frames/frame_000001.$format
    has stdout "particles    536"
    has stdout "radius"
    head -c 10000 run/frames/frame_000001.$format >cut.$format
    [ $format = csv ] || expect 2 "$MENISCUS" info cut.$format
done
expect 0 "$MENISCUS" info run
has stdout "3 bgeo files"

finish
