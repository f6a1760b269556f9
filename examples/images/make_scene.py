#!/usr/bin/env python3
"""Renders scene.png, the test photograph: a hut at a mountain lake, 480 x 320, 8-bit gray.

    python3 make_scene.py scene.png

Needs NumPy. The same picture every time: soft gradients (sky, water), texture at all scales (rock, grass), sharp edges and
details of one pixel (hut, fence, reeds), so that it shows what a filter does to each of them.
"""
import struct
import sys
import zlib

import numpy as np

WIDTH, HEIGHT = 480, 320
HORIZON = 214  # where the far shore meets the water
rng = np.random.default_rng(7)
Y, X = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)


def noise(cell_x, cell_y):
    """Smooth noise from -1 to 1 whose bumps are about so many pixels wide and high."""
    grid = rng.uniform(-1, 1, (int(HEIGHT / cell_y) + 3, int(WIDTH / cell_x) + 3))
    x, y = X / cell_x, Y / cell_y
    column, row = x.astype(int), y.astype(int)
    u, v = x - column, y - row
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    top = grid[row, column] * (1 - u) + grid[row, column + 1] * u
    bottom = grid[row + 1, column] * (1 - u) + grid[row + 1, column + 1] * u
    return top * (1 - v) + bottom * v


def fractal(cell, octaves, stretch=1.0, gain=0.5):
    return sum(gain**k * noise(max(cell * stretch / 2**k, 1), max(cell / 2**k, 1)) for k in range(octaves))


def cover(image, where, value):
    """Paints value over image where `where`, a coverage from 0 to 1, says."""
    where = np.clip(where, 0, 1)
    return image * (1 - where) + value * where


def sky():
    glow = np.exp(-((X - 350) ** 2 + (Y - 120) ** 2) / 16000)
    clouds = np.clip(fractal(110, 6, stretch=2.6) * 1.1 - 0.1, 0, 1)
    image = 0.45 + 0.32 * Y / HORIZON + 0.25 * glow
    image = cover(image, 0.8 * clouds, 0.93 - 0.25 * np.clip(fractal(60, 4, stretch=2), 0, 1))
    sun = np.hypot(X - 350, Y - 62) - 13
    return cover(image, 0.5 - sun, 1.0)


def ridge(image, base, height, cell, tone, haze, snow):
    """A mountain range: a fractal skyline, faces lit from the right, snow above a height."""
    profile = base - height * (fractal(cell, 7, gain=0.52)[0] * 0.55 + 0.45)
    rock = fractal(34, 6, gain=0.62)
    slope = np.gradient(rock, axis=1) * 3.2 + np.gradient(rock, axis=0) * 1.2
    light = tone + 0.10 * rock + 0.9 * np.clip(slope, -0.18, 0.18)
    depth = Y - profile
    if snow:
        line = 38 + 26 * rock
        light = cover(light, np.clip((line - depth) / 10, 0, 1), 0.88 + 0.8 * np.clip(slope, -0.3, 0.12))
    return cover(image, depth + 0.5, light * (1 - haze) + 0.72 * haze)


def lake(image):
    """The scene above the shore, mirrored and shaken by ripples."""
    depth = np.clip(Y - HORIZON, 0, None)
    shake = noise(26, 3.0) * (1 + depth * 0.05) + noise(9, 1.5) * (0.5 + depth * 0.02)
    row = np.clip(HORIZON - 1 - depth * 1.25 + shake * 1.8, 0, HEIGHT - 1).astype(int)
    column = np.clip(X + shake * 1.3, 0, WIDTH - 1).astype(int)
    water = 0.78 * image[row, column] + 0.04 + 0.05 * noise(18, 1.6)
    glitter = (noise(5, 1.2) > 0.80 - 0.25 * np.exp(-((X - 350) / 46) ** 2)) * np.exp(-((X - 350) / 60) ** 2)
    return cover(image, Y - HORIZON + 0.5, cover(water, 0.85 * glitter, 1.0))


def firs(image):
    for _ in range(60):
        foot, x = HORIZON + rng.uniform(-3, 2), rng.choice([rng.uniform(0, 170), rng.uniform(400, 480)])
        tall = rng.uniform(14, 36)
        up = (foot - Y) / tall
        jag = 0.75 + 0.25 * np.cos((foot - Y) * 2.2)
        half = 0.20 * tall * (1 - up) * jag
        image = cover(image, (half - np.abs(X - x) + 0.4) * (up > 0) * (up < 1), rng.uniform(0.07, 0.17) + 0.05 * (X > x))
    return image


def hut(image):
    wall = (X > 84) & (X < 156) & (Y > 206) & (Y < 244)
    boards = 0.34 - 0.10 * (Y.astype(int) % 5 == 0) + 0.03 * fractal(12, 3, stretch=5)
    image = np.where(wall, boards, image)
    tiles = 0.55 + 0.12 * ((X.astype(int) + 3 * (Y.astype(int) // 4)) % 6 < 3) - 0.10 * (Y.astype(int) % 4 == 0)
    image = np.where((np.abs(X - 120) < 46) & (Y < 208) & (22 - np.abs(X - 120) * 0.48 > 206 - Y), tiles, image)
    image = np.where((np.abs(X - 139) < 4) & (Y > 180) & (Y < 199), 0.22, image)
    for left in (92, 134):  # windows with a cross
        pane = (X >= left) & (X < left + 14) & (Y >= 214) & (Y < 228)
        bars = (X == left + 7) | (Y == 221) | (X == left) | (X == left + 13) | (Y == 214) | (Y == 227)
        image = np.where(pane, np.where(bars, 0.95, 0.10), image)
    return np.where((X >= 113) & (X < 126) & (Y >= 217) & (Y < 244), np.where(X == 119, 0.10, 0.18), image)


def meadow(image):
    shore = 236 + 0.11 * X + 5 * noise(60, 400) + 1.2 * noise(7, 400)
    blades = fractal(10, 4, stretch=0.25, gain=0.7)
    grass = 0.33 + 0.17 * blades + 0.10 * fractal(70, 3) - 0.12 * np.exp(-(Y - shore) / 4)
    return cover(image, Y - shore + 0.5, np.clip(grass, 0.05, 0.85))


def fence(image):
    rail = lambda x: 283 - 0.06 * x + 1.5 * np.sin(x / 40)
    for off in (-13, -5):
        image = cover(image, (1.4 - np.abs(Y - rail(X) - off)) * (X < 330), 0.86)
    for x in range(6, 330, 18):
        top, post = rail(x) - 20, (np.abs(X - x) <= 2) & (Y > rail(x) - 20 + np.abs(X - x)) & (Y < rail(x) + 4)
        image = np.where(post, np.where(X > x, 0.62, 0.92), image)
    return image


def reeds(image):
    for _ in range(90):
        x, foot, tall = rng.uniform(345, 480), rng.uniform(288, 320), rng.uniform(22, 62)
        up = np.clip((foot - Y) / tall, 0, 1)
        stem = np.abs(X - x - rng.uniform(-9, 9) * up**2)
        tone = rng.choice([0.06, 0.12, 0.75])
        image = cover(image, (0.75 - stem) * (up > 0) * (up < 1), tone)
        if tone < 0.1:
            image = cover(image, (2.1 - stem) * (up > 0.80) * (up < 0.97), 0.10)
    return image


def png(gray):
    rows = b"".join(b"\0" + row.tobytes() for row in gray)
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", gray.shape[1], gray.shape[0], 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


image = sky()
image = ridge(image, 196, 120, 150, tone=0.46, haze=0.42, snow=True)
image = ridge(image, 214, 62, 120, tone=0.30, haze=0.20, snow=False)
image = firs(image)
image = lake(image)
image = meadow(image)
image = hut(image)
image = fence(image)
image = reeds(image)
grain = rng.normal(0, 0.008, image.shape)
with open(sys.argv[1], "wb") as file:
    file.write(png(np.clip((image + grain) * 255, 0, 255).round().astype(np.uint8)))
