// There is no header for the host API alone, because the whole shim is small.
#pragma once
#include "cuda_runtime.h"
