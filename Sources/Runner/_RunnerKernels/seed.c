#include "RunnerKernels.h"
