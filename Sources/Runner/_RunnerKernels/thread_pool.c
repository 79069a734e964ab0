// Threads that spin for a short while, then block. The items of one node of a graph take
// microseconds, and the next node follows at once: waking a blocked thread each time costs more than
// the work. The calling side waits the same way, because with the machine busy a pure spin is worst.
//
// All pools of a process draw on one crew of threads, so that several sessions at once never run more
// threads than the machine has cores (or than one of them asked for): a thread joins a job only while
// fewer than that are at work. A thread that keeps a job waiting, because something else has its core,
// rests for a while, and the job's caller does without it: the others are held up once in a while
// rather than at every node.

#include "ThreadPool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
  // About 50 microseconds each.
  worker_spins = 2000,
  caller_spins = 1000,
  most_workers = 255,
  // Jobs that are open at one time; more than that run on their callers' threads alone.
  most_jobs = 64,
};

// A worker that is this much later than the caller has lost its core.
static const int64_t late = 1000000;
static const int64_t shortest_rest = 2000000;
static const int64_t longest_rest = 16000000;

typedef struct job {
  // Written only while `state` is even and no worker is inside.
  tally_pool_body body;
  void *context;
  int64_t count;
  int32_t limit;
  _Atomic int64_t next;

  // Odd while the job is open.
  _Atomic uint64_t state;
  // Workers that look at the job or work on it.
  _Atomic int32_t inside;
  // How many threads have joined, the caller among them.
  _Atomic int32_t joined;
  _Atomic bool taken;
  _Atomic bool caller_waits;
  pthread_cond_t finished;
} job;

typedef struct worker {
  _Atomic(job *) at;
  _Atomic int64_t rests_until;
  _Atomic int64_t rest;
} worker;

struct tally_pool {
  int32_t threads;
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  // Counts jobs, so that a worker sees that there is a new one.
  _Atomic uint64_t epoch;
  _Atomic int32_t sleepers;
  _Atomic int32_t workers;
  // Threads at work, and how many there may be.
  _Atomic int32_t active;
  _Atomic int32_t budget;
  bool is_ready;
  worker crew[most_workers];
  job jobs[most_jobs];
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t work(job *job, int32_t thread) {
  for (int64_t done = 0;; done++) {
    int64_t index = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    if (index >= job->count) return done;
    job->body(job->context, index, thread);
  }
}

/// Joins the job if it is open and wants more threads.
static void help(worker *self, job *job) {
  // Announce first, look again after: either this sees the job closed, or the caller sees that a
  // worker is inside and waits for it.
  atomic_fetch_add(&job->inside, 1);
  if (atomic_load(&job->state) & 1) {
    int32_t thread = atomic_fetch_add(&job->joined, 1);
    if (thread < job->limit) {
      atomic_store(&self->at, job);
      work(job, thread);
      atomic_store(&self->at, NULL);
    }
  }
  if (atomic_fetch_sub(&job->inside, 1) == 1 && atomic_load(&job->caller_waits)) {
    pthread_mutex_lock(&shared.lock);
    pthread_cond_signal(&job->finished);
    pthread_mutex_unlock(&shared.lock);
  }
}

static void look_for_work(worker *self) {
  for (int32_t i = 0; i < most_jobs; i++) {
    job *job = &shared.jobs[i];
    if (!(atomic_load(&job->state) & 1)) continue;
    if (atomic_fetch_add(&shared.active, 1) < atomic_load(&shared.budget)) help(self, job);
    atomic_fetch_sub(&shared.active, 1);
  }
}

static void *worker_main(void *argument) {
  worker *self = argument;
  uint64_t seen = 0;
  for (;;) {
    int64_t rest = atomic_load(&self->rests_until);
    if (rest) {
      rest -= now();
      if (rest > 0) {
        struct timespec time = {rest / 1000000000, rest % 1000000000};
        nanosleep(&time, NULL);
      }
      atomic_store(&self->rests_until, 0);
    }
    int spins = 0;
    while (atomic_load(&shared.epoch) == seen) {
      if (++spins < worker_spins) {
        pause_briefly();
        continue;
      }
      pthread_mutex_lock(&shared.lock);
      atomic_fetch_add(&shared.sleepers, 1);
      while (atomic_load(&shared.epoch) == seen) {
        pthread_cond_wait(&shared.opened, &shared.lock);
      }
      atomic_fetch_sub(&shared.sleepers, 1);
      pthread_mutex_unlock(&shared.lock);
    }
    seen = atomic_load(&shared.epoch);
    look_for_work(self);
  }
  return NULL;
}

/// Has the crew grow to `count` workers, as far as the system allows.
static void recruit(int32_t count) {
  pthread_mutex_lock(&shared.lock);
  if (!shared.is_ready) {
    for (int32_t i = 0; i < most_jobs; i++) pthread_cond_init(&shared.jobs[i].finished, NULL);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    atomic_store(&shared.budget, cores > 1 ? (int32_t)cores : 1);
    shared.is_ready = true;
  }
  if (atomic_load(&shared.budget) < count + 1) atomic_store(&shared.budget, count + 1);
  if (count > most_workers) count = most_workers;
  pthread_attr_t attributes;
  if (atomic_load(&shared.workers) < count && pthread_attr_init(&attributes) == 0) {
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    while (atomic_load(&shared.workers) < count) {
      pthread_t thread;
      worker *next = &shared.crew[atomic_load(&shared.workers)];
      if (pthread_create(&thread, &attributes, worker_main, next) != 0) break;
      atomic_fetch_add(&shared.workers, 1);
    }
    pthread_attr_destroy(&attributes);
  }
  pthread_mutex_unlock(&shared.lock);
}

tally_pool *tally_pool_create(int32_t threads) {
  tally_pool *pool = malloc(sizeof *pool);
  if (!pool) return NULL;
  pool->threads = threads > 1 ? threads : 1;
  if (threads > 1) recruit(threads - 1);
  return pool;
}

void tally_pool_destroy(tally_pool *pool) {
  free(pool);
}

static job *free_job(void) {
  for (int32_t i = 0; i < most_jobs; i++) {
    bool is_taken = false;
    job *job = &shared.jobs[i];
    if (!atomic_load_explicit(&job->taken, memory_order_relaxed) &&
        atomic_compare_exchange_strong(&job->taken, &is_taken, true)) {
      return job;
    }
  }
  return NULL;
}

/// Sends the workers that are still at a job to rest, longer each time.
static void rest_those_at(job *job) {
  int32_t count = atomic_load(&shared.workers);
  for (int32_t i = 0; i < count; i++) {
    worker *worker = &shared.crew[i];
    if (atomic_load(&worker->at) != job) continue;
    int64_t rest = atomic_load(&worker->rest);
    rest = rest < shortest_rest ? shortest_rest : rest * 2 > longest_rest ? longest_rest : rest * 2;
    atomic_store(&worker->rest, rest);
    atomic_store(&worker->rests_until, now() + rest);
  }
}

/// Forgets a little of how long those who helped in time had to rest.
static void forgive(job *job) {
  (void)job;
  int32_t count = atomic_load(&shared.workers);
  for (int32_t i = 0; i < count; i++) {
    int64_t rest = atomic_load_explicit(&shared.crew[i].rest, memory_order_relaxed);
    if (rest > 0 && atomic_load_explicit(&shared.crew[i].rests_until, memory_order_relaxed) == 0) {
      atomic_store_explicit(&shared.crew[i].rest, rest - rest / 256, memory_order_relaxed);
    }
  }
}

static void wait_for_workers(job *job, int64_t patience) {
  int64_t start = 0;
  bool has_rested = false;
  for (int spins = 0; atomic_load(&job->inside) > 0; spins++) {
    if (spins < caller_spins) {
      pause_briefly();
      continue;
    }
    if (start == 0) start = now();
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += late;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    // Blocked, so that a worker without a core may have this one.
    pthread_mutex_lock(&shared.lock);
    atomic_store(&job->caller_waits, true);
    if (atomic_load(&job->inside) > 0) {
      pthread_cond_timedwait(&job->finished, &shared.lock, &until);
    }
    atomic_store(&job->caller_waits, false);
    pthread_mutex_unlock(&shared.lock);
    if (!has_rested && atomic_load(&job->inside) > 0 && now() - start > patience) {
      rest_those_at(job);
      has_rested = true;
    }
  }
  if (!has_rested) forgive(job);
}

void tally_pool_run(tally_pool *pool, int64_t count, tally_pool_body body, void *context) {
  job *job = NULL;
  if (count > 1 && pool && pool->threads > 1 && atomic_load(&shared.workers) > 0) job = free_job();
  if (!job) {
    for (int64_t i = 0; i < count; i++) body(context, i, 0);
    return;
  }
  atomic_fetch_add(&shared.active, 1);
  job->body = body;
  job->context = context;
  job->count = count;
  job->limit = pool->threads < count ? pool->threads : (int32_t)count;
  atomic_store(&job->next, 0);
  atomic_store(&job->joined, 1);
  atomic_fetch_add(&job->state, 1);
  atomic_fetch_add(&shared.epoch, 1);
  if (atomic_load(&shared.sleepers) > 0) {
    pthread_mutex_lock(&shared.lock);
    for (int32_t i = 1; i < job->limit && i <= atomic_load(&shared.sleepers); i++) {
      pthread_cond_signal(&shared.opened);
    }
    pthread_mutex_unlock(&shared.lock);
  }
  int64_t start = now();
  int64_t done = work(job, 0);
  atomic_fetch_add(&job->state, 1);
  // Whoever works on a single item may take as long as this thread did for some.
  int64_t each = (now() - start) / (done > 0 ? done : 1);
  wait_for_workers(job, late > 4 * each ? late : 4 * each);
  atomic_fetch_sub(&shared.active, 1);
  atomic_store(&job->taken, false);
}
