#pragma once

#include <stdint.h>

/// A fixed set of threads that work through numbered items together with the caller.
typedef struct tally_pool tally_pool;

/// What is done for one item; `thread` tells the threads that work on one job apart and counts from 0.
typedef void (*tally_pool_body)(void *context, int64_t index, int32_t thread);

/// A pool in which `threads` threads work on a job, the caller's among them; NULL where there is no
/// memory. Threads that cannot be started are done without.
tally_pool *tally_pool_create(int32_t threads);

/// Ends the pool's threads. No job may be running.
void tally_pool_destroy(tally_pool *pool);

/// Says that jobs are about to follow each other closely, until as many calls of `tally_pool_end`: the
/// threads that are to help wake up, and don't go to sleep between jobs.
void tally_pool_begin(tally_pool *pool);
void tally_pool_end(tally_pool *pool);

/// Calls `body` once for each index below `count`, on any of the threads, and returns when all are
/// done. Called while another job runs, from any thread, it does all items on the calling thread.
void tally_pool_run(tally_pool *pool, int64_t count, tally_pool_body body, void *context);
