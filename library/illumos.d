/* Names of illumos' and FreeBSD's that scripts take for granted. Linux has no zones, and
 * all of it is the one that illumos calls global. */

inline int B_FALSE = 0;
inline int B_TRUE = 1;
inline string zonename = "global";
