# Helpers for the scripts that judge the program from outside. $MENISCUS is the program.
# Each script works in its own folder, which goes away at the end.

set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect STATUS COMMAND...: runs it with its outputs in ./stdout and ./stderr.
expect() {
    wanted=$1
    shift
    "$@" >stdout 2>stderr
    found=$?
    [ "$found" = "$wanted" ] || {
        fail "status $found instead of $wanted from: $*"
        cat stdout stderr
    }
}

# has FILE TEXT: the file contains the text.
has() {
    grep -qF -e "$2" "$1" || {
        fail "no \"$2\" in $1, which is:"
        cat "$1"
    }
}

there() { [ -e "$1" ] || fail "$1 is missing"; }
absent() { [ ! -e "$1" ] || fail "$1 should not be there"; }

finish() {
    [ "$failures" = 0 ] || {
        echo "$failures check(s) failed"
        exit 1
    }
    exit 0
}

# A small free drop of water: a few hundred particles.
cat >drop.json <<'JSON'
{
  "title": "A small free drop",
  "spacing": 0.0001,
  "gravity": [0, 0, 0],
  "duration": 0.002,
  "fps": 1000,
  "fluids": {
    "water": {
      "tension": {"vapor": 0.072},
      "bodies": [{"shape": {"kind": "sphere", "radius": 0.0005}}]
    }
  }
}
JSON
