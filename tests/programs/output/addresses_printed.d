/* print() of a pointer to no type that has a size, of void or a function, is the
   address. */
#pragma D option quiet

struct unknown;

BEGIN
{
	print((void *)0x1234);
	print((void (*)(int))0x5678);
	exit(0);
}
