// The host API alone does not exist here: the whole shim is small enough.
#pragma once
#include "cuda_runtime.h"
