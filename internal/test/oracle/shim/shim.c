/*
 * shim.c - a shell that runs nothing. Preloaded into bash, dash or zsh it turns the shell into a fork server: when
 * the shell has started up and is about to parse the string after -c, it forks a child for each text, which
 * goes on with that text instead. In the child two barriers stand between the text and the machine, each
 * proven alone before anything else runs:
 *
 *  1. interposed libc functions record what would be executed or written and do not do it;
 *  2. a seccomp filter lets through only what computing and reading need: no execve, no open for writing,
 *     no change of a file, no signal, no socket, no change of limits.
 *
 * Beyond that: limits on CPU, memory and forks, a deadline, standard streams on /dev/null, nothing inherited.
 *
 * Protocol, native byte order. fd 3: the shared file (struct shared). fd 4: requests. fd 5: responses.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOG_SIZE = 1 << 20, TEXT_SIZE = 1 << 20, MAX_FORKS = 200, NULL_FD = 240 };
enum { RAW = 1, NO_SECCOMP = 2, SEAL = 4 };             /* request flags: without barrier 1; without barrier 2; see serve */
enum { TIMED_OUT = 1, LOG_FULL = 2, FORKS_OUT = 4, BAD_SYNTAX = 8, CONFINED = 16 }; /* response flags */
enum { SETUP_FAILED = 99 };                             /* exit status of a process that ran no text */

struct shared {
	_Atomic uint32_t forks, execs, used, full, bad_syntax, confined;
	char pad[4096 - 24];
	char log[LOG_SIZE];
	char text[TEXT_SIZE];
};
struct request { uint32_t len, flags, exits, deadline_ms; };
struct response { int32_t status; uint32_t flags, used; };

static struct shared *sh;
static struct request req;
static int armed; /* set in a child */
static pid_t main_pid; /* of the process that runs the text, not of its subshells */

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name); real; })
#define FAKING (armed && !(req.flags & RAW))

/* record appends one entry: length, kind, then NUL-terminated strings. */
static void record(char kind, const char *op, const char *const *list) {
	size_t n = 5 + strlen(op) + 1;
	for (size_t i = 0; list && list[i]; i++) n += strlen(list[i]) + 1;
	uint32_t at = n > LOG_SIZE ? LOG_SIZE : (sh->used += n) - n;
	if (at + n > LOG_SIZE) { sh->full = 1; return; }
	char *p = sh->log + at;
	uint32_t len = n;
	memcpy(p, &len, 4), p[4] = kind, p = stpcpy(p + 5, op) + 1;
	for (size_t i = 0; list && list[i]; i++) p = stpcpy(p, list[i]) + 1;
}

/* record1 records a change of a file: the path, and the directory it is relative to. */
static void record1(const char *op, const char *path) {
	char dir[PATH_MAX] = "";
	if (path && *path && *path != '/' && !getcwd(dir, sizeof dir)) *dir = 0;
	const char *list[] = {path ? path : "", dir, NULL};
	record('W', op, list);
}

/* shows writes what a regular file holds to standard output, as cat does. */
static void shows(int fd) {
	char text[512];
	struct stat st;
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) return;
	ssize_t n = read(fd, text, sizeof text);
	if (n > 0 && write(1, text, n) < 0) return;
}

/* says reports whether one of the words is this one. */
static int says(char *const argv[], const char *word) {
	for (size_t i = 1; argv[0] && argv[i]; i++) if (strcmp(argv[i], word) == 0) return 1;
	return 0;
}

/* prints writes what a few programs print: the contents of files, and numbers where the words ask for one alone.
 * All others print nothing. */
static void prints(char *const argv[]) {
	const char *name = argv[0] ? argv[0] : "";
	int counts = strcmp(name, "wc") == 0 && says(argv, "-l") && !argv[2] || strcmp(name, "grep") == 0 && says(argv, "-c") && argv[2] && argv[3] && !argv[4]
		|| strcmp(name, "date") == 0 && says(argv, "+%s") || strcmp(name, "nproc") == 0 || strcmp(name, "seq") == 0;
	signal(SIGPIPE, SIG_IGN);
	if (counts && write(1, "3\n", 2) < 0) return;
	if (strcmp(name, "cat") && strcmp(name, "qd")) return;
	if (!argv[1]) shows(0);
	for (size_t i = 1; argv[i]; i++) {
		struct stat st;
		if (REAL(stat)(argv[i], &st) == 0 && S_ISREG(st.st_mode)) shows(REAL(open)(argv[i], O_RDONLY));
	}
}

/* executed records an execution and ends the process with the status chosen for it. */
static _Noreturn void executed(const char *path, char *const argv[]) {
	record('X', path, (const char *const *)argv);
	uint32_t k = sh->execs++;
	prints(argv);
	_exit(req.exits >> (k % 32) & 1);
}

int execve(const char *p, char *const a[], char *const e[]) { if (FAKING) executed(p, a); return REAL(execve)(p, a, e); }
int execv(const char *p, char *const a[]) { if (FAKING) executed(p, a); return REAL(execv)(p, a); }
int execvp(const char *p, char *const a[]) { if (FAKING) executed(p, a); return REAL(execvp)(p, a); }
int execvpe(const char *p, char *const a[], char *const e[]) { if (FAKING) executed(p, a); return REAL(execvpe)(p, a, e); }
int fexecve(int fd, char *const a[], char *const e[]) { if (FAKING) executed("fexecve", a); return REAL(fexecve)(fd, a, e); }

static int spawned(const char *p, char *const a[]) { record('X', p, (const char *const *)a); return EPERM; }
int posix_spawn(pid_t *pid, const char *p, const posix_spawn_file_actions_t *fa, const posix_spawnattr_t *at,
		char *const a[], char *const e[]) {
	return armed ? spawned(p, a) : REAL(posix_spawn)(pid, p, fa, at, a, e);
}
int posix_spawnp(pid_t *pid, const char *p, const posix_spawn_file_actions_t *fa, const posix_spawnattr_t *at,
		char *const a[], char *const e[]) {
	return armed ? spawned(p, a) : REAL(posix_spawnp)(pid, p, fa, at, a, e);
}
int system(const char *c) { record1("system", c); return -1; }
FILE *popen(const char *c, const char *m) { (void)m; record1("popen", c); return NULL; }
extern void execstring(char *, int, int, char *) __attribute__((weak)); /* zsh's */
/* zsh's own modules are part of zsh. */
static int own_module(const char *f) { return f && &execstring && strncmp(f, "/usr/lib/", 9) == 0 && strstr(f, "/zsh/") && !strstr(f, ".."); }
void *dlopen(const char *f, int flags) { if (FAKING && !own_module(f)) { record1("dlopen", f); return NULL; } return REAL(dlopen)(f, flags); }

pid_t fork(void) {
	if (armed && sh->forks++ >= MAX_FORKS) { errno = ENOMEM; return -1; } /* EAGAIN would make bash wait and retry */
	return REAL(fork)();
}

/* Opening. A write goes to /dev/null; so does a read of a device or of what the kernel makes up, but for descriptors. */
static int is_under(const char *p, const char *dir) { return strncmp(p, dir, strlen(dir)) == 0; }
static int null_instead(const char *op, const char *path, int flags) {
	if (!FAKING || !path) return 0;
	if (flags & O_NONBLOCK && strcmp(path, "/dev/tty") == 0) return 1; /* bash looks for a terminal when it starts */
	if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC)) {
		if (strcmp(path, "/dev/null") != 0) record1(op, path);
		return 1;
	}
	if (is_under(path, "/dev/fd/") || is_under(path, "/proc/self/fd/")) return 0;
	return is_under(path, "/dev/") || is_under(path, "/proc/") || is_under(path, "/sys/");
}
static int null_fd(void) { return fcntl(NULL_FD, F_DUPFD, 3); }

/*
 * zsh writes a here-document to a temporary file, opens that again and removes it. Here that is a pipe: the
 * name of the last one and the end to read from.
 */
static char here_name[64];
static int here_fd = -1;
int mkstemp(char *template) {
	if (!FAKING) return REAL(mkstemp)(template);
	int fd[2];
	if (strlen(template) >= sizeof here_name || pipe(fd)) return -1;
	if (here_fd >= 0) close(here_fd);
	strcpy(here_name, template);
	here_fd = fcntl(fd[0], F_DUPFD, 200);
	close(fd[0]);
	return fd[1];
}
/* bash 3.2 does the same with a name of its own making. */
static int is_document(const char *p) { return FAKING && p && is_under(p, "/tmp/sh-thd-"); }
static int document(int flags) {
	static int ends[2] = {-1, -1};
	if (!(flags & O_CREAT)) { int fd = ends[0]; ends[0] = -1; return fd; }
	if (pipe(ends) || fcntl(ends[1], F_SETFL, O_NONBLOCK)) return -1;
	return ends[1];
}
static int is_here(const char *p) { return FAKING && here_fd >= 0 && p && strcmp(p, here_name) == 0; }
static int again(const char *p, int flags) { return (flags & O_ACCMODE) == O_RDONLY && is_here(p); }

static int ready; /* zsh is about to run what follows -c: it opens /dev/null right before */
static void note_open(const char *p, int flags) { if (!armed && &execstring && (flags & O_ACCMODE) == O_RDONLY && strcmp(p, "/dev/null") == 0) ready = 1; }

#define MODE va_list ap; va_start(ap, flags); mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0; va_end(ap)
int open(const char *p, int flags, ...) {
	MODE;
	note_open(p, flags);
	if (is_document(p)) return document(flags);
	if (again(p, flags)) return fcntl(here_fd, F_DUPFD, 3);
	return null_instead("open", p, flags) ? null_fd() : REAL(open)(p, flags, mode);
}
int open64(const char *p, int flags, ...) { MODE; if (is_document(p)) return document(flags); return null_instead("open", p, flags) ? null_fd() : REAL(open64)(p, flags, mode); }
int openat(int d, const char *p, int flags, ...) { MODE; return null_instead("open", p, flags) ? null_fd() : REAL(openat)(d, p, flags, mode); }
int openat64(int d, const char *p, int flags, ...) { MODE; return null_instead("open", p, flags) ? null_fd() : REAL(openat64)(d, p, flags, mode); }
int __open_2(const char *p, int flags) { return open(p, flags, 0); }
int __open64_2(const char *p, int flags) { return open64(p, flags, 0); }
int creat(const char *p, mode_t m) { return open(p, O_CREAT | O_WRONLY | O_TRUNC, m); }
int creat64(const char *p, mode_t m) { return open(p, O_CREAT | O_WRONLY | O_TRUNC, m); }

static int refused(const char *p, const char *m) {
	if (!FAKING || !strpbrk(m, "wa+")) return 0;
	record1("fopen", p);
	errno = EACCES;
	return 1;
}
FILE *fopen(const char *p, const char *m) { return refused(p, m) ? NULL : REAL(fopen)(p, m); }
FILE *fopen64(const char *p, const char *m) { return refused(p, m) ? NULL : REAL(fopen64)(p, m); }
FILE *freopen(const char *p, const char *m, FILE *f) { return refused(p, m) ? NULL : REAL(freopen)(p, m, f); }

/* Changes of files: recorded, said to have worked. */
#define CHANGE(name, params, args, path) \
	int name params { if (FAKING) { record1(#name, path); return 0; } return REAL(name) args; }
int unlink(const char *p) { if (is_here(p) || is_document(p)) return 0; if (FAKING) { record1("unlink", p); return 0; } return REAL(unlink)(p); }
CHANGE(unlinkat, (int d, const char *p, int f), (d, p, f), p)
CHANGE(remove, (const char *p), (p), p)
CHANGE(rmdir, (const char *p), (p), p)
CHANGE(mkdir, (const char *p, mode_t m), (p, m), p)
CHANGE(mkdirat, (int d, const char *p, mode_t m), (d, p, m), p)
CHANGE(mkfifo, (const char *p, mode_t m), (p, m), p)
CHANGE(mknod, (const char *p, mode_t m, dev_t v), (p, m, v), p)
CHANGE(rename, (const char *a, const char *b), (a, b), b)
CHANGE(renameat, (int c, const char *a, int d, const char *b), (c, a, d, b), b)
CHANGE(renameat2, (int c, const char *a, int d, const char *b, unsigned f), (c, a, d, b, f), b)
CHANGE(link, (const char *a, const char *b), (a, b), b)
CHANGE(linkat, (int c, const char *a, int d, const char *b, int f), (c, a, d, b, f), b)
CHANGE(symlink, (const char *a, const char *b), (a, b), b)
CHANGE(symlinkat, (const char *a, int d, const char *b), (a, d, b), b)
CHANGE(chmod, (const char *p, mode_t m), (p, m), p)
CHANGE(fchmod, (int d, mode_t m), (d, m), "")
CHANGE(fchmodat, (int d, const char *p, mode_t m, int f), (d, p, m, f), p)
CHANGE(chown, (const char *p, uid_t u, gid_t g), (p, u, g), p)
CHANGE(lchown, (const char *p, uid_t u, gid_t g), (p, u, g), p)
CHANGE(fchown, (int d, uid_t u, gid_t g), (d, u, g), "")
CHANGE(fchownat, (int d, const char *p, uid_t u, gid_t g, int f), (d, p, u, g, f), p)
CHANGE(truncate, (const char *p, off_t n), (p, n), p)
CHANGE(ftruncate, (int d, off_t n), (d, n), "")
CHANGE(utimensat, (int d, const char *p, const struct timespec t[2], int f), (d, p, t, f), p)

/* Signals and the network: refused. */
#define REFUSE(name, params, args) \
	int name params { if (armed) { record1(#name, ""); errno = EPERM; return -1; } return REAL(name) args; }
int kill(pid_t p, int s) {
	if (!armed) return REAL(kill)(p, s);
	siginfo_t info;
	if (s == 0 && p > 0) { /* zsh asks so whether a child is still there */
		if (waitid(P_PID, p, &info, WNOHANG | WNOWAIT | WEXITED) == 0) return 0;
		errno = ESRCH;
		return -1;
	}
	record1("kill", "");
	errno = EPERM;
	return -1;
}
REFUSE(killpg, (pid_t p, int s), (p, s))
REFUSE(socket, (int d, int t, int p), (d, t, p))
REFUSE(connect, (int f, const struct sockaddr *a, socklen_t n), (f, a, n))

/* Every name directly below /stub exists and is executable; PATH is /stub. */
static int stub(const char *p, struct stat *st) {
	if (!armed || !p || !is_under(p, "/stub")) return 0;
	if (p[5] && (p[5] != '/' || strchr(p + 6, '/') || p[6] == '=')) return 0; /* zsh looks for the program = behind == */
	if (st) {
		memset(st, 0, sizeof *st);
		st->st_mode = p[5] && p[6] ? S_IFREG | 0755 : S_IFDIR | 0755;
		st->st_size = 1, st->st_nlink = 1, st->st_ino = 1;
	}
	return 1;
}
int stat(const char *p, struct stat *st) { return stub(p, st) ? 0 : REAL(stat)(p, st); }
int lstat(const char *p, struct stat *st) { return stub(p, st) ? 0 : REAL(lstat)(p, st); }
int fstatat(int d, const char *p, struct stat *st, int f) { return stub(p, st) ? 0 : REAL(fstatat)(d, p, st, f); }
int stat64(const char *p, struct stat64 *st) { return stub(p, (struct stat *)st) ? 0 : REAL(stat64)(p, st); }
int lstat64(const char *p, struct stat64 *st) { return stub(p, (struct stat *)st) ? 0 : REAL(lstat64)(p, st); }
int access(const char *p, int m) { return stub(p, NULL) ? 0 : REAL(access)(p, m); }
int eaccess(const char *p, int m) { return stub(p, NULL) ? 0 : REAL(eaccess)(p, m); }
int euidaccess(const char *p, int m) { return stub(p, NULL) ? 0 : REAL(euidaccess)(p, m); }
int faccessat(int d, const char *p, int m, int f) { return stub(p, NULL) ? 0 : REAL(faccessat)(d, p, m, f); }
/* glibc before 2.33 */
extern int __xstat(int v, const char *p, struct stat *st) __attribute__((weak));
extern int __lxstat(int v, const char *p, struct stat *st) __attribute__((weak));
int __xstat(int v, const char *p, struct stat *st) { return stub(p, st) ? 0 : REAL(__xstat)(v, p, st); }
int __lxstat(int v, const char *p, struct stat *st) { return stub(p, st) ? 0 : REAL(__lxstat)(v, p, st); }

/*
 * Barrier 2. Calls not listed fail with EPERM. The long filter is installed once, in the server, for all
 * children; what the server itself needs beyond it (kill, setpgid, limits, filters) a short one takes from each child.
 */
static const int allowed[] = {
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_lseek, SYS_close, SYS_close_range, SYS_fstat, SYS_newfstatat, SYS_statx,
	SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_umask,
	SYS_mmap, SYS_mprotect, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_dup, SYS_dup3, SYS_pipe2, SYS_fcntl,
	SYS_clone, SYS_wait4, SYS_waitid, SYS_exit, SYS_exit_group, SYS_futex, SYS_set_robust_list, SYS_set_tid_address, SYS_rseq,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_sigaltstack, SYS_pselect6, SYS_ppoll,
	SYS_getitimer, SYS_setitimer, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_times,
	SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getgroups, SYS_getresuid,
	SYS_getresgid, SYS_getpgid, SYS_getsid, SYS_getrusage, SYS_uname, SYS_sysinfo, SYS_getrandom, SYS_sched_yield, SYS_restart_syscall,
#ifdef SYS_open /* the older calls some architectures keep */
	SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_dup2, SYS_pipe, SYS_fork, SYS_vfork, SYS_select, SYS_poll,
	SYS_alarm, SYS_getpgrp, SYS_time, SYS_getrlimit,
#endif
};

#define STMT(code, k) *f++ = (struct sock_filter)BPF_STMT(code, k)
#define JUMP(code, k, t, e) *f++ = (struct sock_filter)BPF_JUMP(code, k, t, e)
#define ARG(n) STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))
#define ARG_HI(n) STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]) + 4)
#define ALLOW STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define DENY STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define CALL STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

static const int servers[] = {SYS_kill, SYS_setpgid, SYS_prctl, SYS_prlimit64};

static int install(struct sock_filter *code, struct sock_filter *end) {
	struct sock_fprog prog = {.len = end - code, .filter = code};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

static int seal_server(void) {
	struct sock_filter code[sizeof allowed / sizeof *allowed * 2 + 48], *f = code;
#if defined __x86_64__
	const uint32_t arch = AUDIT_ARCH_X86_64;
#elif defined __aarch64__
	const uint32_t arch = AUDIT_ARCH_AARCH64;
#else
#error "no filter for this architecture"
#endif
	STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0);
	STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	CALL;
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		ALLOW;
	}
	for (size_t i = 0; i < sizeof servers / sizeof *servers; i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, servers[i], 0, 1);
		ALLOW;
	}
#ifdef SYS_open
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 0, 4);
	ARG(1);
	JUMP(BPF_JMP | BPF_JSET | BPF_K, WRITING, 0, 1);
	DENY;
	ALLOW;
#endif
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4);
	ARG(2);
	JUMP(BPF_JMP | BPF_JSET | BPF_K, WRITING, 0, 1);
	DENY;
	ALLOW;
	DENY;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || install(code, f);
}

static int seal_child(void) {
	struct sock_filter code[32], *f = code;
	CALL;
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 5); /* reading a limit: no new value */
	ARG(2);
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
	ARG_HI(2);
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
	ALLOW;
	CALL;
	for (size_t i = 0; i < sizeof servers / sizeof *servers; i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, servers[i], 0, 1);
		DENY;
	}
	ALLOW;
	return install(code, f);
}

static int limit(int what, rlim_t n) { struct rlimit l = {n, n}; return setrlimit(what, &l); }

static void read_all(int fd, void *buf, size_t n) {
	for (char *p = buf; n;) {
		ssize_t k = read(fd, p, n);
		if (k < 0 && errno == EINTR) continue;
		if (k <= 0) _exit(0); /* the other side is gone */
		p += k, n -= k;
	}
}

/* Syntax errors of the text itself, not of one evaluated inside: by the format of the message. */
extern int parse_and_execute_level __attribute__((weak)); /* bash's */
static void look_at_message(const char *format) {
	if (!armed || getpid() != main_pid || (&parse_and_execute_level && parse_and_execute_level > 1)) return;
	if (is_under(format, "syntax error") || is_under(format, "Syntax error") || is_under(format, "unexpected EOF")) sh->bad_syntax = 1;
}
extern int __vfprintf_chk(FILE *f, int flag, const char *format, va_list ap);
extern int __vsnprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, va_list ap);
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list ap) { look_at_message(format); return REAL(__vfprintf_chk)(f, flag, format, ap); }
int vfprintf(FILE *f, const char *format, va_list ap) { look_at_message(format); return REAL(vfprintf)(f, format, ap); }
int __vsnprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, va_list ap) {
	look_at_message(format);
	return REAL(__vsnprintf_chk)(s, n, flag, size, format, ap);
}
int vsnprintf(char *s, size_t n, const char *format, va_list ap) { look_at_message(format); return REAL(vsnprintf)(s, n, format, ap); }

static int sealed;                     /* the server has its filter */
static char text[TEXT_SIZE + 1] = ":"; /* what follows -c */
static struct sigaction their_alarm, their_child; /* the shell's own handlers */

/* take_text makes the request's text what the shell parses; zsh spells the bytes it uses for tokens in two. */
static int take_text(void) {
	size_t n = 0;
	for (uint32_t i = 0; i < req.len && sh->text[i]; i++) { /* as in any argv, a NUL ends it */
		unsigned char c = sh->text[i];
		if (n + 2 > TEXT_SIZE) return 1;
		if (&execstring && c >= 0x83 && c <= 0xa2) text[n++] = (char)0x83, c ^= 32;
		text[n++] = c;
	}
	text[n] = 0;
	return 0;
}

/* become_child prepares the forked process; on return the shell runs the text. */
static void become_child(void) {
	sigaction(SIGALRM, &their_alarm, NULL);
	sigaction(SIGCHLD, &their_child, NULL);
	main_pid = getpid();
	int fail = take_text();
	fail |= setpgid(0, 0) || close_range(3, NULL_FD - 1, 0) || limit(RLIMIT_CPU, 1);
	fail |= sealed == !!(req.flags & NO_SECCOMP); /* the proofs without come first */
	if (sealed) fail |= seal_child();
	if (fail) _exit(SETUP_FAILED);
	sh->confined = armed = 1;
}

static volatile pid_t group;
static volatile int expired;
static void deadline(int sig) { (void)sig; expired = 1; syscall(SYS_kill, -group, SIGKILL); }

/* confine_server does what all children inherit. */
static int confine_server(void) {
	int fail = prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (int fd = 0; fd < 3; fd++) fail |= dup2(NULL_FD, fd) < 0;
	fail |= limit(RLIMIT_FSIZE, 0) | limit(RLIMIT_CORE, 0) | limit(RLIMIT_NOFILE, 256) | limit(RLIMIT_AS, 1 << 29);
	struct sigaction mine = {.sa_handler = deadline}, none = {.sa_handler = SIG_DFL};
	return fail | sigaction(SIGALRM, &mine, &their_alarm) | sigaction(SIGCHLD, &none, &their_child);
}

/* serve forks a child for each request, and returns in the child. The first request with SEAL confines
 * the server, for good. */
static void serve(void) {
	if (confine_server()) _exit(SETUP_FAILED);
	for (;;) {
		read_all(4, &req, sizeof req);
		sh->forks = sh->execs = sh->used = sh->full = sh->bad_syntax = sh->confined = 0;
		expired = 0;
		if (req.len > TEXT_SIZE) _exit(SETUP_FAILED);
		if (req.flags & SEAL && !sealed) {
			if (seal_server()) _exit(SETUP_FAILED);
			sealed = 1;
		}
		pid_t pid = fork();
		if (pid < 0) _exit(SETUP_FAILED);
		if (pid == 0) { become_child(); return; }
		setpgid(pid, pid);
		group = pid;
		struct timeval after = {req.deadline_ms / 1000, req.deadline_ms % 1000 * 1000};
		struct itimerval on = {.it_value = after, .it_interval = {0, 100000}}, off = {{0, 0}, {0, 0}};
		setitimer(ITIMER_REAL, &on, NULL);
		struct response res = {0};
		int status;
		for (pid_t p; (p = waitpid(-1, &status, 0)) > 0 || errno == EINTR;)
			if (p == pid) res.status = status;
		setitimer(ITIMER_REAL, &off, NULL);
		res.used = sh->used;
		res.flags = (expired ? TIMED_OUT : 0) | (sh->full ? LOG_FULL : 0) | (sh->forks > MAX_FORKS ? FORKS_OUT : 0) |
			(sh->bad_syntax ? BAD_SYNTAX : 0) | (sh->confined ? CONFINED : 0);
		if (write(5, &res, sizeof res) != sizeof res) _exit(0);
	}
}

/*
 * The shells measure the string after -c, and copy it, right before they parse it: so strlen is the place to
 * fork. bash measures it once before, when it makes BASH_EXECUTION_STRING; its start-up is over by the last.
 * zsh measures it several times; before the last it opens /dev/null.
 */
extern int startup_state __attribute__((weak));                       /* bash's; 2 when -c is about to run */
extern void *bind_variable(const char *, char *, int) __attribute__((weak)); /* bash's */
static int serving;
size_t strlen(const char *s) {
	if (s == text && !serving && (!&startup_state || startup_state == 2) && (!&execstring || ready)) {
		serving = 1;
		serve();
		if (bind_variable) bind_variable("BASH_EXECUTION_STRING", text, 0);
	}
	return (const char *)rawmemchr(s, 0) - s;
}

static char **environ_end(char **e) { while (*e) e++; return e; }

__attribute__((constructor)) static void set_up(int argc, char **argv, char **envp) {
	for (char **e = envp; *e;) /* by hand, since bash has an unsetenv of its own that does nothing yet */
		if (is_under(*e, "LD_PRELOAD=")) memmove(e, e + 1, (char *)(environ_end(e)) - (char *)e);
		else e++;
	sh = mmap(NULL, sizeof *sh, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
	int null = open("/dev/null", O_RDWR);
	if (sh == MAP_FAILED || null < 0 || dup2(null, NULL_FD) < 0) _exit(SETUP_FAILED);
	argv[argc - 1] = text;
}
