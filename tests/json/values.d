/* Values that are hard to write as JSON, in all the places where values stand. */
struct inner {
	int negative;
	unsigned long long large;
	char text[4];
};
struct outer {
	struct inner in;
	struct inner *pointer;
	int bits : 3;
};
struct outer o;
string odd;

BEGIN
{
	odd = "quote\" back\\slash\nline\ttab\a\001 \377\376 \303\251 </script>";
	trace(odd);
	trace(-1);
	trace((uint64_t)-1);
	trace((int64_t)0x8000000000000000);
	trace((char)-3);
	o.in.negative = -5;
	o.in.large = 0xffffffffffffffff;
	o.in.text[0] = 'h';
	o.bits = -2;
	print(o);
	printf("%d %s %x\n", -7, odd, (uint64_t)-1);
	tracemem(curthread->comm, 16);
	stack(2);
	ustack(2);
}

BEGIN
{
	@sums[odd, -3, (uint64_t)-1] = sum(-4);
	@quantized = quantize(-8);
	@linear[1] = lquantize(50, 0, 10, 1);
	@averages = avg(-9);
	printa(@quantized);
	printa("%s %d %u: %@d\n", @sums);
}

BEGIN
{
	*(int *)8;
}

BEGIN
{
	exit(3);
}
