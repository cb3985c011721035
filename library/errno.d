/* Error numbers, as errno and failed system calls give them. Source: Linux,
 * include/uapi/asm-generic/errno.h and errno-base.h. */

inline int EPERM = 1;
inline int ENOENT = 2;
inline int ESRCH = 3;
inline int EINTR = 4;
inline int EIO = 5;
inline int ENXIO = 6;
inline int E2BIG = 7;
inline int ENOEXEC = 8;
inline int EBADF = 9;
inline int ECHILD = 10;
inline int EAGAIN = 11;
inline int EWOULDBLOCK = 11;
inline int ENOMEM = 12;
inline int EACCES = 13;
inline int EFAULT = 14;
inline int ENOTBLK = 15;
inline int EBUSY = 16;
inline int EEXIST = 17;
inline int EXDEV = 18;
inline int ENODEV = 19;
inline int ENOTDIR = 20;
inline int EISDIR = 21;
inline int EINVAL = 22;
inline int ENFILE = 23;
inline int EMFILE = 24;
inline int ENOTTY = 25;
inline int ETXTBSY = 26;
inline int EFBIG = 27;
inline int ENOSPC = 28;
inline int ESPIPE = 29;
inline int EROFS = 30;
inline int EMLINK = 31;
inline int EPIPE = 32;
inline int EDOM = 33;
inline int ERANGE = 34;
inline int EDEADLK = 35;
inline int EDEADLOCK = 35;
inline int ENAMETOOLONG = 36;
inline int ENOLCK = 37;
inline int ENOSYS = 38;
inline int ENOTEMPTY = 39;
inline int ELOOP = 40;
inline int ENOMSG = 42;
inline int EIDRM = 43;
inline int ECHRNG = 44;
inline int EL2NSYNC = 45;
inline int EL3HLT = 46;
inline int EL3RST = 47;
inline int ELNRNG = 48;
inline int EUNATCH = 49;
inline int ENOCSI = 50;
inline int EL2HLT = 51;
inline int EBADE = 52;
inline int EBADR = 53;
inline int EXFULL = 54;
inline int ENOANO = 55;
inline int EBADRQC = 56;
inline int EBADSLT = 57;
inline int EBFONT = 59;
inline int ENOSTR = 60;
inline int ENODATA = 61;
inline int ETIME = 62;
inline int ENOSR = 63;
inline int ENONET = 64;
inline int ENOPKG = 65;
inline int EREMOTE = 66;
inline int ENOLINK = 67;
inline int EADV = 68;
inline int ESRMNT = 69;
inline int ECOMM = 70;
inline int EPROTO = 71;
inline int EMULTIHOP = 72;
inline int EDOTDOT = 73;
inline int EBADMSG = 74;
inline int EOVERFLOW = 75;
inline int ENOTUNIQ = 76;
inline int EBADFD = 77;
inline int EREMCHG = 78;
inline int ELIBACC = 79;
inline int ELIBBAD = 80;
inline int ELIBSCN = 81;
inline int ELIBMAX = 82;
inline int ELIBEXEC = 83;
inline int EILSEQ = 84;
inline int ERESTART = 85;
inline int ESTRPIPE = 86;
inline int EUSERS = 87;
inline int ENOTSOCK = 88;
inline int EDESTADDRREQ = 89;
inline int EMSGSIZE = 90;
inline int EPROTOTYPE = 91;
inline int ENOPROTOOPT = 92;
inline int EPROTONOSUPPORT = 93;
inline int ESOCKTNOSUPPORT = 94;
inline int ENOTSUP = 95;
inline int EOPNOTSUPP = 95;
inline int EPFNOSUPPORT = 96;
inline int EAFNOSUPPORT = 97;
inline int EADDRINUSE = 98;
inline int EADDRNOTAVAIL = 99;
inline int ENETDOWN = 100;
inline int ENETUNREACH = 101;
inline int ENETRESET = 102;
inline int ECONNABORTED = 103;
inline int ECONNRESET = 104;
inline int ENOBUFS = 105;
inline int EISCONN = 106;
inline int ENOTCONN = 107;
inline int ESHUTDOWN = 108;
inline int ETOOMANYREFS = 109;
inline int ETIMEDOUT = 110;
inline int ECONNREFUSED = 111;
inline int EHOSTDOWN = 112;
inline int EHOSTUNREACH = 113;
inline int EALREADY = 114;
inline int EINPROGRESS = 115;
inline int ESTALE = 116;
inline int EUCLEAN = 117;
inline int ENOTNAM = 118;
inline int ENAVAIL = 119;
inline int EISNAM = 120;
inline int EREMOTEIO = 121;
inline int EDQUOT = 122;
inline int ENOMEDIUM = 123;
inline int EMEDIUMTYPE = 124;
inline int ECANCELED = 125;
inline int ENOKEY = 126;
inline int EKEYEXPIRED = 127;
inline int EKEYREVOKED = 128;
inline int EKEYREJECTED = 129;
inline int EOWNERDEAD = 130;
inline int ENOTRECOVERABLE = 131;
inline int ERFKILL = 132;
inline int EHWPOISON = 133;

/* What an error number means, as FreeBSD's errno.d has it: strerror[errno]. The texts are
 * those of the C library's strerror(). */
inline string strerror[int error] =
  error == 0 ? "Success" :
  error == EPERM ? "Operation not permitted" :
  error == ENOENT ? "No such file or directory" :
  error == ESRCH ? "No such process" :
  error == EINTR ? "Interrupted system call" :
  error == EIO ? "Input/output error" :
  error == ENXIO ? "No such device or address" :
  error == E2BIG ? "Argument list too long" :
  error == ENOEXEC ? "Exec format error" :
  error == EBADF ? "Bad file descriptor" :
  error == ECHILD ? "No child processes" :
  error == EAGAIN ? "Resource temporarily unavailable" :
  error == ENOMEM ? "Cannot allocate memory" :
  error == EACCES ? "Permission denied" :
  error == EFAULT ? "Bad address" :
  error == ENOTBLK ? "Block device required" :
  error == EBUSY ? "Device or resource busy" :
  error == EEXIST ? "File exists" :
  error == EXDEV ? "Invalid cross-device link" :
  error == ENODEV ? "No such device" :
  error == ENOTDIR ? "Not a directory" :
  error == EISDIR ? "Is a directory" :
  error == EINVAL ? "Invalid argument" :
  error == ENFILE ? "Too many open files in system" :
  error == EMFILE ? "Too many open files" :
  error == ENOTTY ? "Inappropriate ioctl for device" :
  error == ETXTBSY ? "Text file busy" :
  error == EFBIG ? "File too large" :
  error == ENOSPC ? "No space left on device" :
  error == ESPIPE ? "Illegal seek" :
  error == EROFS ? "Read-only file system" :
  error == EMLINK ? "Too many links" :
  error == EPIPE ? "Broken pipe" :
  error == EDOM ? "Numerical argument out of domain" :
  error == ERANGE ? "Numerical result out of range" :
  error == EDEADLK ? "Resource deadlock avoided" :
  error == ENAMETOOLONG ? "File name too long" :
  error == ENOLCK ? "No locks available" :
  error == ENOSYS ? "Function not implemented" :
  error == ENOTEMPTY ? "Directory not empty" :
  error == ELOOP ? "Too many levels of symbolic links" :
  error == ENOMSG ? "No message of desired type" :
  error == EIDRM ? "Identifier removed" :
  error == ECHRNG ? "Channel number out of range" :
  error == EL2NSYNC ? "Level 2 not synchronized" :
  error == EL3HLT ? "Level 3 halted" :
  error == EL3RST ? "Level 3 reset" :
  error == ELNRNG ? "Link number out of range" :
  error == EUNATCH ? "Protocol driver not attached" :
  error == ENOCSI ? "No CSI structure available" :
  error == EL2HLT ? "Level 2 halted" :
  error == EBADE ? "Invalid exchange" :
  error == EBADR ? "Invalid request descriptor" :
  error == EXFULL ? "Exchange full" :
  error == ENOANO ? "No anode" :
  error == EBADRQC ? "Invalid request code" :
  error == EBADSLT ? "Invalid slot" :
  error == EBFONT ? "Bad font file format" :
  error == ENOSTR ? "Device not a stream" :
  error == ENODATA ? "No data available" :
  error == ETIME ? "Timer expired" :
  error == ENOSR ? "Out of streams resources" :
  error == ENONET ? "Machine is not on the network" :
  error == ENOPKG ? "Package not installed" :
  error == EREMOTE ? "Object is remote" :
  error == ENOLINK ? "Link has been severed" :
  error == EADV ? "Advertise error" :
  error == ESRMNT ? "Srmount error" :
  error == ECOMM ? "Communication error on send" :
  error == EPROTO ? "Protocol error" :
  error == EMULTIHOP ? "Multihop attempted" :
  error == EDOTDOT ? "RFS specific error" :
  error == EBADMSG ? "Bad message" :
  error == EOVERFLOW ? "Value too large for defined data type" :
  error == ENOTUNIQ ? "Name not unique on network" :
  error == EBADFD ? "File descriptor in bad state" :
  error == EREMCHG ? "Remote address changed" :
  error == ELIBACC ? "Can not access a needed shared library" :
  error == ELIBBAD ? "Accessing a corrupted shared library" :
  error == ELIBSCN ? ".lib section in a.out corrupted" :
  error == ELIBMAX ? "Attempting to link in too many shared libraries" :
  error == ELIBEXEC ? "Cannot exec a shared library directly" :
  error == EILSEQ ? "Invalid or incomplete multibyte or wide character" :
  error == ERESTART ? "Interrupted system call should be restarted" :
  error == ESTRPIPE ? "Streams pipe error" :
  error == EUSERS ? "Too many users" :
  error == ENOTSOCK ? "Socket operation on non-socket" :
  error == EDESTADDRREQ ? "Destination address required" :
  error == EMSGSIZE ? "Message too long" :
  error == EPROTOTYPE ? "Protocol wrong type for socket" :
  error == ENOPROTOOPT ? "Protocol not available" :
  error == EPROTONOSUPPORT ? "Protocol not supported" :
  error == ESOCKTNOSUPPORT ? "Socket type not supported" :
  error == ENOTSUP ? "Operation not supported" :
  error == EPFNOSUPPORT ? "Protocol family not supported" :
  error == EAFNOSUPPORT ? "Address family not supported by protocol" :
  error == EADDRINUSE ? "Address already in use" :
  error == EADDRNOTAVAIL ? "Cannot assign requested address" :
  error == ENETDOWN ? "Network is down" :
  error == ENETUNREACH ? "Network is unreachable" :
  error == ENETRESET ? "Network dropped connection on reset" :
  error == ECONNABORTED ? "Software caused connection abort" :
  error == ECONNRESET ? "Connection reset by peer" :
  error == ENOBUFS ? "No buffer space available" :
  error == EISCONN ? "Transport endpoint is already connected" :
  error == ENOTCONN ? "Transport endpoint is not connected" :
  error == ESHUTDOWN ? "Cannot send after transport endpoint shutdown" :
  error == ETOOMANYREFS ? "Too many references: cannot splice" :
  error == ETIMEDOUT ? "Connection timed out" :
  error == ECONNREFUSED ? "Connection refused" :
  error == EHOSTDOWN ? "Host is down" :
  error == EHOSTUNREACH ? "No route to host" :
  error == EALREADY ? "Operation already in progress" :
  error == EINPROGRESS ? "Operation now in progress" :
  error == ESTALE ? "Stale file handle" :
  error == EUCLEAN ? "Structure needs cleaning" :
  error == ENOTNAM ? "Not a XENIX named type file" :
  error == ENAVAIL ? "No XENIX semaphores available" :
  error == EISNAM ? "Is a named type file" :
  error == EREMOTEIO ? "Remote I/O error" :
  error == EDQUOT ? "Disk quota exceeded" :
  error == ENOMEDIUM ? "No medium found" :
  error == EMEDIUMTYPE ? "Wrong medium type" :
  error == ECANCELED ? "Operation canceled" :
  error == ENOKEY ? "Required key not available" :
  error == EKEYEXPIRED ? "Key has expired" :
  error == EKEYREVOKED ? "Key has been revoked" :
  error == EKEYREJECTED ? "Key was rejected by service" :
  error == EOWNERDEAD ? "Owner died" :
  error == ENOTRECOVERABLE ? "State not recoverable" :
  error == ERFKILL ? "Operation not possible due to RF-kill" :
  error == EHWPOISON ? "Memory page has hardware error" :
  "Unknown error";
