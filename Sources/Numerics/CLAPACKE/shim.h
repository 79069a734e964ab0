#define lapack_complex_float float
#define lapack_complex_double double
#include <lapacke.h>
