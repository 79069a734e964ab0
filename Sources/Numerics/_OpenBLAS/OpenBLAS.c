#define _GNU_SOURCE
#include "OpenBLAS.h"

#ifdef __linux__

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
  const char *symbol;
  void *target;
} binding;

static int fail(char *message, const char *reason) {
  snprintf(message, TALLY_OPENBLAS_MESSAGE_SIZE, "%s", reason ? reason : "unknown reason");
  return 0;
}

static int bind(void *library, const binding *bindings, size_t count, char *message) {
  for (size_t i = 0; i < count; i++) {
    void *found = dlsym(library, bindings[i].symbol);
    if (!found) return fail(message, dlerror());
    memcpy(bindings[i].target, &found, sizeof found);
  }
  return 1;
}

int tally_memory_is_limited(void) {
  struct rlimit addresses, data;
  return (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) ||
         (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY);
}

// OpenBLAS starts as many threads as the thread that loads it may use processors. This keeps the thread on one
// meanwhile, which, other than a variable in the environment, no other thread can see.
static void *open_on_one_processor(const char *file) {
  cpu_set_t before, one;
  int known = sched_getaffinity(0, sizeof before, &before) == 0;
  if (known) {
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
      if (CPU_ISSET(i, &before)) {
        CPU_SET(i, &one);
        break;
      }
    known = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  // Global, so that LAPACKE, which names the system's BLAS and LAPACK, computes by this library.
  void *library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  if (known) sched_setaffinity(0, sizeof before, &before);
  return library;
}

// What the library itself takes, and a buffer with some room for what is allocated meanwhile.
static const size_t library_size = (size_t)40 << 20, buffer_size = (size_t)136 << 20;

static int has_room(size_t size) {
  void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return 0;
  munmap(room, size);
  return 1;
}

// Has OpenBLAS take its buffer now, if there is room for it. It keeps it for all later calls, of which there must
// not be two at a time then.
static int take_buffer(const tally_openblas *routines) {
  if (!has_room(buffer_size)) return 0;
  // The update of a triangle takes the buffer at any size.
  float one = 1, square = 0;
  routines->ssyrk(TALLY_BLAS_ROW_MAJOR, TALLY_BLAS_UPPER, TALLY_BLAS_NO_TRANS, 1, 1, 1, &one, 1, 0,
                  &square, 1);
  return 1;
}

int tally_openblas_load(const char *file, tally_openblas *routines,
                        char message[TALLY_OPENBLAS_MESSAGE_SIZE]) {
  // Without room for a buffer OpenBLAS searches for it without end: version 0.3.29 also when it is opened.
  if (tally_memory_is_limited() && !has_room(library_size + buffer_size))
    return fail(message, "the memory of this process is limited, and OpenBLAS needs 176 MB more");
  void *library = open_on_one_processor(file);
  if (!library) return fail(message, dlerror());
  binding bindings[] = {
      {"cblas_sgemm", &routines->sgemm},
      {"cblas_dgemm", &routines->dgemm},
      {"cblas_sgemv", &routines->sgemv},
      {"cblas_dgemv", &routines->dgemv},
      {"cblas_ssyrk", &routines->ssyrk},
      {"cblas_dsyrk", &routines->dsyrk},
      {"cblas_sdot", &routines->sdot},
      {"cblas_ddot", &routines->ddot},
      {"openblas_set_num_threads", &routines->set_num_threads},
      {"openblas_get_num_threads", &routines->get_num_threads},
  };
  if (!bind(library, bindings, sizeof bindings / sizeof *bindings, message)) return 0;
  if (tally_memory_is_limited()) {
    routines->set_num_threads(1);
    if (!take_buffer(routines))
      return fail(message, "the memory of this process is limited, and OpenBLAS needs 136 MB more");
  }
  return 1;
}

int tally_lapacke_load(const char *file, tally_lapacke *routines,
                       char message[TALLY_OPENBLAS_MESSAGE_SIZE]) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(message, dlerror());
  binding bindings[] = {
      {"LAPACKE_ssyevd", &routines->ssyevd}, {"LAPACKE_dsyevd", &routines->dsyevd},
      {"LAPACKE_sgesdd", &routines->sgesdd}, {"LAPACKE_dgesdd", &routines->dgesdd},
      {"LAPACKE_sgesv", &routines->sgesv},   {"LAPACKE_dgesv", &routines->dgesv},
      {"LAPACKE_sgelsd", &routines->sgelsd}, {"LAPACKE_dgelsd", &routines->dgelsd},
  };
  return bind(library, bindings, sizeof bindings / sizeof *bindings, message);
}

int tally_openblas_default_threads(void) {
  cpu_set_t allowed;
  long processors = sched_getaffinity(0, sizeof allowed, &allowed) == 0
                        ? CPU_COUNT(&allowed)
                        : sysconf(_SC_NPROCESSORS_ONLN);
  if (processors < 1) processors = 1;
  static const char *const names[] = {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",
                                      "OMP_NUM_THREADS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    int asked = value ? atoi(value) : 0;
    if (asked > 0) return asked < processors ? asked : (int)processors;
  }
  return (int)processors;
}

#endif
