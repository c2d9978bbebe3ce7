/*
 * cage.c - runs programs for real where they can do no harm, and says what they write. It is a server: for each
 * request it forks a child that executes the given words, and answers with a log of the calls that change
 * files and of the executions.
 *
 * What confines it, each part by itself (the first argument is the sum of those wanted, so that each can be proven alone):
 *   1 namespaces  - a root of its own (a small memory file system with the system's programs bound in read-only), its own
 *                   processes, network, IPC and host name; the caller starts it in them, this sets up the root
 *   2 credentials - another user id, no groups, no capabilities, no new privileges; and Landlock: writes only below /w and /tmp
 *   4 filter      - seccomp refuses network, mounts, namespaces, tracing, modules, clocks, keys, reboot; and tells the
 *                   server of every call that changes a file, before it is made
 * With 8 it tells of files opened for reading, too.
 * On top: limits on processor time, file size, processes and memory, and a deadline after which everything is killed.
 *
 * Arguments: PARTS ROOT UID, or: probe DIR PID PORT. Descriptors: 3 shared memory, 4 requests, 5 responses, 6 output of the children.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOG_SIZE (1 << 20)
#define TEXT_SIZE (1 << 16)
#define MAX_ARGS 512

enum { NAMESPACES = 1, CREDENTIALS = 2, FILTER = 4, READS = 8 };
enum { TIMED_OUT = 1, LOG_FULL = 2 };

struct shared { char log[LOG_SIZE]; char text[TEXT_SIZE]; }; /* text: standard input, then the words, each with its NUL */
struct request { uint32_t len, deadline_ms; };
struct response { int32_t status; uint32_t flags, used; };

static struct shared *sh;
static int parts, listener = -1, full;
static uint32_t used;

/* need ends the server with a message when a step of its own confinement failed. */
static void need(int ok, const char *what) {
	if (ok) return;
	dprintf(2, "%s: %s\n", what, strerror(errno));
	_exit(99);
}

/*
 * Part 1. The root: programs and libraries read-only, two memory file systems to write to, a few devices.
 */
static void read_only(const char *path, uint64_t flags) {
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | flags};
	need(!syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, &attr, sizeof attr), path);
}

/* bind_in makes a file or directory of the system visible, read-only, at the same path below the root. */
static void bind_in(const char *path) {
	struct stat st;
	char at[PATH_MAX], target[PATH_MAX];
	snprintf(at, sizeof at, ".%s", path);
	if (lstat(path, &st)) return;
	if (S_ISLNK(st.st_mode)) {
		ssize_t n = readlink(path, target, sizeof target - 1);
		need(n > 0, path);
		target[n] = 0;
		need(!symlink(target, at), at);
		return;
	}
	if (S_ISDIR(st.st_mode)) need(!mkdir(at, 0755), at);
	else need(mknod(at, S_IFREG | 0644, 0) == 0, at);
	need(!mount(path, at, NULL, MS_BIND | MS_REC, NULL), at);
	read_only(at, strncmp(path, "/dev/", 5) ? MOUNT_ATTR_NODEV : 0);
}

static void make_root(const char *root, uid_t uid) {
	static const char *const seen[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives",
		"/etc/passwd", "/etc/group", "/etc/magic", "/etc/nsswitch.conf", "/dev/null", "/dev/zero", "/dev/full", "/dev/urandom"};
	need(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "make mounts private");
	need(!mount("root", root, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755"), "mount the root");
	need(!chdir(root), root);
	need(!mkdir("etc", 0755) && !mkdir("dev", 0755) && !mkdir("proc", 0755) && !mkdir("w", 0755) && !mkdir("tmp", 0755), "make directories");
	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) bind_in(seen[i]);
	need(!mknod("cage", S_IFREG | 0755, 0) && !mount("/proc/self/exe", "cage", NULL, MS_BIND, NULL), "bind itself"); /* for probe */
	need(!symlink("/proc/self/fd", "dev/fd") && !symlink("fd/0", "dev/stdin") && !symlink("fd/1", "dev/stdout") && !symlink("fd/2", "dev/stderr"), "dev");
	need(!mount("w", "w", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOATIME, "size=64m,nr_inodes=4096,mode=755"), "mount /w");
	need(!mount("tmp", "tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOATIME, "size=32m,nr_inodes=4096,mode=777"), "mount /tmp");
	need(!mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL), "mount /proc");
	need(!chown("w", uid, uid) && !chown("tmp", uid, uid), "chown");
	need(!mount(NULL, ".", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL), "make the root read-only");
	need(!syscall(SYS_pivot_root, ".", "."), "pivot_root");
	need(!umount2(".", MNT_DETACH) && !chdir("/w"), "leave the old root");
}

/*
 * Part 2. Nothing but the two trees and the null device can be opened for writing, and all rights are gone.
 */
#define LANDLOCK_READS (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

static void landlock_rule(int ruleset, const char *path, uint64_t access) {
	struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
	need(rule.parent_fd >= 0, path);
	need(!syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0), path);
	close(rule.parent_fd);
}

static void restrict_self(const char *w, const char *tmp, uid_t uid) {
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	need(abi >= 2, "Landlock");
	/* all rights of version 2, and truncation since 3; without it what is outside still belongs to another user */
	uint64_t all = (1ull << 14) - 1;
	if (abi >= 3) all |= 1ull << 14;
	struct landlock_ruleset_attr attr = {.handled_access_fs = all};
	int ruleset = syscall(SYS_landlock_create_ruleset, &attr, sizeof attr.handled_access_fs, 0);
	need(ruleset >= 0, "landlock_create_ruleset");
	landlock_rule(ruleset, "/", LANDLOCK_READS);
	landlock_rule(ruleset, w, all);
	landlock_rule(ruleset, tmp, all);
	landlock_rule(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
	need(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
	if (geteuid() == 0) need(!setgroups(0, NULL) && !setresgid(uid, uid, uid) && !setresuid(uid, uid, uid), "setresuid");
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}, {0}};
	need(!syscall(SYS_capset, &head, none), "capset");
	need(!syscall(SYS_landlock_restrict_self, ruleset, 0), "landlock_restrict_self");
	close(ruleset);
}

/*
 * Part 3. Calls that are refused, and calls the server is told of.
 */
static const int refused[] = {
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_mount_setattr, SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig,
	SYS_fsmount, SYS_fspick, SYS_ptrace, SYS_process_vm_writev, SYS_process_madvise, SYS_kcmp, SYS_pidfd_getfd, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
	SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_init_module, SYS_finit_module, SYS_delete_module,
	SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
	SYS_clock_adjtime, SYS_syslog, SYS_acct, SYS_quotactl, SYS_add_key, SYS_keyctl, SYS_request_key, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind,
	SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_fanotify_init, SYS_personality, SYS_vhangup, SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget,
	SYS_mq_open, SYS_setpriority, SYS_ioprio_set, SYS_sched_setscheduler, SYS_sched_setattr, SYS_setdomainname, SYS_lookup_dcookie, SYS_nfsservctl,
#ifdef SYS_iopl
	SYS_iopl, SYS_ioperm,
#endif
};

/* A watched call: which arguments are paths, and the directories they are relative to; -1: none. With fd the
 * first argument is an open file when there is no path. */
struct watched { int nr; const char *op; int dir1, path1; const char *op2; int dir2, path2; };
static const struct watched watched[] = {
	{SYS_openat, "open", 0, 1, 0, -1, -1}, {SYS_openat2, "openat2", 0, 1, 0, -1, -1},
	{SYS_renameat, "rename", 0, 1, "rename", 2, 3}, {SYS_renameat2, "rename", 0, 1, "rename", 2, 3},
	{SYS_linkat, "link", 2, 3, 0, -1, -1}, {SYS_symlinkat, "symlink", 1, 2, 0, -1, -1},
	{SYS_unlinkat, "unlink", 0, 1, 0, -1, -1}, {SYS_mkdirat, "mkdir", 0, 1, 0, -1, -1}, {SYS_mknodat, "mknod", 0, 1, 0, -1, -1},
	{SYS_truncate, "truncate", -1, 0, 0, -1, -1}, {SYS_fchmodat, "chmod", 0, 1, 0, -1, -1}, {SYS_fchownat, "chown", 0, 1, 0, -1, -1},
	{SYS_fchmod, "chmod", 0, -1, 0, -1, -1}, {SYS_fchown, "chown", 0, -1, 0, -1, -1}, {SYS_utimensat, "utime", 0, 1, 0, -1, -1},
	{SYS_setxattr, "setxattr", -1, 0, 0, -1, -1}, {SYS_lsetxattr, "setxattr", -1, 0, 0, -1, -1}, {SYS_fsetxattr, "setxattr", 0, -1, 0, -1, -1},
	{SYS_removexattr, "setxattr", -1, 0, 0, -1, -1}, {SYS_lremovexattr, "setxattr", -1, 0, 0, -1, -1},
	{SYS_execve, "exec", -1, 0, 0, -1, -1}, {SYS_execveat, "exec", 0, 1, 0, -1, -1},
#ifdef SYS_fchmodat2
	{SYS_fchmodat2, "chmod", 0, 1, 0, -1, -1},
#else
	{452, "chmod", 0, 1, 0, -1, -1},
#endif
#ifdef SYS_open /* the older calls some architectures keep */
	{SYS_open, "open", -1, 0, 0, -1, -1}, {SYS_creat, "open", -1, 0, 0, -1, -1},
	{SYS_rename, "rename", -1, 0, "rename", -1, 1}, {SYS_link, "link", -1, 1, 0, -1, -1}, {SYS_symlink, "symlink", -1, 1, 0, -1, -1},
	{SYS_unlink, "unlink", -1, 0, 0, -1, -1}, {SYS_rmdir, "unlink", -1, 0, 0, -1, -1}, {SYS_mkdir, "mkdir", -1, 0, 0, -1, -1},
	{SYS_mknod, "mknod", -1, 0, 0, -1, -1}, {SYS_chmod, "chmod", -1, 0, 0, -1, -1}, {SYS_chown, "chown", -1, 0, 0, -1, -1},
	{SYS_lchown, "chown", -1, 0, 0, -1, -1}, {SYS_utime, "utime", -1, 0, 0, -1, -1}, {SYS_utimes, "utime", -1, 0, 0, -1, -1},
	{SYS_futimesat, "utime", 0, 1, 0, -1, -1},
#endif
};

#define STMT(code, k) *f++ = (struct sock_filter)BPF_STMT(code, k)
#define JUMP(code, k, t, e) *f++ = (struct sock_filter)BPF_JUMP(code, k, t, e)
#define ARG(n) STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))
#define RETURN(what) STMT(BPF_RET | BPF_K, what)
#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
#define NEW_NAMESPACE 0x7e020080u /* CLONE_NEW*, all of them */

static void install_filter(void) {
	struct sock_filter code[512], *f = code;
#if defined __x86_64__
	const uint32_t arch = AUDIT_ARCH_X86_64;
#elif defined __aarch64__
	const uint32_t arch = AUDIT_ARCH_AARCH64;
#else
#error "no filter for this architecture"
#endif
	STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0);
	RETURN(SECCOMP_RET_KILL_PROCESS);
	STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* the x32 numbers */
	RETURN(SECCOMP_RET_KILL_PROCESS);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[i], 0, 1);
		RETURN(SECCOMP_RET_ERRNO | EPERM);
	}
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1); /* its flags cannot be looked at; the C library falls back to clone */
	RETURN(SECCOMP_RET_ERRNO | ENOSYS);
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
	ARG(0);
	JUMP(BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACE & ~0x80u, 0, 1);
	RETURN(SECCOMP_RET_ERRNO | EPERM);
	RETURN(SECCOMP_RET_ALLOW);
	const uint32_t reading = parts & READS ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW;
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4);
	ARG(2);
	JUMP(BPF_JMP | BPF_JSET | BPF_K, WRITING, 0, 1);
	RETURN(SECCOMP_RET_USER_NOTIF);
	RETURN(reading);
#ifdef SYS_open
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 0, 4);
	ARG(1);
	JUMP(BPF_JMP | BPF_JSET | BPF_K, WRITING, 0, 1);
	RETURN(SECCOMP_RET_USER_NOTIF);
	RETURN(reading);
#endif
	for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, watched[i].nr, 0, 1);
		RETURN(SECCOMP_RET_USER_NOTIF);
	}
	RETURN(SECCOMP_RET_ALLOW);
	struct sock_fprog prog = {.len = f - code, .filter = code};
	need(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
	listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
	need(listener >= 0, "seccomp");
	need(!fcntl(listener, F_SETFD, FD_CLOEXEC), "seccomp listener");
}

/* note adds an entry to the log: its length, a kind, strings with their NUL. */
static void note(const char *op, const char *path, const char *dir) {
	size_t lo = strlen(op) + 1, lp = strlen(path) + 1, ld = strlen(dir) + 1;
	uint32_t n = 5 + lo + lp + ld;
	if (used + n > LOG_SIZE) { full = 1; return; }
	char *p = sh->log + used;
	memcpy(p, &n, 4);
	p[4] = 'W';
	memcpy(p + 5, op, lo);
	memcpy(p + 5 + lo, path, lp);
	memcpy(p + 5 + lo + lp, dir, ld);
	used += n;
}

/* string_of copies a string out of another process, "" when it cannot be read. */
static void string_of(pid_t pid, uint64_t at, char *out) {
	size_t n = 0;
	while (at && n < PATH_MAX - 1) {
		size_t part = 4096 - (at + n) % 4096;
		if (part > PATH_MAX - 1 - n) part = PATH_MAX - 1 - n;
		struct iovec local = {out + n, part}, remote = {(void *)(at + n), part};
		ssize_t got = process_vm_readv(pid, &local, 1, &remote, 1, 0);
		if (got <= 0) break;
		if (memchr(out + n, 0, got)) return;
		n += got;
	}
	out[n] = 0;
}

/* directory_of names an open directory or file of another process, or its working directory. */
static void directory_of(pid_t pid, int fd, char *out) {
	char name[64];
	if (fd == AT_FDCWD) snprintf(name, sizeof name, "/proc/%d/cwd", pid);
	else snprintf(name, sizeof name, "/proc/%d/fd/%d", pid, fd);
	ssize_t n = readlink(name, out, PATH_MAX - 1);
	out[n < 0 ? 0 : n] = 0;
}

static void note_path(const struct seccomp_notif *n, const char *op, int dir, int path) {
	char name[PATH_MAX] = "", at[PATH_MAX] = "";
	if (path >= 0) string_of(n->pid, n->data.args[path], name);
	if (name[0] != '/') directory_of(n->pid, dir < 0 ? AT_FDCWD : (int)n->data.args[dir], at);
	note(op, name, at);
}

static int is_read(const struct seccomp_data *d) {
#ifdef SYS_open
	if (d->nr == SYS_open) return !(d->args[1] & WRITING);
#endif
	return d->nr == SYS_openat && !(d->args[2] & WRITING);
}

/* attend records one call and lets it go on. */
static void attend(void) {
	struct seccomp_notif n;
	memset(&n, 0, sizeof n);
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n)) return;
	for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
		if (watched[i].nr == n.data.nr) {
			const struct watched *w = &watched[i];
			note_path(&n, is_read(&n.data) ? "read" : w->op, w->dir1, w->path1);
			if (w->op2) note_path(&n, w->op2, w->dir2, w->path2);
		}
	struct seccomp_notif_resp resp = {.id = n.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &resp);
}

static void limit(int what, rlim_t n) { struct rlimit l = {n, n}; if (setrlimit(what, &l)) _exit(98); }

/* become executes the words. */
static void become(uint32_t len) {
	static char *env[] = {"PATH=/usr/bin:/bin:/usr/sbin:/sbin", "HOME=/w", "LC_ALL=C", "TZ=UTC", "TERM=dumb", NULL};
	char *argv[MAX_ARGS + 1], *end = sh->text + len, *p = sh->text + strlen(sh->text) + 1;
	int argc = 0;
	for (; p < end && argc < MAX_ARGS; p += strlen(p) + 1) argv[argc++] = p;
	argv[argc] = NULL;
	int in = open(sh->text, O_RDONLY);
	if (in < 0 || dup2(in, 0) < 0 || dup2(6, 1) < 0 || dup2(6, 2) < 0 || close_range(3, ~0u, 0)) _exit(98);
	limit(RLIMIT_CPU, 2), limit(RLIMIT_FSIZE, 8 << 20), limit(RLIMIT_CORE, 0), limit(RLIMIT_NOFILE, 128);
	limit(RLIMIT_AS, 1 << 30), limit(RLIMIT_NPROC, 64);
	umask(022);
	signal(SIGPIPE, SIG_DFL);
	setpgid(0, 0);
	environ = env;
	execvp(argv[0], argv);
	_exit(127);
}

static void read_all(int fd, void *buf, size_t n) {
	for (char *p = buf; n;) {
		ssize_t k = read(fd, p, n);
		if (k < 0 && errno == EINTR) continue;
		if (k <= 0) _exit(0); /* the other side is gone */
		p += k, n -= k;
	}
}

static int64_t now_ms(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* kill_all ends the child and whatever it left behind. Only the first process of a namespace may say "all". */
static void kill_all(pid_t child) {
	if (parts & NAMESPACES && getpid() == 1) kill(-1, SIGKILL);
	else kill(-child, SIGKILL), kill(child, SIGKILL);
}

static struct response run(const struct request *req) {
	struct response res = {0};
	used = full = 0;
	if (ftruncate(6, 0)) _exit(97);
	pid_t child = fork();
	if (child < 0) _exit(97);
	if (child == 0) become(req->len);
	int pidfd = syscall(SYS_pidfd_open, child, 0);
	if (pidfd < 0) _exit(97);
	int64_t end = now_ms() + req->deadline_ms;
	for (;;) {
		struct pollfd p[2] = {{pidfd, POLLIN, 0}, {listener, POLLIN, 0}};
		int64_t left = end - now_ms();
		int n = left > 0 ? poll(p, listener < 0 ? 1 : 2, left) : 0;
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) { res.flags |= TIMED_OUT; break; }
		if (p[1].revents & POLLIN) attend();
		else if (p[0].revents) break;
	}
	kill_all(child);
	close(pidfd);
	int status;
	for (pid_t p; (p = waitpid(parts & NAMESPACES ? -1 : child, &status, 0)) > 0 || errno == EINTR;)
		if (p == child) { res.status = status; if (!(parts & NAMESPACES)) break; }
	res.used = used;
	res.flags |= full ? LOG_FULL : 0;
	return res;
}

/* probe tries what must not succeed, on things made for it, and prints the sum of what did. */
static int probe(const char *dir, pid_t pid, int port) {
	char made[PATH_MAX], keep[PATH_MAX], gone[PATH_MAX];
	snprintf(made, sizeof made, "%s/made", dir);
	snprintf(keep, sizeof keep, "%s/keep", dir);
	snprintf(gone, sizeof gone, "%s/gone", dir);
	int sum = 0, fd = open(made, O_WRONLY | O_CREAT, 0600);
	if (fd >= 0) sum |= 1;
	if (open(keep, O_WRONLY) >= 0 || !truncate(keep, 0)) sum |= 2;
	if (!unlink(gone)) sum |= 4;
	if (!kill(pid, 0)) sum |= 8;
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (!connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&to, sizeof to)) sum |= 16;
	if (!chmod(keep, 0640)) sum |= 32;
	if (!unshare(CLONE_NEWUSER | CLONE_NEWNS)) sum |= 64;
	return dprintf(1, "%d\n", sum) < 0;
}

int main(int argc, char **argv) {
	if (argc == 5 && !strcmp(argv[1], "probe")) return probe(argv[2], atoi(argv[3]), atoi(argv[4]));
	if (argc != 4) return 96;
	parts = atoi(argv[1]);
	const char *root = argv[2];
	uid_t uid = atoi(argv[3]);
	sh = mmap(NULL, sizeof *sh, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
	need(sh != MAP_FAILED, "shared memory");
	need(!(parts & NAMESPACES) || getpid() == 1, "a process namespace"); /* else kill_all would reach too far */
	for (int fd = 3; fd < 7; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
	umask(0);
	need(!fcntl(6, F_SETFL, O_APPEND), "output");
	char w[PATH_MAX] = "/w", tmp[PATH_MAX] = "/tmp";
	if (parts & NAMESPACES) make_root(root, uid);
	else snprintf(w, sizeof w, "%s/w", root), snprintf(tmp, sizeof tmp, "%s/tmp", root), need(!chdir(w), w);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (parts & CREDENTIALS) restrict_self(w, tmp, uid);
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* so that the paths of its children can be read */
	if (parts & FILTER) install_filter();
	for (struct response res = {0};; ) {
		if (write(5, &res, sizeof res) != sizeof res) _exit(0); /* the first one says that all parts stand */
		struct request req;
		read_all(4, &req, sizeof req);
		if (req.len > TEXT_SIZE) _exit(97);
		res = run(&req);
	}
}
