/* What a function cannot do fails the clause, with the fault that DTrace has for it. */
#pragma D option quiet

BEGIN { this->new = (char *)alloca(8); printf("not printed: %d\n", this->new[-1]); }
BEGIN { printf("not printed: %d\n", strlen(0)); }
BEGIN { printf("not printed: %s\n", substr(0, 1)); }
BEGIN { printf("not printed: %s\n", copyinstr(0x1234)); }
BEGIN { copyin(0x1234, 8); printf("not printed"); }
BEGIN { size = 257; alloca(size); printf("not printed"); }
BEGIN { bcopy("bad news", alloca(1), -1); printf("not printed"); }
BEGIN { bcopy("bad news", alloca(0), 1); printf("not printed"); }
BEGIN { bcopy((void *)0, alloca(8), 8); printf("not printed"); }
BEGIN { old = (char *)alloca(8); *old = 'a'; }
BEGIN { *old = 'b'; printf("%c, as memory is the firing's\n", *old); }
BEGIN { this->new = (char *)alloca(8); printf("not printed: %d\n", this->new[8]); }
BEGIN { base = 1; printf("not printed: %s\n", lltostr(5, base)); }
BEGIN { printf("not printed: %s\n", inet_ntop(1, "abcd")); }
BEGIN { printf("not printed: %s\n", inet_ntoa6((struct in6_addr *)0)); }
BEGIN { exit(0); }

END { printf("not printed: %d\n", *old); }
END { *old = 'c'; printf("not printed"); }

ERROR
{
	printf("clause %d fails with %d\n", arg1, arg4);
}
