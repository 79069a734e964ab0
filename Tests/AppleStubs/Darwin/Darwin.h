#pragma once

// What the package uses of Apple's C library, all of it older than what the package runs on.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef int64_t off_t;
typedef int pid_t;
typedef uint16_t mode_t;
typedef int32_t dev_t;
typedef long time_t;
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  uint16_t st_nlink;
  uint64_t st_ino;
  uint32_t st_uid, st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
  off_t st_size;
  int64_t st_blocks;
  int32_t st_blksize;
};

// Memory and text
void *_Nullable malloc(size_t);
void *_Nullable calloc(size_t, size_t);
void free(void *_Nullable);
int posix_memalign(void *_Nullable *_Nonnull, size_t, size_t);
void *_Nonnull memcpy(void *_Nonnull, const void *_Nonnull, size_t);
void *_Nonnull memmove(void *_Nonnull, const void *_Nonnull, size_t);
void *_Nonnull memset(void *_Nonnull, int, size_t);
int memcmp(const void *_Nonnull, const void *_Nonnull, size_t);
void *_Nullable memchr(const void *_Nonnull, int, size_t);
size_t strlen(const char *_Nonnull);
char *_Nonnull strerror(int);
int strerror_r(int, char *_Nonnull, size_t);
double strtod(const char *_Nonnull, char *_Nullable *_Nullable);
float strtof(const char *_Nonnull, char *_Nullable *_Nullable);
char *_Nullable getenv(const char *_Nonnull);

// Files
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0x200
#define O_TRUNC 0x400
#define O_EXCL 0x800
#define O_APPEND 8
#define O_NONBLOCK 4
#define O_NOFOLLOW 0x100
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define F_SETFL 4
#define F_FULLFSYNC 51
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x20
#define AT_REMOVEDIR 0x80
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANON 0x1000
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define ENOENT 2
#define EINTR 4
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EAGAIN 35
#define EWOULDBLOCK 35
#define ENAMETOOLONG 63
#define ELOOP 62
#define ENOTSUP 45
#define EDQUOT 69
#define ENOSYS 78
#define EPERM 1
#define EIO 5
#define ENOMEM 12
int close(int);
ssize_t read(int, void *_Nullable, size_t);
ssize_t write(int, const void *_Nullable, size_t);
ssize_t pread(int, void *_Nullable, size_t, off_t);
ssize_t pwrite(int, const void *_Nullable, size_t, off_t);
off_t lseek(int, off_t, int);
int ftruncate(int, off_t);
int fsync(int);
int flock(int, int);
int fstat(int, struct stat *_Nonnull);
int lstat(const char *_Nonnull, struct stat *_Nonnull);
int stat(const char *_Nonnull, struct stat *_Nonnull);
int unlink(const char *_Nonnull);
int rename(const char *_Nonnull, const char *_Nonnull);
int mkdir(const char *_Nonnull, mode_t);
int chmod(const char *_Nonnull, mode_t);
int fchmod(int, mode_t);
int access(const char *_Nonnull, int);
char *_Nullable realpath(const char *_Nonnull, char *_Nullable);
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
int madvise(void *, size_t, int);
int link(const char *_Nonnull, const char *_Nonnull);
int unlinkat(int, const char *_Nonnull, int);
int mkdirat(int, const char *_Nonnull, mode_t);
int renameat(int, const char *_Nonnull, int, const char *_Nonnull);
int fstatat(int, const char *_Nonnull, struct stat *_Nonnull, int);
int faccessat(int, const char *_Nonnull, int, int);
int rmdir(const char *_Nonnull);
int symlink(const char *_Nonnull, const char *_Nonnull);
typedef struct _opaque_dir DIR;
struct dirent {
  uint64_t d_ino, d_seekoff;
  uint16_t d_reclen, d_namlen;
  uint8_t d_type;
  char d_name[1024];
};
DIR *opendir(const char *);
DIR *fdopendir(int);
struct dirent *readdir(DIR *);
int closedir(DIR *);
typedef uint32_t useconds_t;
int usleep(useconds_t);
unsigned sleep(unsigned);
int getpagesize(void);
pid_t getpid(void);
typedef struct __sFILE FILE;
extern FILE *_Nonnull __stdoutp, *_Nonnull __stderrp;

// Tasks of the kernel
typedef int integer_t;
typedef unsigned natural_t;
typedef int kern_return_t, policy_t;
typedef natural_t mach_msg_type_number_t, mach_port_t, task_flavor_t;
typedef mach_port_t task_name_t;
typedef uint64_t mach_vm_size_t;
typedef integer_t *task_info_t;
typedef struct time_value {
  integer_t seconds, microseconds;
} time_value_t;
struct mach_task_basic_info {
  mach_vm_size_t virtual_size, resident_size, resident_size_max;
  time_value_t user_time, system_time;
  policy_t policy;
  integer_t suspend_count;
};
#define KERN_SUCCESS 0
#define MACH_TASK_BASIC_INFO 20
extern mach_port_t mach_task_self_;
kern_return_t task_info(task_name_t, task_flavor_t, task_info_t, mach_msg_type_number_t *);

// Mathematics
double acos(double), acosh(double), asin(double), asinh(double), atan(double), atanh(double), atan2(double, double);
double cbrt(double), cos(double), cosh(double), erf(double), erfc(double), exp(double), exp2(double), expm1(double);
double fdim(double, double), hypot(double, double), ldexp(double, int), lgamma(double), log(double), log10(double);
double log1p(double), log2(double), nearbyint(double), nextafter(double, double), pow(double, double), rint(double);
double sin(double), sinh(double), tan(double), tanh(double), tgamma(double), fmod(double, double), fabs(double);
double floor(double), ceil(double), round(double), trunc(double), sqrt(double), remainder(double, double);
double copysign(double, double), fmin(double, double), fmax(double, double), fma(double, double, double);
float acosf(float), acoshf(float), asinf(float), asinhf(float), atanf(float), atanhf(float), atan2f(float, float);
float cbrtf(float), cosf(float), coshf(float), erff(float), erfcf(float), expf(float), exp2f(float), expm1f(float);
float hypotf(float, float), logf(float), log10f(float), log1pf(float), log2f(float), powf(float, float), sinf(float);
float sinhf(float), tanf(float), tanhf(float), fmodf(float, float), fabsf(float), floorf(float), ceilf(float);
float roundf(float), truncf(float), sqrtf(float), rintf(float), nearbyintf(float);
