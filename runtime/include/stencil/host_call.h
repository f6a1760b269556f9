/* One run of a compiled stencil on host data: what `stencilc run` hands to a shared library that it
 * has built and loaded. */
#ifndef STENCIL_HOST_CALL_H
#define STENCIL_HOST_CALL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct stencil_host_call {
  int32_t rank;
  const int64_t* extents; /* x first */
  void* const*
      buffers; /* dense host arrays: the levels of each field, newest first, fields as declared */
  const void* const* params; /* one typed value for each param, as declared */
  int64_t steps;
  int32_t repeats;   /* runs, each from the same input; at least 1 */
  double* seconds;   /* out: what the time loop took, for each repeat */
  char message[512]; /* out: the failure's text */
};

/* Runs and writes the results back into `buffers`. Returns 0 or a stencil_code with `message`
 * filled. */
int stencilc_host_call(struct stencil_host_call* call);

#ifdef __cplusplus
}
#endif
#endif
