/* Counts and sums as bars beside their keys. */
#pragma D option quiet
#pragma D option agghist
#pragma D option aggzoom

BEGIN
{
	@calls["read", 1] = sum(30);
	@calls["write", 2] = sum(10);
	@calls["ioctl", 3] = sum(-20);
	@all = count();
	@sizes = quantize(3);
	exit(0);
}
