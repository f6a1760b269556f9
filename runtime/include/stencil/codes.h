/* The failures that a call can report, for C. In C++ they are stencil::Code (status.h). */
#ifndef STENCIL_CODES_H
#define STENCIL_CODES_H

#include <stddef.h> /* size_t, of the size of a workspace */

/* The version of these headers, for what is emitted: docs/versions.md. */
#define STENCIL_RUNTIME 1

#ifdef __cplusplus
extern "C" {
#endif

enum stencil_code {
  STENCIL_OK = 0,
  STENCIL_NULL_POINTER = 1,
  STENCIL_HOST_POINTER = 2, /* memory that the device cannot reach */
  STENCIL_MISALIGNED = 3,   /* a pointer that is no multiple of its element size */
  STENCIL_BAD_EXTENTS = 4,  /* zero, negative, too large, or different from the other grids */
  STENCIL_BAD_PITCH = 5,    /* shorter than a row, or different from the other grids */
  STENCIL_ALIASING = 6,     /* something written shares memory with something else */
  STENCIL_NEGATIVE_STEPS = 7,
  STENCIL_OUT_OF_MEMORY = 8,
  STENCIL_NO_DEVICE = 9,
  STENCIL_NO_KERNEL_IMAGE = 10,     /* compiled for other devices than this one */
  STENCIL_INSUFFICIENT_DRIVER = 11, /* no driver, or one older than the CUDA runtime */
  STENCIL_LAUNCH_CONFIGURATION = 12,
  STENCIL_STICKY_ERROR = 13,   /* the CUDA context is lost; only a new process helps */
  STENCIL_FP_ENVIRONMENT = 14, /* fast math or flush to zero is on */
  STENCIL_CUDA_ERROR = 15,     /* any other failure of the CUDA runtime */
  STENCIL_SMALL_WORKSPACE = 16, /* fewer bytes than the values of the run need */
  STENCIL_LOST_PROCESS = 17,    /* a process of a mesh has ended, failed or does not answer */
  STENCIL_BAD_FILE = 18         /* of saved grids: damaged, of other grids, or not to be written */
};

/* What the last call of this thread that returned a code other than STENCIL_OK says: cause and
 * remedy. */
const char* stencil_last_error(void);

#ifdef __cplusplus
}
#endif
#endif
