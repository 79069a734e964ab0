#pragma once

// What LinearAlgebra uses of Accelerate: the interface that it has without ACCELERATE_NEW_LAPACK, deprecated from the versions given.

#include <stddef.h>
#include <stdint.h>

enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 };
enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 };
typedef int __CLPK_integer;
typedef float __CLPK_real;
typedef double __CLPK_doublereal;

#define OLD                                                                            \
  __attribute__((availability(macos, introduced = 10.2, deprecated = 13.3)))           \
  __attribute__((availability(ios, introduced = 4.0, deprecated = 16.4)))

#define BLAS(scalar, prefix)                                                           \
  OLD void cblas_##prefix##gemm(                                                       \
      const enum CBLAS_ORDER, const enum CBLAS_TRANSPOSE, const enum CBLAS_TRANSPOSE,  \
      const int, const int, const int, const scalar, const scalar *_Nullable,          \
      const int, const scalar *_Nullable, const int, const scalar, scalar *_Nullable,  \
      const int);                                                                      \
  OLD void cblas_##prefix##gemv(                                                       \
      const enum CBLAS_ORDER, const enum CBLAS_TRANSPOSE, const int, const int,        \
      const scalar, const scalar *_Nullable, const int, const scalar *_Nullable,       \
      const int, const scalar, scalar *_Nullable, const int);                          \
  OLD void cblas_##prefix##syrk(                                                       \
      const enum CBLAS_ORDER, const enum CBLAS_UPLO, const enum CBLAS_TRANSPOSE,       \
      const int, const int, const scalar, const scalar *_Nullable, const int,          \
      const scalar, scalar *_Nullable, const int);                                     \
  OLD scalar cblas_##prefix##dot(                                                      \
      const int, const scalar *_Nullable, const int, const scalar *_Nullable, const int);
BLAS(float, s)
BLAS(double, d)

#define LAPACK(scalar, prefix)                                                         \
  OLD int prefix##syevd_(                                                              \
      char *, char *, __CLPK_integer *, scalar *, __CLPK_integer *, scalar *, scalar *, \
      __CLPK_integer *, __CLPK_integer *, __CLPK_integer *, __CLPK_integer *);         \
  OLD int prefix##gesdd_(                                                              \
      char *, __CLPK_integer *, __CLPK_integer *, scalar *, __CLPK_integer *, scalar *, \
      scalar *, __CLPK_integer *, scalar *, __CLPK_integer *, scalar *,                \
      __CLPK_integer *, __CLPK_integer *, __CLPK_integer *);                           \
  OLD int prefix##gesv_(                                                               \
      __CLPK_integer *, __CLPK_integer *, scalar *, __CLPK_integer *,                  \
      __CLPK_integer *, scalar *, __CLPK_integer *, __CLPK_integer *);                 \
  OLD int prefix##gelsd_(                                                              \
      __CLPK_integer *, __CLPK_integer *, __CLPK_integer *, scalar *,                  \
      __CLPK_integer *, scalar *, __CLPK_integer *, scalar *, scalar *,                \
      __CLPK_integer *, scalar *, __CLPK_integer *, __CLPK_integer *, __CLPK_integer *);
LAPACK(__CLPK_real, s)
LAPACK(__CLPK_doublereal, d)
