#!/bin/sh
# The studio from the terminal: what it says, what it refuses, and that Ctrl-C ends it in good order.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

expect 0 "$MENISCUS" help studio
has stdout "--port"
expect 2 "$MENISCUS" studio --port 0
expect 2 "$MENISCUS" studio --port 70000
expect 2 "$MENISCUS" studio one two
if MENISCUS_STUDIO=$folder/nowhere "$MENISCUS" studio --no-open 2>&1 | grep -q "this build has no studio"; then
    expect 1 "$MENISCUS" studio
    has stderr "libwebsockets"
    finish
fi

mkdir page
echo '<!doctype html><title>studio</title>' >page/index.html
MENISCUS_STUDIO=$folder/nowhere expect 2 "$MENISCUS" studio --no-open
has stderr "nowhere"
export MENISCUS_STUDIO="$folder/page"
expect 2 "$MENISCUS" studio --no-open drpo_on_slope
has stderr 'did you mean the shipped scene "drop_on_slope"?'
expect 2 "$MENISCUS" studio --no-open missing/scene.json
has stderr "cannot read missing/scene.json"
mkdir empty
expect 2 "$MENISCUS" studio --no-open empty
has stderr "has no frames"
mkdir own
cp drop.json own/scene.json
expect 2 "$MENISCUS" studio --no-open own/scene.json -o own
has stderr "would replace the scene itself"

# start ARGUMENTS...: a studio in the background, whose address is in $address.
start() {
    "$MENISCUS" studio "$@" >log 2>&1 &
    studio=$!
    address=
    while [ -z "$address" ]; do
        kill -0 "$studio" 2>/dev/null || {
            fail "the studio did not start:"
            cat log
            finish
        }
        sleep 0.1
        address=$(grep -o 'http://127.0.0.1:[0-9]*/[0-9a-f]*/$' log)
    done
}

start --no-open drop.json
port=${address#http://127.0.0.1:}
port=${port%%/*}
has log "Ctrl-C ends it"
expect 2 "$MENISCUS" studio --no-open --port "$port"
has stderr "cannot listen on port $port"
kill -INT "$studio"
wait "$studio"
found=$?
[ "$found" = 0 ] || fail "status $found instead of 0 after Ctrl-C"

# A finished run.
expect 0 "$MENISCUS" run -q drop.json -o run --format ply
expect 2 "$MENISCUS" studio --no-open run -o run
has stderr "would replace the one that is to be shown"
start --no-open run
kill -TERM "$studio"
wait "$studio"
found=$?
[ "$found" = 0 ] || fail "status $found instead of 0 after a polite kill"

# A browser is started, and nothing of that is left behind when it has ended.
mkdir bin
cat >bin/xdg-open <<EOF
#!/bin/sh
echo "\$@" >"$folder/arguments.new"
mv "$folder/arguments.new" "$folder/arguments"
EOF
chmod +x bin/xdg-open
export DISPLAY=:0 PATH="$folder/bin:$PATH"
start
for _ in $(seq 300); do
    [ -e arguments ] && ! grep -qs "^PPid:[[:space:]]*$studio$" /proc/[0-9]*/status && break
    sleep 0.1
done
[ "$(cat arguments)" = "$address" ] || fail "the browser was given $(cat arguments)"
! grep -s "^PPid:[[:space:]]*$studio$" /proc/[0-9]*/status || fail "a process is left behind"
kill -INT "$studio"
wait "$studio"
finish
