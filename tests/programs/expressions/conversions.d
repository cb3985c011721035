/* Operands of unlike types are converted as C does it, and results are cut to theirs. */
#pragma D option quiet
int neg;
uint32_t len;
int8_t b;
uint8_t ub;
uint16_t w;
int i;
uint32_t u;
int64_t l;
uint64_t ul;
struct fields { int a : 3; unsigned int b : 5; } f;

BEGIN
{
	neg = -1; len = 3; b = -2; ub = 200; w = 5; i = -6; u = 4294967295; l = -7;
	printf("%d %d %d\n", (int64_t)(len + neg), len + neg > 100, b + w);
	printf("%d %d\n", (int64_t)(b + w), b + ub);
	printf("%d %d %d\n", u == neg, neg < len, b < ub);
	printf("%d %d %d\n", i / len, i % w, (int64_t)(neg / len));
	printf("%d %d %d\n", (int64_t)(u + 1), (int64_t)~len, (int64_t)-len);
	printf("%d %d %d\n", ~ub, -ub, ub << 4);
	printf("%d %d\n", 1 ? neg : len, (int64_t)(i < 0 ? neg : len));
	printf("%d %d %d\n", sizeof (b + b), sizeof (b), sizeof (b + l));
	@sum = sum(len + neg);
	@key[len + neg, b + w, ~len] = count();
	@shape = quantize(len + neg);
}

/* What is calculated with types smaller than int is cast as the int that it is in C. */
BEGIN
{
	b = 1; ub = 200; w = 1;
	printf("%d %d %u %u %d\n", (int32_t)(w - (short)4), (int64_t)(b - w - 1),
	    (unsigned long)~w, (unsigned int)((char)1 << 30), (int64_t)(ub * 2 - 500));
}

/* Where C leaves the result undefined, all 64 bits stay until it is stored or cast. */
BEGIN
{
	i = 2147483647;
	printf("%d %d %d\n", i + 1 > 0, i + 1, (int64_t)(i + 1));
	@product = sum(i * 4);
	l = i * 4;
	printf("%d\n", l);
}

/* `/=`, `%=` and `>>=` go by the sign of the variable, as in DTrace. */
BEGIN
{
	i = -6; i /= 4u; printf("%d ", i);
	i = -7; i %= 4u; printf("%d ", i);
	l = -6; l /= (uint64_t)4; printf("%d ", l);
	u = 10; u /= -3; printf("%d ", u);
	u = 10; u %= -3; printf("%d ", u);
	ub = 250; ub += 10; printf("%d ", ub);
	ub = 200; l = 1; l |= ub << 4; printf("%d ", l);
	b = 127; b++; printf("%d\n", b);
}

/* The value of an assignment is the variable's. */
BEGIN
{
	printf("%d %d %d ", b = 300, ub = -1, f.a = 5);
	f.b = 31;
	printf("%d %d ", ++f.b, f.b);
	f.b = 31;
	printf("%d %d %d ", f.b - 32 < 0, f.b + -40, (f.b += 3));
	f.b = 31;
	printf("%d %d\n", (uint32_t)f.b - 32 < 0, (unsigned int)f.b ^ -2);
	exit(0);
}

END
{
	printa("%@d\n", @sum);
	printa("%d %d %d %@d\n", @key);
	printa("%@d", @shape);
	printa("%@d\n", @product);
}
