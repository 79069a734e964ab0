// Threads that spin for a short while, then block. The items of one node of a graph take
// microseconds, and the next node follows at once: waking a blocked thread each time costs more than
// the work. The calling side waits the same way, because with the machine busy a pure spin is worst.

#include "ThreadPool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { spin_limit = 2000 };

struct tally_pool {
  // The job. Written only while `state` is even and no worker is inside.
  tally_pool_body body;
  void *context;
  int64_t count;
  _Atomic int64_t next;

  // Odd while a job is open; each job has a number of its own.
  _Atomic uint64_t state;
  // Workers that look at the job or work on it.
  _Atomic int32_t inside;
  _Atomic int32_t sleepers;
  _Atomic int32_t started;
  _Atomic bool caller_waits;
  _Atomic bool stops;
  _Atomic bool busy;

  pthread_mutex_t lock;
  pthread_cond_t opened;
  pthread_cond_t finished;
  int32_t workers;
  pthread_t threads[];
};

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static void work(tally_pool *pool, int32_t thread) {
  for (;;) {
    int64_t index = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
    if (index >= pool->count) return;
    pool->body(pool->context, index, thread);
  }
}

static void *worker(void *argument) {
  tally_pool *pool = argument;
  // The caller of a job is thread 0.
  int32_t thread = atomic_fetch_add(&pool->started, 1) + 1;
  uint64_t seen = 0;
  for (;;) {
    uint64_t state = atomic_load(&pool->state);
    int spins = 0;
    while (state == seen && !atomic_load(&pool->stops)) {
      if (++spins < spin_limit) {
        pause_briefly();
      } else {
        pthread_mutex_lock(&pool->lock);
        atomic_fetch_add(&pool->sleepers, 1);
        while (atomic_load(&pool->state) == seen && !atomic_load(&pool->stops)) {
          pthread_cond_wait(&pool->opened, &pool->lock);
        }
        atomic_fetch_sub(&pool->sleepers, 1);
        pthread_mutex_unlock(&pool->lock);
      }
      state = atomic_load(&pool->state);
    }
    if (atomic_load(&pool->stops)) return NULL;

    // Announce first, look again after: either this sees the job closed, or the caller sees that a
    // worker is inside and waits for it.
    atomic_fetch_add(&pool->inside, 1);
    state = atomic_load(&pool->state);
    if (state & 1) work(pool, thread);
    seen = state;
    if (atomic_fetch_sub(&pool->inside, 1) == 1 && atomic_load(&pool->caller_waits)) {
      pthread_mutex_lock(&pool->lock);
      pthread_cond_signal(&pool->finished);
      pthread_mutex_unlock(&pool->lock);
    }
  }
}

tally_pool *tally_pool_create(int32_t threads) {
  int32_t workers = threads > 1 ? threads - 1 : 0;
  tally_pool *pool = calloc(1, sizeof(tally_pool) + (size_t)workers * sizeof(pthread_t));
  if (!pool) return NULL;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->opened, NULL);
  pthread_cond_init(&pool->finished, NULL);
  for (int32_t i = 0; i < workers; i++) {
    if (pthread_create(&pool->threads[pool->workers], NULL, worker, pool) == 0) pool->workers++;
  }
  return pool;
}

void tally_pool_destroy(tally_pool *pool) {
  if (!pool) return;
  atomic_store(&pool->stops, true);
  pthread_mutex_lock(&pool->lock);
  pthread_cond_broadcast(&pool->opened);
  pthread_mutex_unlock(&pool->lock);
  for (int32_t i = 0; i < pool->workers; i++) pthread_join(pool->threads[i], NULL);
  pthread_cond_destroy(&pool->opened);
  pthread_cond_destroy(&pool->finished);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

void tally_pool_run(tally_pool *pool, int64_t count, tally_pool_body body, void *context) {
  bool idle = false;
  if (count <= 1 || !pool || pool->workers == 0 ||
      !atomic_compare_exchange_strong(&pool->busy, &idle, true)) {
    for (int64_t i = 0; i < count; i++) body(context, i, 0);
    return;
  }
  pool->body = body;
  pool->context = context;
  pool->count = count;
  atomic_store(&pool->next, 0);
  atomic_fetch_add(&pool->state, 1);
  if (atomic_load(&pool->sleepers) > 0) {
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->opened);
    pthread_mutex_unlock(&pool->lock);
  }
  work(pool, 0);
  atomic_fetch_add(&pool->state, 1);
  for (int spins = 0; atomic_load(&pool->inside) > 0; spins++) {
    if (spins < spin_limit) {
      pause_briefly();
      continue;
    }
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->caller_waits, true);
    while (atomic_load(&pool->inside) > 0) pthread_cond_wait(&pool->finished, &pool->lock);
    atomic_store(&pool->caller_waits, false);
    pthread_mutex_unlock(&pool->lock);
  }
  atomic_store(&pool->busy, false);
}
