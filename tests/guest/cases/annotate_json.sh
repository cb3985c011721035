# --annotate -O json: every edge of the fixture's loop with a switch, with its count.
printf '#!/bin/sh\necho fixture_jump_table 20 > %s/run\n' $fixture > /tmp/workload
chmod +x /tmp/workload
kinst -O json --annotate fixture_jump_table -c /tmp/workload > /tmp/json 2> /tmp/errors ||
  fail "-O json failed: $(cat /tmp/errors)"
expect 'edges as data' "$(printf 'next 20\n'; yes 'indirect 20' | head -4
    yes 'jump 20' | head -3; printf 'next 20\ntaken 60\nnext 20\nreturn 20')" \
  "$(grep -o '"kind":"[a-z]*","from":[0-9]*,"to":[a-z0-9]*,"count":[0-9]*' /tmp/json |
    sed 's/"kind":"\([a-z]*\)".*:/\1 /')"
