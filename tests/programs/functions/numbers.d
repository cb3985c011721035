/* Numbers become text and come from it, in any base; bytes change their order. */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", lltostr(0), lltostr(-123456789), lltostr(1LL << 62));
	printf("%s\n", lltostr(0x8000000000000000));
	printf("%s %s %s %s\n", lltostr(255, 16), lltostr(8, 8), lltostr(5, 2),
	    lltostr(35, 36));
	printf("%d %d %d\n", strtoll("123abc"), strtoll("  -5"), strtoll("x"));
	printf("%d %d %d\n", strtoll("0xff", 16), strtoll("777", 8), strtoll("z", 36));
	printf("%x %x %x\n", htons(0x1234), htonl(0x12345678), htonll(0x123456789abcdef0));
	printf("%x %x %x\n", ntohs(0x1234), ntohl(0x12345678), ntohll(0x123456789abcdef0));
	printf("%d %d\n", getmajor(0x800012), getminor(0x800012));
	printf("%d\n", rand() != rand() || rand() != rand());
	exit(0);
}

ERROR
{
	exit(1);
}
