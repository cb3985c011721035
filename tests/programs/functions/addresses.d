/* Network addresses in the program's own memory are written as text. */
#pragma D option quiet
#pragma D option scratchsize=512

BEGIN
{
	this->v4 = (ipaddr_t *)alloca(4);
	*this->v4 = htonl(0xc0a80117);
	this->link = (uint64_t *)alloca(8);
	*this->link = htonll(0x0010e08a715e0000);
	this->v6 = (uint64_t *)alloca(16);
	this->v6[0] = htonll(0xfe80000000000000);
	this->v6[1] = htonll(0x02144ffffe0b76c8);
	this->mapped = (uint64_t *)alloca(16);
	this->mapped[1] = htonll(0x0000ffff7f000001);

	printf("%s %s\n", inet_ntoa(this->v4), inet_ntop(2 /* AF_INET */, this->v4));
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->v6));
	printf("%s\n", inet_ntop(10 /* AF_INET6 */, this->v6));
	printf("%s %s\n", inet_ntoa6((struct in6_addr *)this->mapped),
	    inet_ntoa6((struct in6_addr *)this->mapped, 1));
	printf("%s\n", link_ntop(1, this->link));
	exit(0);
}

ERROR
{
	exit(1);
}
