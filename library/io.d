/* Open files: fds[3].fi_name. */

typedef struct fileinfo {
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	loff_t fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
} fileinfo_t;

/* Flags of open(2). Source: include/uapi/asm-generic/fcntl.h. */
inline int O_ACCMODE = 0003;
inline int O_RDONLY = 0000;
inline int O_WRONLY = 0001;
inline int O_RDWR = 0002;
inline int O_CREAT = 0100;
inline int O_EXCL = 0200;
inline int O_NOCTTY = 0400;
inline int O_TRUNC = 01000;
inline int O_APPEND = 02000;
inline int O_NONBLOCK = 04000;
inline int O_NDELAY = 04000;
inline int O_DSYNC = 010000;
inline int O_SYNC = 04010000;
inline int O_RSYNC = 04010000;

/* BPF may not walk up a path: the last two names of it are what can be told. */
translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" :
	    stringof((char *)F->f_path.dentry->d_name.name);
	fi_dirname = F == NULL ? "<none>" :
	    stringof((char *)F->f_path.dentry->d_parent->d_name.name);
	fi_pathname = F == NULL ? "<none>" : "<unknown>";
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" :
	    stringof((char *)F->f_path.mnt->mnt_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" : "<unknown>";
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

inline struct file *fd_file[int fd] =
    fd >= 0 && fd < curthread->files->fdt->max_fds ? curthread->files->fdt->fd[fd] : NULL;

inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (fd_file[fd]);
