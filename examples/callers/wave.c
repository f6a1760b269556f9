/* Calls a stencil from C99. Build and run it in this folder:
 *
 *   stencilc ../wave2d.stn --target=cpu --emit=so -o libwave2d.so -H wave2d.h
 *   gcc -std=c99 wave.c -L. -lwave2d -Wl,-rpath,. -o wave
 *   ./wave
 */
#include <stdio.h>
#include <stdlib.h>

#include "wave2d.h"

enum { nx = 64, ny = 48 };

int main(void) {
  float* u[2]; /* level t, and level t-1; a run swaps the pointers */
  int code, i;
  for (i = 0; i < 2; ++i) {
    u[i] = calloc((size_t)nx * ny, sizeof(float));
    if (u[i] == NULL) return 1;
    u[i][20 * nx + 30] = 1.0f;
  }

  code = wave2d_run(u, nx, ny, nx, 0.25f, 100);
  if (code != STENCIL_OK) {
    fprintf(stderr, "%s\n", stencil_last_error());
    return 1;
  }
  printf("u(30,20) = %.6f, u(0,0) = %.6f\n", u[0][20 * nx + 30], u[0][0]);

  /* A call with a mistake changes nothing. */
  code = wave2d_run(u, nx, ny, nx, 0.25f, -1);
  printf("code %d%s: %s\n", code, code == STENCIL_NEGATIVE_STEPS ? ", as expected" : "",
         stencil_last_error());
  free(u[0]);
  free(u[1]);
  return 0;
}
