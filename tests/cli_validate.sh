#!/bin/sh
# The verb validate: usage, what it writes, exit statuses. What benchmarks find is judged by validate_quick.
. "$MN_TEST_SOURCE/tests/cli_common.sh"

expect 0 "$MENISCUS" validate --list
grep -q '^momentum .* case(s), about ' stdout || fail "--list says: $(cat stdout)"
expect 0 "$MENISCUS" validate momentum --list --quick
[ "$(wc -l <stdout)" = 1 ] || fail "one name, one line: $(cat stdout)"

# Bad input is told before anything runs.
touch plain
mkdir shelf
for arguments in 'momentun' '--threads 0' '--threads many' '--json nowhere/results.json' '--json shelf' '--json=' \
    '--report plain/report' '--report plain' '--report=' '--nonsense'; do
    # shellcheck disable=SC2086
    expect 2 "$MENISCUS" validate $arguments
    [ -s stdout ] && fail "a table in spite of $arguments"
    [ -s stderr ] || fail "nothing said about $arguments"
done
expect 2 "$MENISCUS" validate momentun
has stderr 'did you mean "momentum"'
expect 2 "$MENISCUS" validate --json nowhere/results.json
has stderr 'nowhere/results.json'
absent nowhere
expect 2 "$MENISCUS" validate --report plain/report
has stderr 'plain'

# A benchmark that fails (there is no scene on the empty shelf), and no gnuplot.
expect 1 env PATH=/nowhere MENISCUS_VALIDATION="$folder/shelf" "$MENISCUS" validate momentum --json failed.json \
    --report failed
has stdout 'FAILED'
has stdout '0 goals met, 2 missed'
has stdout 'momentum.json'
has stderr 'gnuplot-nox'
has failed.json '"pass": false'
has failed.json '"measured": null'
has failed/index.html 'gnuplot-nox'
has failed/validation.md 'FAILED'

# Changes reach every scene, after those of the cases.
expect 1 "$MENISCUS" validate momentum --set solver.preset=paper --set solver.speed=1
has stdout '0 goals met, 2 missed'
has stdout 'solver.speed'

# A benchmark that does not; the same figures however many cases run at a time.
expect 0 "$MENISCUS" validate momentum --threads 2 --json two.json --report report
has stdout '4 goals met, 0 missed'
has stderr '2 of 2: momentum, '
for key in name quantity expected measured error unit goal pass resolution dt_over_capillary wall_seconds; do
    [ "$(grep -c "\"$key\": " two.json)" = 4 ] || fail "not every row has $key"
done
there report/index.html
there report/validation.md
there report/validation/momentum-drift.csv
! command -v gnuplot >/dev/null || there report/validation/momentum-drift.svg
has report/validation.md '`meniscus validate momentum --threads 2'
expect 0 "$MENISCUS" validate momentum --threads 1 --json one.json
for file in one two; do grep -v wall_seconds $file.json >$file.figures; done
cmp one.figures two.figures || fail "figures depend on the number of threads"

# Interrupted: what had ended by then is told, here nothing.
"$MENISCUS" validate momentum --threads 1 --json stopped.json >stopped.out 2>stopped.err &
program=$!
for wait in 1 2 3 4 5 6 7 8 9 10; do
    grep -qs ' at a time' stopped.err && break
    sleep 0.3
done
kill -TERM "$program"
wait "$program"
[ $? = 1 ] || fail "an interrupted validation must end with status 1"
has stopped.err interrupted
has stopped.err "0 of 2 cases had ended"
has stopped.out "0 goals met"
there stopped.json

finish
