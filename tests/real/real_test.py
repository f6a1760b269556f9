#!/usr/bin/env python3
"""Tests of bench/real: what ptxas reports, texts with 32-bit indices alone, signatures, and the table."""
import json
import pathlib
import random
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "real"))
import build  # noqa: E402
import device  # noqa: E402
import programs  # noqa: E402
import table  # noqa: E402
import texts  # noqa: E402

LOG = """\
ptxas info    : Compiling entry function '_ZN4heat37_GLOBAL__N__5b297913_5_d1_cu_cf8ea4be4stepIlEEvPdS2_S2_' for 'sm_90'
ptxas info    : Function properties for _ZN4heat37_GLOBAL__N__5b297913_5_d1_cu_cf8ea4be4stepIlEEvPdS2_S2_
    1232 bytes stack frame, 2524 bytes spill stores, 2820 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers, 1232 bytes cumulative stack size
ptxas info    : Compiling entry function '_ZN4heat37_GLOBAL__N__5b297913_5_d1_cu_cf8ea4be4stepIiEEvPdS2_S2_' for 'sm_90'
    16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 128 registers, used 1 barriers, 16 bytes cumulative stack size, 4352 bytes smem
ptxas info    : Compiling entry function '_ZN7stencil4cuda5probe5checkEPi' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 250 registers, used 0 barriers
"""


def row(name, default, naive, **more):
    """A row of a program that makes so many GCells/s by the compiler's choice and by naive code."""
    made = {"suite": "apps", "name": name, "size": "1000x1000", "digest": "d", "cells": 10**6, "taken": 10, "device": "H200", "copy": 4e12,
            "variants": {"default": {"schedule": "coarsened", "compulsory_bytes": 8, "card": "H200", "card_bandwidth": 4e12, "cells_by_memory": 500e9,
                                     "cells_by_arithmetic": 900e9, "predicted": 300e9, "predicted_limit": "memory", "stencilc_seconds": 0.1}},
            "built": {"default": {"seconds": 61.0, "kernels": {"step": {"registers": 90, "spill_stores": 4, "spill_loads": 8, "stack": 16}}}},
            "seconds": {"default": 0.01 / default, "naive": 0.01 / naive}, "differ": []}
    made.update(more)
    return made


class Real(unittest.TestCase):
    def test_reads_what_ptxas_reports_of_kernels_with_32_bit_indices(self):
        self.assertEqual(build.kernels_of(LOG), {"step": {"stack": 16, "spill_stores": 4, "spill_loads": 8, "registers": 128, "shared": 4352}})
        wide = LOG[:LOG.index("ptxas info    : Compiling entry function '_ZN4heat37_GLOBAL__N__5b297913_5_d1_cu_cf8ea4be4stepIi")]
        self.assertEqual(build.kernels_of(wide)["step"]["registers"], 255)

    def test_leaves_32_bit_indices_alone(self):
        text = "  const auto advance = narrow ? heat::advance<int> : heat::advance<int64_t>;\n  advance();"
        self.assertEqual(build.narrowed(text), "  (void)narrow;\n  const auto advance = heat::advance<int>;\n  advance();")
        self.assertEqual(build.narrowed("nothing"), "nothing")

    def test_a_row_has_speeds_and_their_ratios(self):
        f = table.figures(row("heat", 250, 200))
        self.assertAlmostEqual(f["speed"] / 250e9, 1)
        for key, value in (("of_naive", 1.25), ("of_copy", 0.5), ("of_limit", 0.5), ("prediction", 1.2), ("registers", 90), ("spilled", 12)):
            self.assertAlmostEqual(f[key], value, msg=key)

    def test_the_faster_naive_code_counts(self):
        both = row("heat", 250, 200)
        both["seconds"]["earlier"] = 0.01 / 500
        self.assertAlmostEqual(table.figures(both)["of_naive"], 0.5)
        self.assertIn("the earlier naive text is faster", table.notes_of(both, 60))

    def test_another_card_scales_what_memory_limits(self):
        f = table.figures(row("heat", 250, 200, copy=2e12))
        self.assertAlmostEqual(f["of_limit"], 1.0)
        self.assertAlmostEqual(f["prediction"], 0.6)

    def test_the_table_names_what_is_wrong(self):
        rows = [row("good", 300, 200), row("wrong", 300, 200, differ=["u"]), row("lost", 100, 200)]
        rows.append(row("killed", 1, 1, seconds={}, built={"default": {"problem": "nvcc was killed after 120 s", "kernels": {}}}))
        lines = "\n".join(table.table(rows, None, 60) + table.summary(rows, None, 60))
        for part in ("DIFFERS FROM NAIVE: u", "nvcc was killed", "nvcc took 61 s", "2 of 3 (67%) reach 0.98", "the worst: lost 0.50",
                     "bits that differ: wrong; not measured: killed", "spills: 3 programs; the largest: wrong 12"):
            self.assertIn(part, lines)

    def test_compares_with_earlier_rows_and_leaves_a_broken_line_out(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.jsonl"
            path.write_text(json.dumps(row("heat", 100, 100)) + "\n" + json.dumps(row("heat", 200, 100)) + '\n{"name": "he')
            before = table.read_rows(path)
        self.assertAlmostEqual(table.change_of(row("heat", 300, 100), before), 1.5)
        self.assertIn("after / before: geometric mean 1.500 of 1", "\n".join(table.summary([row("heat", 300, 100)], before, 60)))

    def test_a_search_says_what_the_choice_is_of_the_best(self):
        found = row("heat", 100, 100)
        found["seconds"]["c01"] = 0.01 / 125
        found["variants"]["c01"] = {"schedule": "coarsened,vector=2"}
        self.assertAlmostEqual(table.figures(found)["of_best"], 0.8)
        self.assertIn("coarsened,vector=2", "\n".join(table.table([found], None, 60)))

    def test_draws_the_same_schedules_for_the_same_program(self):
        chosen = "naive,threads=32x7,global=flux"

        def forty(axes):
            draws = random.Random("heat")
            return [texts.drawn_schedule(draws, axes, ["flux", "slope"], chosen) for _ in range(40)]
        for axes in (["x"], ["x", "y"], ["i", "j", "k"]):
            drawn = forty(axes)
            self.assertEqual(drawn, forty(axes))
            near = [one for one in drawn if "threads=32x7" in one]  # no list of words has these threads
            self.assertTrue(10 < len(near) < 30, near)
            self.assertTrue(all(one.startswith("naive") for one in near))
            self.assertEqual(any("swizzle" in one for one in drawn), len(axes) == 3)
            values = {value for one in drawn for value in texts.values_of(one)}
            self.assertLessEqual({"flux", "slope"}, values)
            self.assertLessEqual(values, {"flux", "slope", "all"})

    def test_the_lists_name_programs_that_exist(self):
        listed = programs.all_of("apps", None) + programs.all_of("textbook", None)
        self.assertGreater(len(listed), 40)
        for program in listed:
            self.assertIn(len(program.extents()), (1, 2, 3))
            self.assertTrue(program.path.exists(), program.path)
        self.assertEqual(len({program.name for program in listed}), len(listed))

    def test_a_list_elsewhere_is_a_suite_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            own = pathlib.Path(folder) / "sizes.txt"
            (own.parent / "two.stn").write_text("stencil a { }\nstencil two { }\n")
            own.write_text("# programs of mine\ntwo:a 96x48 2 u=random:0..1\ntwo 100 1\n")
            made = programs.all_of("own", None, own)
        self.assertEqual([(p.line(), p.stencil, p.steps, p.given) for p in made],
                         [("own two_a 96x48", "a", 2, {"u": "random:0..1"}), ("own two 100", "two", 1, {})])
        self.assertIn("own", programs.SUITES)  # rows are sorted by their suites

    def test_reads_signatures(self):
        header = "int heat_run(\n    float* u[2], const stencil_bf16* k, int64_t nx, bool wet, int64_t steps, void* workspace, size_t workspace_bytes, cudaStream_t stream);"
        self.assertEqual(device.signature(header, "heat_run"),
                         [("float", True, "u", 2), ("stencil_bf16", True, "k", 0), ("int64_t", False, "nx", 0), ("bool", False, "wet", 0),
                          ("int64_t", False, "steps", 0), ("void", True, "workspace", 0), ("size_t", False, "workspace_bytes", 0),
                          ("cudaStream_t", False, "stream", 0)])


if __name__ == "__main__":
    unittest.main()
