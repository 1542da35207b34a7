#!/bin/sh
# What README.md shows is what is there: the embedding listing is tests/embed.c, the first scene is a good one,
# and the physics stands where docs/validation.md says.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

# The code block between <!-- NAME --> and <!-- end --> without its fences.
block() {
    sed -n "/^<!-- $1 -->\$/,/^<!-- end -->\$/p" "$MN_TEST_SOURCE/README.md" | sed -e '/^<!--/d' -e '/^```/d'
}

block embed.c >embed.c
cmp embed.c "$MN_TEST_SOURCE/tests/embed.c" || fail "the listing in README.md is not tests/embed.c"
block first_drop.json >first_drop.json
[ -s first_drop.json ] || fail "README.md shows no first scene"
expect 0 "$MENISCUS" check first_drop.json
expect 0 "$MENISCUS" run first_drop.json --steps 2 --threads 1
grep -q warning stderr && fail "a newcomer's first run warns: $(cat stderr)"
there out/first_drop/summary.json

expect 0 "$MN_TEST_SOURCE/tools/standing" --check

finish
