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
  const int64_t* extents;    /* x first */
  void* const* buffers;      /* dense host arrays: the levels of each field, newest first, fields as
                                declared; with the halo around the cells where one is read */
  const void* const* params; /* one typed value for each param, as declared */
  const void* const* weights; /* the values of each array of run-time weights, as declared */
  void* const* reductions;    /* out: one typed value for each reduction, as declared; or null */
  const void* const* points; /* the places of each list, as declared: int32_t, or double of a linear
                                list, `rank` of them for each point */
  const int64_t* point_counts;
  void* const* series; /* the values of each series, as declared: one for each step and point */
  int64_t series_steps;
  int64_t first;       /* the number of the first step */
  int64_t steps;       /* -1: as `iterate` says */
  int64_t steps_taken; /* out */
  int32_t repeats;     /* runs, each from the same input; at least 1 */
  double* seconds;     /* out: what the time loop took, for each repeat */
  char message[512];   /* out: the failure's text */
  /* Of a program for pieces of a grid: the devices that have one each. On the CPU they are in
   * memory, and the numbers mean nothing. */
  const int* devices;
  int32_t device_count;
  /* Or for tests, where there are none: how many pieces there are, the planes where they begin, and
   * the last one's end; and the most steps of a leg. */
  int32_t pieces;
  const int64_t* cuts;
  int64_t leg_steps; /* in; and out, also for devices */
  int32_t forgets;   /* for tests: between legs pieces lose what they may not rely on */
  /* A stencil_communicator of the processes that have the pieces, each of them one; or null. Host
   * arrays then have the planes of this process alone. For tests, where `pieces` is given: how many
   * of them are here; and host arrays are those of the whole grid. */
  void* communicator;
  int32_t pieces_here;
  /* For a caller that looks on, or null: the run then goes in parts. It is called before the first
   * one with 0, and after each with the steps that are done, and returns the steps of the next
   * part; 0 ends the run. `repeats` is 1. */
  int64_t (*next)(struct stencil_host_call* call, int64_t done);
  void* watcher; /* for `next` */
  /* Out, for `next`: `fetch(fetching)` writes the present values into `buffers` and `series`, which
   * `next` may exchange; what is null there is left out. Returns a stencil_code. */
  int32_t (*fetch)(void* fetching);
  void* fetching;
  /* Out, for `next`, or null where the run cannot go on while values are on their way:
   * `depart(departing)` begins copies of the fields whose `buffers` are not null, and returns 1; or
   * 0 where it cannot, and `fetch` has to do. After 1, `arrive(arriving, buffers)` is called once,
   * by another thread, and waits for the values; what is null there is left out. The run does not
   * end before that, and the memory of `buffers` stays until the run has ended. */
  int32_t (*depart)(void* departing);
  void* departing;
  int32_t (*arrive)(void* arriving, void* const* buffers);
  void* arriving;
  int32_t content; /* out, for `next`: does the condition of `iterate until` hold? */
};

/* Runs and writes the results back into `buffers`. Returns 0 or a stencil_code with `message`
 * filled. */
int stencilc_host_call(struct stencil_host_call* call);

#ifdef __cplusplus
}
#endif
#endif
