/*
 * Processes and threads as DTrace's programs know them: psinfo_t and lwpsinfo_t.
 * Members that Linux has no equal of have no conversion, or the constant that means
 * "none". Kernel structures: Linux 5.15 to 6.12.
 */

#pragma D depends_on library sched.d

typedef int64_t time_t;

typedef struct timestruc {
	time_t tv_sec;
	long tv_nsec;
} timestruc_t;

typedef id_t taskid_t;
typedef id_t projid_t;
typedef id_t poolid_t;
typedef id_t zoneid_t;

typedef struct lwpsinfo {
	int pr_flag;
	int pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	ushort_t pr_pctcpu;
	timestruc_t pr_start;
	timestruc_t pr_time;
	char pr_clname[8];
	char pr_name[16];
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	psetid_t pr_bindpset;
	int pr_lgrp;
} lwpsinfo_t;

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	uid_t pr_gid;
	uid_t pr_egid;
	uintptr_t pr_addr;
	size_t pr_size;
	size_t pr_rssize;
	struct tty_struct *pr_ttydev;
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	timestruc_t pr_start;
	timestruc_t pr_time;
	timestruc_t pr_ctime;
	char pr_fname[16];
	char pr_psargs[80];
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	taskid_t pr_taskid;
	projid_t pr_projid;
	int pr_nzomb;
	poolid_t pr_poolid;
	zoneid_t pr_zoneid;
	id_t pr_contract;
	lwpsinfo_t pr_lwp;
} psinfo_t;

inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

inline int PR_STOPPED = 0x00000001;
inline int PR_ISTOP = 0x00000002;
inline int PR_DSTOP = 0x00000004;
inline int PR_IDLE = 0x10000000;

inline char SSLEEP = 1;
inline char SRUN = 2;
inline char SZOMB = 3;
inline char SSTOP = 4;
inline char SIDL = 5;
inline char SONPROC = 6;
inline char SWAIT = 7;

/* Bits of task_struct's state: include/linux/sched.h, TASK_INTERRUPTIBLE and so on. */
translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = T->__state & 0x04 ? PR_STOPPED : 0;
	pr_lwpid = T == curthread ? tid : T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = 0;
	pr_state = T->__state & 0x03 ? SSLEEP :
	    T->__state & 0x0c ? SSTOP :
	    T->__state & 0xb0 ? SZOMB :
	    T->__state & 0x300 ? SWAIT : SRUN;
	pr_sname = T->__state & 0x03 ? 'S' :
	    T->__state & 0x0c ? 'T' :
	    T->__state & 0xb0 ? 'Z' :
	    T->__state & 0x300 ? 'W' : 'R';
	pr_pri = T->prio;
	pr_name = T->comm;
	pr_onpro = T->wake_cpu;
};

/* pids[2] is the process group's, pids[3] the session's: enum pid_type. */
translator psinfo_t < struct task_struct *T > {
	pr_flag = T->__state & 0x04 ? PR_STOPPED : 0;
	pr_nlwp = T->signal->nr_threads;
	pr_pid = T == curthread ? pid : T->tgid;
	pr_ppid = T == curthread ? ppid : T->real_parent->tgid;
	pr_pgid = T->signal->pids[2]->numbers[0].nr;
	pr_sid = T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_ttydev = T->signal->tty;
	pr_fname = T->comm;
	pr_psargs = T->mm != NULL ?
	    copyinwords(T->mm->arg_start, T->mm->arg_end - T->mm->arg_start) :
	    stringof(T->comm);
	pr_wstat = T->exit_code;
	pr_argc = *(int *)copyin(T->mm->start_stack, 4);
	pr_argv = T->mm->start_stack + 8;
	pr_envp = T->mm->start_stack + 8 * (*(int *)copyin(T->mm->start_stack, 4) + 2);
	pr_dmodel = PR_MODEL_LP64;
	pr_taskid = 0;
	pr_projid = 0;
	pr_nzomb = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_lwp = xlate <lwpsinfo_t> (T);
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
