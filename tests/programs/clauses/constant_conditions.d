/* Of ?: with a constant condition only what the constant chooses counts: it may be what
   no expression can hold, and the other operand may be anything at all. */
#pragma D option quiet

inline int OPT_print = 1;
inline int OPT_count = OPT_print && 3 > 2;
inline int OPT_none = !OPT_print;
enum mode { SLOW, FAST = 7 };

BEGIN
{
	OPT_print ? printf("chosen %d\n", 1) : 1;
	OPT_none ? printf("not chosen\n") : 1;
	OPT_none ? printf("not chosen\n") : OPT_count ? printf("nested\n") : 1;
	OPT_count ? @calls["a", 1] = count() : no_such_function();
	OPT_print ? @calls["b", 2] = count() : 1;
	(FAST == 7 ? @sum = sum(FAST) : 1);
	SLOW ? printf("not chosen\n") : 1;
	printf(OPT_print ? "%d is a number\n" : "%s is a text\n", 4);
	this->x = sizeof (int) == 4 ? 4 : undeclared;
	printf("%d\n", this->x);
	exit(0);
}

END
{
	printa("%s %d %@d\n", @calls);
	printa("%@d\n", @sum);
}
