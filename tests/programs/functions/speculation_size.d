/* A speculation takes records up to specsize, which counts 16 bytes in front of each. */
#pragma D option quiet
#pragma D option specsize=48

BEGIN { number = speculation(); }
BEGIN { speculate(number); printf("%d\n", 1LL); recorded++; }
BEGIN { speculate(number); printf("%d %d\n", 2LL, 2LL); recorded++; }
BEGIN { speculate(number); printf("%d\n", 3LL); recorded++; }
BEGIN { commit(number); }
BEGIN { printf("recorded: %d\n", recorded); exit(0); }
