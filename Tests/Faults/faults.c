// Makes one call of the system fail, for Tests/Faults/run: a library to be preloaded (LD_PRELOAD, Linux).
//
//   TALLY_FAULT_CALL   open, write, sync, rename, truncate, map or memory: which calls are counted
//   TALLY_FAULT_AT     which of them fails, from 1; 0 counts only
//   TALLY_FAULT_ERROR  the number that it fails with, as 28 for ENOSPC; -9 kills the process instead
//   TALLY_FAULT_LASTS  1: all later ones of the kind fail too, as on a disk that is full
//   TALLY_FAULT_COUNT  a file of 16 bytes, which is there: how many calls there were so far, and of allocations, how
//                      many there were before the first call that opens to write
//
// Of standard input, output and error nothing is counted. The C library's calls among its own functions do
// not come by here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, WRITE, SYNC, RENAME, TRUNCATE, MAP, MEMORY, KINDS };
static const char *const names[KINDS] = {"open",     "write", "sync",  "rename",
                                         "truncate", "map",   "memory"};

static int chosen = -1;
static int64_t at;
static int number = EIO;
static bool lasts;
static _Atomic int64_t own[2];
static _Atomic int64_t *count = own;

__attribute__((constructor)) static void begin(void) {
  const char *call = getenv("TALLY_FAULT_CALL"), *text;
  if ((text = getenv("TALLY_FAULT_AT"))) at = atoll(text);
  if ((text = getenv("TALLY_FAULT_ERROR"))) number = atoi(text);
  if ((text = getenv("TALLY_FAULT_LASTS"))) lasts = atoi(text) != 0;
  if ((text = getenv("TALLY_FAULT_COUNT"))) {
    int file = open(text, O_RDWR | O_CLOEXEC);
    void *map = file < 0 ? MAP_FAILED
                         : mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) count = map;
    if (file >= 0) close(file);
  }
  // Last, so that nothing of the above is counted.
  for (int kind = 0; call && kind < KINDS; kind++)
    if (!strcmp(call, names[kind])) chosen = kind;
}

/// Whether this call is to fail; sets errno.
static bool fails(enum kind kind) {
  if (chosen == MEMORY && kind == OPEN) {
    int64_t none = 0;
    atomic_compare_exchange_strong(&count[1], &none, atomic_load(count));
  }
  if ((int)kind != chosen) return false;
  int64_t place = atomic_fetch_add(count, 1) + 1;
  if (at == 0 || (lasts ? place < at : place != at)) return false;
  if (number < 0) {
    kill(getpid(), -number);
    pause();
  }
  errno = number;
  return true;
}

#define NEXT(name) \
  static __typeof__(name) *next; \
  if (!next) next = (__typeof__(next))dlsym(RTLD_NEXT, #name)

// Opening to write.

static bool writes(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0; }

#define OPENER(name) \
  int name(const char *path, int flags, ...) { \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    NEXT(name); \
    return writes(flags) && fails(OPEN) ? -1 : next(path, flags, mode); \
  }
OPENER(open)
OPENER(open64)

#define OPENER_AT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    NEXT(name); \
    return writes(flags) && fails(OPEN) ? -1 : next(folder, path, flags, mode); \
  }
OPENER_AT(openat)
OPENER_AT(openat64)

int mkstemp(char *path) {
  NEXT(mkstemp);
  return fails(OPEN) ? -1 : next(path);
}
int mkstemp64(char *path) {
  NEXT(mkstemp64);
  return fails(OPEN) ? -1 : next(path);
}
int mkdir(const char *path, mode_t mode) {
  NEXT(mkdir);
  return fails(OPEN) ? -1 : next(path, mode);
}

// Writing.

ssize_t write(int file, const void *bytes, size_t size) {
  NEXT(write);
  return file > 2 && fails(WRITE) ? -1 : next(file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  NEXT(pwrite);
  return fails(WRITE) ? -1 : next(file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  NEXT(pwrite64);
  return fails(WRITE) ? -1 : next(file, bytes, size, offset);
}
ssize_t writev(int file, const struct iovec *pieces, int many) {
  NEXT(writev);
  return file > 2 && fails(WRITE) ? -1 : next(file, pieces, many);
}

// Waiting for the disk.

int fsync(int file) {
  NEXT(fsync);
  return fails(SYNC) ? -1 : next(file);
}
int fdatasync(int file) {
  NEXT(fdatasync);
  return fails(SYNC) ? -1 : next(file);
}

// Names.

int rename(const char *from, const char *to) {
  NEXT(rename);
  return fails(RENAME) ? -1 : next(from, to);
}
int renameat(int from, const char *old, int to, const char *new) {
  NEXT(renameat);
  return fails(RENAME) ? -1 : next(from, old, to, new);
}
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  NEXT(renameat2);
  return fails(RENAME) ? -1 : next(from, old, to, new, flags);
}
int link(const char *from, const char *to) {
  NEXT(link);
  return fails(RENAME) ? -1 : next(from, to);
}

// Lengths.

int ftruncate(int file, off_t size) {
  NEXT(ftruncate);
  return fails(TRUNCATE) ? -1 : next(file, size);
}
int ftruncate64(int file, off64_t size) {
  NEXT(ftruncate64);
  return fails(TRUNCATE) ? -1 : next(file, size);
}

// Memory.

void *mmap(void *place, size_t size, int access, int flags, int file, off_t offset) {
  NEXT(mmap);
  return fails(MAP) ? MAP_FAILED : next(place, size, access, flags, file, offset);
}
void *mmap64(void *place, size_t size, int access, int flags, int file, off64_t offset) {
  NEXT(mmap64);
  return fails(MAP) ? MAP_FAILED : next(place, size, access, flags, file, offset);
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t),
    *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return fails(MEMORY) ? NULL : __libc_malloc(size); }
void *calloc(size_t many, size_t size) { return fails(MEMORY) ? NULL : __libc_calloc(many, size); }
void *realloc(void *old, size_t size) { return fails(MEMORY) ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t step, size_t size) {
  return fails(MEMORY) ? NULL : __libc_memalign(step, size);
}
int posix_memalign(void **place, size_t step, size_t size) {
  int before = errno;
  void *memory = fails(MEMORY) ? NULL : __libc_memalign(step, size);
  errno = before;
  if (!memory) return ENOMEM;
  *place = memory;
  return 0;
}
