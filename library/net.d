/* Addresses of networks, for inet_ntoa(), inet_ntop(), link_ntop() and their kind. */

typedef struct in6_addr in6_addr_t;

/* Address families. Source: Linux, include/linux/socket.h. */
inline int AF_UNSPEC = 0;
inline int AF_UNIX = 1;
inline int AF_LOCAL = 1;
inline int AF_INET = 2;
inline int AF_INET6 = 10;
inline int AF_NETLINK = 16;
inline int AF_PACKET = 17;
inline int AF_VSOCK = 40;

/* Kinds of links. Source: Linux, include/uapi/linux/if_arp.h. */
inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;
inline int ARPHRD_LOOPBACK = 772;
