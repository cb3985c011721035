/* What is recorded into a speculation is printed when it is committed, if it is. */
#pragma D option quiet
#pragma D option nspec=2

BEGIN { first = speculation(); second = speculation(); third = speculation(); }
BEGIN { printf("%d %d %d\n", first, second, third); }
BEGIN { speculate(first); printf("kept 1\n"); }
BEGIN { speculate(second); printf("not printed\n"); }
BEGIN { speculate(first); printf("kept 2\n"); }
BEGIN { speculate(third); reached = 1; printf("not printed\n"); }
BEGIN { speculate(99); reached = 1; printf("not printed\n"); }
BEGIN { printf("before the commit\n"); }
BEGIN { commit(first); discard(second); }
BEGIN { speculate(first); reached = 1; printf("not printed\n"); }
BEGIN { commit(first); discard(second); }
BEGIN { commit(0); }
BEGIN { again = speculation(); printf("%d %d\n", again, reached); }
BEGIN { speculate(again); printf("kept 3\n"); }
BEGIN { commit(again); }
BEGIN { commit(-1); }
BEGIN { exit(0); }

ERROR
{
	printf("fails with %d\n", arg4);
}
