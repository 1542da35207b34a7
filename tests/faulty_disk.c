/* Runs a program on a disk that fails: faulty_disk ERROR AT once|always COUNT PROGRAM ARGUMENT...
 *
 * ERROR is ENOSPC (a full disk), EIO (a broken one) or EROFS (one that has become read-only). Of the program's system
 * calls that change files, number AT fails, or that and all after it; 0: none. COUNT is the file that has the number of
 * such calls at the end. A disk that fills up takes half of the first write that it fails and none of the next, as real
 * ones do. Threads and children of the program are not disturbed, nor is what goes to the standard error.
 *
 * This is at the level of system calls, by ptrace, since the C library's streams do not go through functions that a
 * library could stand in for. Ends with the program's status, 128 and more where a signal ended it, and with 77 where
 * processes cannot be traced. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FULL = 1, BROKEN = 2, READ_ONLY = 4, ANY = FULL | BROKEN | READ_ONLY };
enum { SKIPPED = 77 };

static const struct {
    int number;
    int faults; /* by which it may fail */
} calls[] = {{SYS_write, ANY},
             {SYS_pwrite64, ANY},
             {SYS_writev, ANY},
             {SYS_open, ANY},
             {SYS_openat, ANY},
             {SYS_creat, ANY},
             {SYS_mkdir, ANY},
             {SYS_mkdirat, ANY},
             {SYS_rename, ANY},
             {SYS_renameat, ANY},
             {SYS_renameat2, ANY},
             {SYS_fsync, FULL | BROKEN},
             {SYS_fdatasync, FULL | BROKEN},
             {SYS_close, FULL | BROKEN},
             {SYS_truncate, BROKEN | READ_ONLY},
             {SYS_ftruncate, BROKEN | READ_ONLY},
             {SYS_unlink, BROKEN | READ_ONLY},
             {SYS_unlinkat, BROKEN | READ_ONLY}};
enum { CALLS = sizeof calls / sizeof *calls };

static struct {
    int fault, error;
    long at, count;
    bool stays, was_halved;
} disk;

static void die(const char *what, int status) {
    fprintf(stderr, "faulty_disk: %s: %s\n", what, strerror(errno));
    exit(status);
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

/* The calls of the table stop the process for its tracer. */
static int filter_calls(void) {
    struct sock_filter code[2 * CALLS + 2];
    unsigned short at = 0;
    code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++) {
        code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, 0, 1);
        code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {at, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static pid_t start(char **argv) {
    int gate[2];
    if (pipe2(gate, O_CLOEXEC) != 0) die("pipe", SKIPPED);
    pid_t child = fork();
    if (child == 0) {
        char go;
        if (read(gate[0], &go, 1) != 1 || filter_calls() != 0) _exit(SKIPPED);
        execvp(argv[0], argv);
        _exit(127);
    }
    long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                   PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD;
    if (child < 0 || ptrace(PTRACE_SEIZE, child, NULL, (void *)options) != 0) die("cannot trace", SKIPPED);
    if (write(gate[1], "", 1) != 1) die("pipe", SKIPPED);
    return child;
}

/* ---- its calls --------------------------------------------------------------------------------------------------- */

static bool is_open_for_writing(pid_t process, unsigned long long descriptor) {
    char path[64], line[128];
    unsigned flags = 0;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%llu", (int)process, descriptor);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "flags: %o", &flags) == 1) break;
    if (file) fclose(file);
    return (flags & O_ACCMODE) != O_RDONLY;
}

/* Whether a call changes files in a way that the disk's fault can prevent. */
static bool counts(pid_t process, const struct user_regs_struct *r) {
    for (int i = 0; i < CALLS; i++)
        if ((unsigned long long)calls[i].number == r->orig_rax && !(calls[i].faults & disk.fault)) return false;
    switch (r->orig_rax) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
        return r->rdi != STDERR_FILENO;
    case SYS_open:
        return r->rsi & (O_WRONLY | O_RDWR | O_CREAT);
    case SYS_openat:
        return r->rdx & (O_WRONLY | O_RDWR | O_CREAT);
    case SYS_close:
        return is_open_for_writing(process, r->rdi);
    default:
        return true;
    }
}

static void put(pid_t process, struct user_regs_struct *r) {
    if (ptrace(PTRACE_SETREGS, process, NULL, r) != 0) die("cannot change a call", EXIT_FAILURE);
}

/* A descriptor is gone even where closing it fails, so that call is made first. */
static void close_in_vain(pid_t process, struct user_regs_struct *r) {
    int status;
    ptrace(PTRACE_SYSCALL, process, NULL, NULL);
    waitpid(process, &status, 0);
    ptrace(PTRACE_GETREGS, process, NULL, r);
    r->rax = (unsigned long long)-disk.error;
    put(process, r);
}

static void judge(pid_t process) {
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, process, NULL, &r) != 0 || !counts(process, &r)) return;
    disk.count++;
    if (disk.at == 0 || disk.count < disk.at || (disk.count > disk.at && !disk.stays)) return;
    bool writes = r.orig_rax == SYS_write || r.orig_rax == SYS_pwrite64;
    if (disk.stays && disk.fault == FULL && writes && r.rdx > 1 && !disk.was_halved) {
        disk.was_halved = true;
        r.rdx /= 2;
        put(process, &r);
    } else if (r.orig_rax == SYS_close) {
        close_in_vain(process, &r);
    } else {
        r.orig_rax = (unsigned long long)-1;
        r.rax = (unsigned long long)-disk.error;
        put(process, &r);
    }
}

/* Until the program ends; its status as a shell tells it. */
static int follow(pid_t program) {
    for (;;) {
        int status;
        pid_t process = waitpid(-1, &status, __WALL);
        if (process < 0) die("wait", EXIT_FAILURE);
        if (process == program && WIFEXITED(status)) return WEXITSTATUS(status);
        if (process == program && WIFSIGNALED(status)) return 128 + WTERMSIG(status);
        if (!WIFSTOPPED(status)) continue;
        int event = status >> 16, signal = event ? 0 : WSTOPSIG(status);
        if (event == PTRACE_EVENT_SECCOMP && process == program) judge(process);
        ptrace(PTRACE_CONT, process, NULL, (void *)(long)signal);
    }
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "faulty_disk ENOSPC|EIO|EROFS AT once|always COUNT PROGRAM ARGUMENT...\n");
        return 2;
    }
    disk.fault = strcmp(argv[1], "ENOSPC") == 0 ? FULL : strcmp(argv[1], "EIO") == 0 ? BROKEN : READ_ONLY;
    disk.error = disk.fault == FULL ? ENOSPC : disk.fault == BROKEN ? EIO : EROFS;
    disk.at = atol(argv[2]);
    disk.stays = strcmp(argv[3], "always") == 0;
    int status = follow(start(argv + 5));
    FILE *count = fopen(argv[4], "w");
    if (!count || fprintf(count, "%ld\n", disk.count) < 0 || fclose(count) != 0) die(argv[4], EXIT_FAILURE);
    return status;
}
