// The pool of threads (thread_pool.c): each item once, results seen by the caller, jobs in jobs, and the instruction set that
// a caller was told to use.

#include "drive.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { most = 1000, rounds = 150 };

typedef struct job {
  tally_pool *pool;
  int32_t threads;
  int level;
  atomic_int wrong, inner;
  atomic_int hits[most];
  /// Not atomic: the end of a job has to make it visible.
  int64_t plain[most];
} job;

static void item(void *context, int64_t index, int32_t thread) {
  job *j = context;
  if (thread < 0 || thread >= j->threads || vk_level() != j->level) atomic_fetch_add(&j->wrong, 1);
  atomic_fetch_add(&j->hits[index], 1);
  j->plain[index] += index * index + 1;
}

static void inner_item(void *context, int64_t index, int32_t thread) {
  (void)index;
  (void)thread;
  atomic_fetch_add(&((job *)context)->inner, 1);
}

static void outer_item(void *context, int64_t index, int32_t thread) {
  (void)index;
  (void)thread;
  tally_pool_run(((job *)context)->pool, 7, inner_item, context);
}

static void work_through(int32_t threads, int level, int *wrong) {
  job *j = calloc(1, sizeof *j);
  tally_pool *pool = tally_pool_create(threads);
  expect(j != NULL && pool != NULL, "memory for a pool");
  vk_force_level(level);
  j->pool = pool;
  j->threads = threads;
  j->level = level;
  tally_pool_begin(pool);
  for (int round = 0; round < rounds; round++) {
    const int64_t count = round % 50 == 0 ? most : round % 37;
    for (int64_t i = 0; i < count; i++) {
      atomic_store(&j->hits[i], 0);
      j->plain[i] = round;
    }
    tally_pool_run(pool, count, item, j);
    for (int64_t i = 0; i < count; i++)
      if (atomic_load(&j->hits[i]) != 1 || j->plain[i] != i * i + 1 + round) atomic_fetch_add(&j->wrong, 1);
    // Long enough for the others to fall asleep.
    if (round % 60 == 59) {
      tally_pool_end(pool);
      usleep(2000);
      tally_pool_begin(pool);
    }
  }
  tally_pool_run(pool, 20, outer_item, j);
  if (atomic_load(&j->inner) != 140) atomic_fetch_add(&j->wrong, 1);
  tally_pool_end(pool);
  *wrong += atomic_load(&j->wrong);
  tally_pool_destroy(pool);
  free(j);
}

typedef struct user {
  pthread_t thread;
  int32_t threads;
  int level, wrong;
} user;

static void *use(void *context) {
  user *u = context;
  work_through(u->threads, u->level, &u->wrong);
  return NULL;
}

void drive_pool(void) {
  const int level = vk_level();
  int wrong = 0;
  for (int32_t threads = 1; threads <= 5; threads++) work_through(threads, level, &wrong);
  // Several pools at once, and each of its own level.
  user users[4];
  for (int i = 0; i < 4; i++) {
    users[i] = (user){.threads = i + 1, .level = i % (vk_best_level() + 1)};
    expect(pthread_create(&users[i].thread, NULL, use, &users[i]) == 0, "a thread");
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(users[i].thread, NULL);
    wrong += users[i].wrong;
  }
  expect(wrong == 0 && vk_level() == level, "items of a pool done once each: %d wrong", wrong);
}
