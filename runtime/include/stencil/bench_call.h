/* How `stencilc bench` times a stencil: through a library that it has built and loaded, without
 * arrays of the host. */
#ifndef STENCIL_BENCH_CALL_H
#define STENCIL_BENCH_CALL_H

#include "host_call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is timed as one: so many runs one after the other, each of so many steps. */
struct stencil_round {
  int64_t runs;
  int64_t steps;
  int32_t refill; /* the grids get their first values again before, which is not timed */
  double rest;    /* then so many seconds pass before the first run */
};

/* Who is timed asks for one round after the other. */
struct stencil_bench {
  uint64_t seed; /* of the values in the grids */
  void* context;
  /* Fills in the next round, given the seconds that the one before took (0 for the first). Returns
   * 0 where there is none. */
  int32_t (*next)(void* context, double seconds, struct stencil_round* round);
  /* Before the rounds a run of so many steps, 0: none. What it makes of the cells is summed up in
   * `checksum`: the same bits give the same sum, all NaN counting as one. */
  int64_t checked_steps;
  uint64_t* checksum;
};

/* Makes the grids, fills them, and runs the rounds. Of `call` it takes what stencilc_host_call
 * takes but buffers, steps, repeats and seconds. Returns 0 or a stencil_code with `call->message`
 * filled. */
int stencilc_bench_call(struct stencil_host_call* call, const struct stencil_bench* bench);

/* The same for copies of an array: a run is `steps` of them. Fills in how many bytes one copy reads
 * and writes. */
int stencilc_copy_call(struct stencil_host_call* call, const struct stencil_bench* bench,
                       int64_t* bytes);

#ifdef __cplusplus
}
#endif
#endif
