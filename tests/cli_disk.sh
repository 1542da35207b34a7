#!/bin/sh
# meniscus run on a disk that is small, and on one that cannot be written: a tmpfs in a name space of its own.
if [ -z "${MN_OWN_MOUNTS:-}" ]; then
    unshare -rm true 2>/dev/null || {
        echo "skipped: this system lets nobody have mounts of his own (unshare -rm)"
        exit 77
    }
    MN_OWN_MOUNTS=1 exec unshare -rm sh "$0"
fi
. "$MN_TEST_SOURCE/tests/cli_common.sh"
mkdir disk
mount -t tmpfs -o size=256k none disk 2>stderr || {
    echo "skipped: no tmpfs can be mounted: $(cat stderr)"
    exit 77
}
trap 'cd / && umount "$folder/disk"; rm -rf "$folder"' EXIT

# Full after some frames: they and their rows are those of a run with room, and nothing else is left.
long="--until 0.01 --fps 5000 --quiet --format ply,vtp,csv"
# shellcheck disable=SC2086
expect 0 "$MENISCUS" run drop.json -o whole $long
# shellcheck disable=SC2086
expect 1 "$MENISCUS" run drop.json -o disk/run $long
has stderr "No space left on device"
has stderr "the last good frame is disk/run/frames/frame_"
find disk -name '*.partial' | grep -q . && fail "partial files are left: $(find disk -name '*.partial')"
count=$(find disk/run/frames -name '*.ply' | wc -l)
[ "$count" -ge 2 ] && [ "$count" -lt 51 ] || fail "$count frames on a disk of 256 kB"
for frame in disk/run/frames/frame_*; do
    cmp "$frame" "whole/frames/${frame##*/}" || fail "$frame is not that of a run with room"
done
head -n $((count + 1)) whole/series.csv | cmp - disk/run/series.csv || fail "the series has other rows"
[ "$(grep -c '<DataSet' disk/run/frames/frames.pvd)" = "$count" ] || fail "frames.pvd has not $count frames"
expect 0 "$MENISCUS" info disk/run

# With room it works in the same folder.
mount -o remount,size=16m disk
# shellcheck disable=SC2086
expect 0 "$MENISCUS" run drop.json -o disk/run $long
diff -r disk/run/frames whole/frames >diffs || fail "frames differ: $(cat diffs)"
cmp disk/run/series.csv whole/series.csv || fail "series differ"

# Read-only: said before anything is computed, and nothing is touched.
cp -r disk/run before
mount -o remount,ro disk
# shellcheck disable=SC2086
expect 2 "$MENISCUS" run drop.json -o disk/run $long
has stderr "Read-only file system"
has stderr "disk/run"
for verb in "convert before disk/new --format csv" "mesh before -o disk/new" "measure before --json disk/new.json"; do
    # shellcheck disable=SC2086
    "$MENISCUS" $verb --quiet >stdout 2>stderr && fail "$verb on a read-only disk has no complaint"
    has stderr "Read-only file system"
    has stderr "disk/new"
done
diff -r disk/run before >diffs || fail "a read-only folder was touched: $(cat diffs)"

finish
