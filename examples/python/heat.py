"""A hot spot spreads: ten lines from the equation to the numbers."""

import numpy as np

import stencilc

step = stencilc.compile("stencil heat { axes x, y; param f32 a; field f32 u boundary clamp; u[t+1] = u + a*laplacian(u); }")
u = np.zeros((200, 300), np.float32)
u[90:110, 140:160] = 100
for done in step.every(250, u=u, a=0.2, steps=1000):
    print(f"step {done:4}: the hottest cell has {u.max():6.2f}, all cells together {u.sum(dtype=np.float64):.1f}")
