// OpenBLAS and LAPACKE, loaded when they are asked for instead of with the program.
//
// When OpenBLAS is loaded it starts a thread for each further processor, and each of them takes 128 MB of
// addresses at once, for which it asks without end where there is a limit (`ulimit -v`). A program that
// multiplies nothing shall have none of that. Here the library is loaded so that it starts no thread;
// `set_num_threads` starts those that are wanted.
//
// The types are those of `cblas.h` and `lapacke.h` with C's `int` as the integer, as in Debian's libraries.

#ifndef TALLY_OPENBLAS_H
#define TALLY_OPENBLAS_H

enum {
  TALLY_BLAS_ROW_MAJOR = 101,
  TALLY_BLAS_NO_TRANS = 111,
  TALLY_BLAS_TRANS = 112,
  TALLY_BLAS_UPPER = 121,
  TALLY_LAPACK_COLUMN_MAJOR = 102,
  TALLY_OPENBLAS_MESSAGE_SIZE = 256,
};

typedef struct {
  void (*sgemm)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
  void (*dgemm)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                const double *a, int lda, const double *b, int ldb, double beta, double *c,
                int ldc);
  void (*sgemv)(int order, int trans, int m, int n, float alpha, const float *a, int lda,
                const float *x, int incx, float beta, float *y, int incy);
  void (*dgemv)(int order, int trans, int m, int n, double alpha, const double *a, int lda,
                const double *x, int incx, double beta, double *y, int incy);
  void (*ssyrk)(int order, int uplo, int trans, int n, int k, float alpha, const float *a, int lda,
                float beta, float *c, int ldc);
  void (*dsyrk)(int order, int uplo, int trans, int n, int k, double alpha, const double *a,
                int lda, double beta, double *c, int ldc);
  float (*sdot)(int n, const float *x, int incx, const float *y, int incy);
  double (*ddot)(int n, const double *x, int incx, const double *y, int incy);
  void (*set_num_threads)(int count);
  int (*get_num_threads)(void);
} tally_openblas;

typedef struct {
  int (*ssyevd)(int layout, char job, char uplo, int n, float *a, int lda, float *w);
  int (*dsyevd)(int layout, char job, char uplo, int n, double *a, int lda, double *w);
  int (*sgesdd)(int layout, char job, int m, int n, float *a, int lda, float *s, float *u, int ldu,
                float *vt, int ldvt);
  int (*dgesdd)(int layout, char job, int m, int n, double *a, int lda, double *s, double *u,
                int ldu, double *vt, int ldvt);
  int (*sgesv)(int layout, int n, int nrhs, float *a, int lda, int *pivots, float *b, int ldb);
  int (*dgesv)(int layout, int n, int nrhs, double *a, int lda, int *pivots, double *b, int ldb);
  int (*sgelsd)(int layout, int m, int n, int nrhs, float *a, int lda, float *b, int ldb, float *s,
                float rcond, int *rank);
  int (*dgelsd)(int layout, int m, int n, int nrhs, double *a, int lda, double *b, int ldb,
                double *s, double rcond, int *rank);
} tally_lapacke;

// Loads OpenBLAS from the shared library `file`, with one thread, and finds its routines; 0, and why in
// `message`, where that cannot be. In a process whose memory is limited, OpenBLAS's own 128 MB are taken at
// once: where they are not to be had, it would ask for them without end at the first product.
int tally_openblas_load(const char *file, tally_openblas *routines,
                        char message[TALLY_OPENBLAS_MESSAGE_SIZE]);

// The same for LAPACKE, which computes by the OpenBLAS that was loaded before.
int tally_lapacke_load(const char *file, tally_lapacke *routines,
                       char message[TALLY_OPENBLAS_MESSAGE_SIZE]);

// How many threads OpenBLAS takes where nobody says: what OPENBLAS_NUM_THREADS, GOTO_NUM_THREADS or
// OMP_NUM_THREADS asks for, in this order, but not more than the processors this process may use.
int tally_openblas_default_threads(void);

// Whether there is a limit on the addresses or the data of this process.
int tally_memory_is_limited(void);

#endif
