#pragma once

// What the driver's parts have in common: buffers between pages that may not be touched, numbers drawn from a seed, and
// records of what a kernel gave. See drive.c for how to run it, and .ci/kernels for what it is for.
//
// To add a kernel: call it in the file of its family, with buffers made here, and record all that it wrote.

#include "BFloat16Kernels.h"
#include "Int8Kernels.h"
#include "RunnerKernels.h"
#include "SplitKernels.h"
#include "ThreadPool.h"
#include "VectorKernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Iterations over an array.
#define COUNT_OF(array) ((ptrdiff_t)(sizeof(array) / sizeof *(array)))
#define EACH(i, array) (ptrdiff_t i = 0; i < COUNT_OF(array); i++)

// MARK: - Buffers

/// Memory of this many bytes. One end of it is at a page that may not be touched, and what lies between its other end and
/// the page there is looked at by `release`. It holds 0xa5 in all bytes.
void *buffer(ptrdiff_t bytes);
/// Gives all buffers back; ends the program if a kernel wrote beside one.
void release(void);

/// Buffers of numbers that are not set, and of drawn ones from -reach to reach.
float *floats(ptrdiff_t count);
double *doubles(ptrdiff_t count);
int32_t *ints(ptrdiff_t count);
uint16_t *halves(ptrdiff_t count);
uint8_t *bytes(ptrdiff_t count);
float *some_floats(ptrdiff_t count, float reach);
double *some_doubles(ptrdiff_t count, double reach);
uint8_t *some_bytes(ptrdiff_t count);
/// A buffer with a copy of these bytes.
void *copy(const void *from, ptrdiff_t bytes);

// MARK: - Numbers

/// The next of the drawn numbers; each part of the driver begins with a seed of its own.
uint64_t draw(void);
/// A whole number below `end`.
ptrdiff_t draw_below(ptrdiff_t end);
float draw_float(float reach);

/// Numbers at which functions and conversions change course, with their neighbours: zeros, denormals, ties, infinities, NaN.
extern const float *special_floats;
extern ptrdiff_t special_count;

// MARK: - Records

typedef enum record_kind {
  /// Bytes, 16-bit and 32-bit words that are the same everywhere.
  BYTES = 'b',
  HALVES = 'h',
  INTS = 'i',
  /// float32 of the same bits everywhere; any NaN is like any other.
  EXACT = 'x',
  /// float32 and float64 that may differ by a share of the greatest among them, or of `scale` if that is not 0.
  NEAR = 'f',
  NEAR_DOUBLES = 'd',
  /// float32 that may each differ by a share of itself, or by `scale` if that is more.
  EACH_NEAR = 'v',
} record_kind;

/// Writes what a kernel gave. The name begins with the kernel's; the rest says which case it was.
__attribute__((format(printf, 5, 6))) void record(
    record_kind kind, const void *values, ptrdiff_t count, double scale, const char *name, ...);
/// Ends the program, because a promise of the header was broken.
__attribute__((format(printf, 2, 3))) void expect(int holds, const char *what, ...);

// MARK: - Parts

void drive_dispatch(void);
void drive_nothing(void);
void drive_elementwise(void);
void drive_binary(void);
void drive_rows(void);
void drive_sums(void);
void drive_packed_products(void);
void drive_products(void);
void drive_attention(void);
void drive_windows(void);
void drive_movement(void);
void drive_narrow(void);
void drive_blocked(void);
void drive_blocked_others(void);
void drive_planar(void);
void drive_winograd(void);
void drive_int8_products(void);
void drive_int8_others(void);
void drive_bf16(void);
void drive_split(void);
void drive_pool(void);
