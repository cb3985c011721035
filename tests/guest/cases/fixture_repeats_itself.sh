# The fixture's functions run as often as they are told, with the same results each time;
# without that, no case that compares counts or results proves anything.
forget_runs
functions=$(cut -d' ' -f1 $fixture/results)
for function in $functions; do run_fixture $function 20; done
first=$(cat $fixture/results)
expect 'runs' "$(for function in $functions; do echo $function 20; done)" \
  "$(cut -d' ' -f1-2 $fixture/results)"
forget_runs
for function in $functions; do run_fixture $function 20; done
expect 'results of a second run' "$first" "$(cat $fixture/results)"
expect 'functions without results' '' "$(grep ' 0*$' $fixture/results)"
