#!/bin/sh
# The verb bench: usage, what it writes, exit statuses. How long things take is not for a test to judge.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

expect 0 "$MENISCUS" bench --list
for name in sessile cube slope dam rain; do has stdout "$name "; done

touch plain
mkdir shelf
for arguments in 'sesile' '--threads 0' '--size 0' '--size small' '--backend abacus' '--json nowhere/figures.json' \
    '--json shelf' '--json=' '--nonsense'; do
    # shellcheck disable=SC2086
    expect 2 "$MENISCUS" bench $arguments
    [ -s stdout ] && fail "a table in spite of $arguments"
    [ -s stderr ] || fail "nothing said about $arguments"
done
expect 2 "$MENISCUS" bench sesile
has stderr 'did you mean "sessile"'
expect 1 env MENISCUS_SCENES="$folder/shelf" "$MENISCUS" bench slope
has stderr 'drop_on_slope.json'

backend=${MENISCUS_BACKEND:-cpu}
expect 0 "$MENISCUS" bench slope --size 0.0004 --threads 2 --backend "$backend" --json figures.json
has stdout 'slope '
has figures.json "\"backend\": \"$backend\""
for key in name setting backend threads particles boundary dt steps iterations_mean ms_per_step ms_per_step_spread \
    ms_per_iteration seconds_per_simulated_second pairs_per_second flops_share_of_peak bytes_per_particle yardstick_ms \
    steps_per_yardstick neighbours viscosity diagonals solver force measure gradient accelerate integrate; do
    [ "$(grep -c "\"$key\": " figures.json)" = 1 ] || fail "no $key: $(cat figures.json)"
done
has figures.json '"steps": 60'
finish
