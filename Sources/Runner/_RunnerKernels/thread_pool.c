// Threads that spin for a while, then block. The items of one node of a graph take microseconds, and
// the next node follows at once: waking a blocked thread each time costs more than the work, and a
// core that slept is slow at first. So threads spin for longer while a run is on, as far as there are
// cores for it. The calling side waits the same way, because with the machine busy a pure spin is
// worst.
//
// Each thread has its own stretch of a job's items, the same one of every job of a length, and helps
// out in the others' when it is through: what one node leaves in a core's cache is mostly what that
// core wants for the next.
//
// All pools of a process draw on one crew of threads, so that several sessions at once never run more
// threads than the machine has cores (or than one of them asked for): a thread joins a job only while
// fewer than that are at work. A thread that keeps a job waiting, because something else has its core,
// rests for a while, and the job's caller does without it: the others are held up once in a while
// rather than at every node. So does one that finds itself on its caller's core, which it would only
// keep from working.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "ThreadPool.h"

#include "dispatch.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
  most_workers = 255,
  // Jobs that are open at one time; more than that run on their callers' threads alone.
  most_jobs = 64,
  // Between looks at the clock; about a microsecond.
  spins_each = 64,
};

// How long threads spin, in nanoseconds: a worker within runs and outside of them, and a caller.
static const int64_t patience_in_run = 250000;
static const int64_t patience_outside = 30000;
static const int64_t patience_of_caller = 100000;

// A worker that is this much later than the caller has lost its core.
static const int64_t late = 1000000;
static const int64_t shortest_rest = 2000000;
static const int64_t longest_rest = 64000000;
// It rests for twice as long each time if it worked for less than this since it rested last.
static const int64_t good_stretch = 20000000;

// The items of a thread's stretch that nobody took yet: the first in the upper half, the end in the
// lower one. Its thread takes from the front, others from the back.
typedef struct stretch {
  _Alignas(64) _Atomic uint64_t left;
} stretch;

typedef struct job {
  // Written only while `state` is even and no worker is inside.
  tally_pool_body body;
  void *context;
  int32_t limit;
  // The instruction set that the caller was told to use; below 0 where it was told nothing.
  int level;
  stretch stretches[most_workers + 1];

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
  // How long it rested last, and when that was over.
  _Atomic int64_t rest;
  _Atomic int64_t rested_at;
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
  // Runs that are on, and workers that spin because of it.
  _Atomic int32_t runs;
  _Atomic int32_t spinners;
  // Where the last job's caller ran; -1 where that is not known.
  _Atomic int32_t callers_core;
  bool is_ready;
  worker crew[most_workers];
  job jobs[most_jobs];
} shared = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER, .callers_core = -1};

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// The core this thread is on; -1 where that is not known.
static int32_t current_core(void) {
#if defined(__linux__)
  return sched_getcpu();
#else
  return -1;
#endif
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Takes an item of a stretch, its last one `from_back`; -1 where none is left.
static int64_t take(stretch *stretch, bool from_back) {
  uint64_t left = atomic_load_explicit(&stretch->left, memory_order_relaxed);
  for (;;) {
    uint32_t first = (uint32_t)(left >> 32);
    uint32_t end = (uint32_t)left;
    if (first >= end) return -1;
    uint64_t less = from_back ? left - 1 : left + ((uint64_t)1 << 32);
    if (atomic_compare_exchange_weak_explicit(
            &stretch->left, &left, less, memory_order_relaxed, memory_order_relaxed)) {
      return from_back ? end - 1 : first;
    }
  }
}

/// Works through the stretch `home`, then through what is left of the others; says how many items.
static int64_t work(job *job, int32_t home, int32_t thread) {
  int64_t done = 0;
  for (int32_t i = 0; i < job->limit; i++) {
    stretch *stretch = &job->stretches[(home + i) % job->limit];
    for (int64_t index; (index = take(stretch, i > 0)) >= 0; done++) {
      job->body(job->context, index, thread);
    }
  }
  return done;
}

/// Has a worker rest: for longer each time where it got its core back only for a short while, as that of
/// a machine with other work to do.
static void rest(worker *worker) {
  int64_t time = now();
  int64_t length = atomic_load(&worker->rest) * 2;
  if (time - atomic_load(&worker->rested_at) > good_stretch) length = shortest_rest;
  if (length < shortest_rest) length = shortest_rest;
  if (length > longest_rest) length = longest_rest;
  atomic_store(&worker->rest, length);
  atomic_store(&worker->rests_until, time + length);
}

/// Has the workers rest that are still at a job.
static void rest_those_at(job *job) {
  int32_t count = atomic_load(&shared.workers);
  for (int32_t i = 0; i < count; i++) {
    if (atomic_load(&shared.crew[i].at) == job) rest(&shared.crew[i]);
  }
}

/// Has a worker give its core to its caller for a short while, after which the system may have found
/// another one for it.
static void step_aside(worker *worker) {
  atomic_store(&worker->rests_until, now() + shortest_rest);
}

/// Whether this thread has the core that its caller would like to have.
static bool is_in_the_way(void) {
  int32_t core = current_core();
  return core >= 0 && core == atomic_load_explicit(&shared.callers_core, memory_order_relaxed);
}

/// Joins the job if it is open and wants more threads.
static void help(worker *self, job *job) {
  if (is_in_the_way()) {
    step_aside(self);
    return;
  }
  // Announce first, look again after: either this sees the job closed, or the caller sees that a
  // worker is inside and waits for it.
  atomic_fetch_add(&job->inside, 1);
  if (atomic_load(&job->state) & 1) {
    int32_t thread = atomic_fetch_add(&job->joined, 1);
    if (thread < job->limit) {
      atomic_store(&self->at, job);
      vk_force_level(job->level);
      work(job, (int32_t)(self - shared.crew + 1) % job->limit, thread);
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

/// Waits for an epoch other than `seen` for as long as a thread is worth spinning for; whether there is
/// something to do: that, or to rest.
static bool spin(worker *self, uint64_t seen) {
  int64_t start = 0;
  atomic_fetch_add(&shared.spinners, 1);
  for (int spins = 1; atomic_load(&shared.epoch) == seen; spins++) {
    pause_briefly();
    if (spins % spins_each != 0) continue;
    int64_t time = now();
    if (start == 0) start = time;
    int32_t runs = atomic_load(&shared.runs);
    if (runs > 0 && is_in_the_way()) {
      step_aside(self);
      break;
    }
    bool has_core = runs + atomic_load(&shared.spinners) <= atomic_load(&shared.budget);
    if (time - start > (runs > 0 && has_core ? patience_in_run : patience_outside)) break;
  }
  atomic_fetch_sub(&shared.spinners, 1);
  return atomic_load(&shared.epoch) != seen || atomic_load(&self->rests_until) != 0;
}

static void sleep_until_news(uint64_t seen) {
  pthread_mutex_lock(&shared.lock);
  atomic_fetch_add(&shared.sleepers, 1);
  while (atomic_load(&shared.epoch) == seen) pthread_cond_wait(&shared.opened, &shared.lock);
  atomic_fetch_sub(&shared.sleepers, 1);
  pthread_mutex_unlock(&shared.lock);
}

static void *worker_main(void *argument) {
  worker *self = argument;
  uint64_t seen = 0;
  for (;;) {
    int64_t left = atomic_load(&self->rests_until);
    if (left) {
      left -= now();
      if (left > 0) {
        struct timespec time = {left / 1000000000, left % 1000000000};
        nanosleep(&time, NULL);
      }
      atomic_store(&self->rests_until, 0);
      atomic_store(&self->rested_at, now());
    }
    while (atomic_load(&shared.epoch) == seen && !spin(self, seen)) sleep_until_news(seen);
    if (atomic_load(&self->rests_until)) continue;
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

static void wait_for_workers(job *job, int64_t patience) {
  int64_t start = 0;
  bool has_rested = false;
  for (int spins = 1; atomic_load(&job->inside) > 0; spins++) {
    if (start == 0 || now() - start < patience_of_caller) {
      if (spins % spins_each == 0 && start == 0) start = now();
      pause_briefly();
      continue;
    }
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
}

/// Tells up to `count` sleeping workers that there is something new.
static void wake(int32_t count) {
  atomic_fetch_add(&shared.epoch, 1);
  if (atomic_load(&shared.sleepers) == 0) return;
  pthread_mutex_lock(&shared.lock);
  for (int32_t i = 0; i < count && i < atomic_load(&shared.sleepers); i++) {
    pthread_cond_signal(&shared.opened);
  }
  pthread_mutex_unlock(&shared.lock);
}

void tally_pool_begin(tally_pool *pool) {
  if (!pool || pool->threads == 1) return;
  atomic_fetch_add(&shared.runs, 1);
  wake(pool->threads - 1);
}

void tally_pool_end(tally_pool *pool) {
  if (pool && pool->threads > 1) atomic_fetch_sub(&shared.runs, 1);
}

void tally_pool_run(tally_pool *pool, int64_t count, tally_pool_body body, void *context) {
  job *job = NULL;
  if (count > 1 && count <= UINT32_MAX && pool && pool->threads > 1 &&
      atomic_load(&shared.workers) > 0) {
    job = free_job();
  }
  if (!job) {
    for (int64_t i = 0; i < count; i++) body(context, i, 0);
    return;
  }
  atomic_fetch_add(&shared.active, 1);
  job->body = body;
  job->context = context;
  int32_t limit = pool->threads < count ? pool->threads : (int32_t)count;
  if (limit > most_workers + 1) limit = most_workers + 1;
  job->limit = limit;
  job->level = vk_forced_level();
  for (int64_t i = 0; i < limit; i++) {
    uint64_t first = (uint64_t)(i * count / limit);
    atomic_store_explicit(
        &job->stretches[i].left, first << 32 | (uint64_t)((i + 1) * count / limit),
        memory_order_relaxed);
  }
  atomic_store(&job->joined, 1);
  atomic_fetch_add(&job->state, 1);
  atomic_store_explicit(&shared.callers_core, current_core(), memory_order_relaxed);
  wake(job->limit - 1);
  int64_t start = now();
  int64_t done = work(job, 0, 0);
  atomic_fetch_add(&job->state, 1);
  // Whoever works on a single item may take as long as this thread did for some.
  int64_t each = (now() - start) / (done > 0 ? done : 1);
  wait_for_workers(job, late > 4 * each ? late : 4 * each);
  atomic_fetch_sub(&shared.active, 1);
  atomic_store(&job->taken, false);
}
