"""A stencil between two layers of a network in PyTorch, which learns through it.

smooth_layer.py [--gpu] [--steps N]

The gradient of a stencil is the program's to know: steps of a diffusion on a periodic grid are a symmetric matrix, so the gradient
goes back through the same steps. Without PyTorch, the program checks that with NumPy and ends.
"""

import argparse

import numpy as np

import stencilc

TEXT = """
// The planes z are images of a batch: they do not mix.
stencil diffuse {
  axes  x, y, z;
  param f32 a = 0.1;
  field f32 u  boundary { x: periodic; y: periodic; z: clamp; }

  u[t+1] = u + a * (u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u);
}
"""


def check_gradient(diffuse, steps):
    """The change of sum(w * diffuse(u)) with u is diffuse(w)."""
    rng = np.random.default_rng(1)
    u, w, change = (rng.random((3, 16, 16), np.float32) for _ in range(3))
    gradient = diffuse.out(u=w, steps=steps)
    found = float((w * (diffuse.out(u=u + change, steps=steps) - diffuse.out(u=u, steps=steps))).sum())
    said = float((gradient * change).sum())
    print(f"the output changes by {found:.4f}, and the gradient says {said:.4f}")
    return abs(found - said) < 1e-3 * abs(said)


def train(torch, diffuse, steps, device, rounds=60):
    """A network with the stencil in its middle learns to invert the blur of an image. Returns the errors."""

    class Diffuse(torch.autograd.Function):
        @staticmethod
        def forward(context, images):
            planes = images.detach().reshape(-1, *images.shape[-2:])
            return diffuse.out(u=planes, steps=steps).reshape(images.shape)

        @staticmethod
        def backward(context, gradient):
            return Diffuse.forward(context, gradient.contiguous())

    torch.manual_seed(3)
    first = torch.nn.Conv2d(1, 4, 3, padding=1, padding_mode="circular").to(device)
    last = torch.nn.Conv2d(4, 1, 3, padding=1, padding_mode="circular").to(device)
    wanted = torch.rand(8, 1, 24, 24, device=device)
    images = Diffuse.apply(wanted)
    optimizer = torch.optim.Adam([*first.parameters(), *last.parameters()], lr=0.02)
    errors = []
    for _ in range(rounds):
        loss = (last(Diffuse.apply(first(images))) - wanted).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        errors.append(float(loss.detach()))
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--steps", type=int, default=4)
    options = parser.parse_args()
    good = check_gradient(stencilc.compile(TEXT), options.steps)
    try:
        import torch
    except ImportError:
        print("without PyTorch there is nothing to train; `pip install torch`")
        return 0 if good else 1
    diffuse = stencilc.compile(TEXT, target="cuda" if options.gpu else "cpu")
    errors = train(torch, diffuse, options.steps, "cuda" if options.gpu else "cpu")
    print(f"the error was {errors[0]:.4f} at first, and is {errors[-1]:.4f} after {len(errors)} rounds")
    return 0 if good and errors[-1] < errors[0] / 2 else 1


if __name__ == "__main__":
    raise SystemExit(main())
