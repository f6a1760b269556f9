// --arch: which GPUs the output is for, what is refused on them, and what the explanation says.
#include <gtest/gtest.h>

#include "driver/archs.h"
#include "support/cli.h"

namespace stencilc {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using test::Workplace;
using Names = std::vector<std::string>;

// A machine whose nvidia-smi prints a text.
class GpuMachine : public Workplace {
 public:
  explicit GpuMachine(const std::string& says) {
    example("laplace");
    fs::create_directory(path / "bin");
    write("bin/nvidia-smi", "#!/bin/sh\ncat <<'END'\n" + says + "\nEND\n");
    fs::permissions(path / "bin/nvidia-smi", fs::perms::owner_all);
  }
  Finished stencilc(const std::string& words) const {
    return shell("PATH=\"$PWD/bin:$PATH\" '" STENCILC_BINARY "' " + words);
  }
};

// What nvcc is called with where `stencilc run` finds a GPU, a compiler that ends at once.
std::string build_words(const std::string& capability, const std::string& words) {
  const GpuMachine here(capability);
  here.write("bin/nvcc", "#!/bin/sh\necho \"$@\" >> calls\nexit 1\n");
  fs::permissions(here.path / "bin/nvcc", fs::perms::owner_all);
  const Finished finished =
      here.shell("PATH=\"$PWD/bin:$PATH\" XDG_CACHE_HOME=\"$PWD/cache\" '" STENCILC_BINARY
                 "' run laplace.stn --size 8x8 " +
                 words);
  EXPECT_EQ(finished.status, 1) << finished.err;
  return test::read(here.path / "calls");
}

// The line of an explanation that holds a text.
std::string line_with(const std::string& text, const std::string& part) {
  const size_t at = text.find(part);
  if (at == text.npos) return "no " + part + " in:\n" + text;
  const size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

TEST(Arch, TheWordsOfNvidiaSmiBecomeNames) {
  EXPECT_EQ(driver::archs_of("9.0\n"), Names{"sm_90"});
  EXPECT_EQ(driver::archs_of("9.0\n12.1\n7.5"), (Names{"sm_90", "sm_121", "sm_75"}));
  EXPECT_EQ(driver::archs_of(""), Names{});
  EXPECT_EQ(driver::archs_of("No devices were found\n"), Names{});
  EXPECT_EQ(driver::archs_of("[N/A]\n.0\n9.\n9.00\n90\nx.y\n"), Names{});
}

TEST(Arch, EveryLaunchIsExplainedForEachDevice) {
  const Workplace here;
  here.example("laplace");
  const auto explained = [&](const Names& words) {
    Names all = {"laplace.stn", "--explain", "-O0"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished finished = here.stencilc(all);
    EXPECT_EQ(finished.status, 0) << finished.err;
    return line_with(finished.out, "threads a block");
  };
  const std::string begin =
      "  step: 256 threads a block; blocks on a multiprocessor, if registers allow: ";
  EXPECT_EQ(explained({}), begin + "4 on sm_75 (32 of 32 warps)");
  EXPECT_EQ(explained({"--arch=sm_90"}), begin + "8 on sm_90 (64 of 64 warps)");
  EXPECT_EQ(explained({"--arch=sm_90,sm_86", "--arch", "sm_90"}),
            begin + "8 on sm_90 (64 of 64 warps), 6 on sm_86 (48 of 48 warps)");
  EXPECT_EQ(explained({"--target=cpu"}).substr(0, 3), "no ");
}

TEST(Arch, ExplainHoldsTheRoofline) {
  const Workplace here;
  here.example("laplace");
  here.example("bilateral");
  const auto explained = [&](const std::string& file, const std::string& arch) {
    const Finished finished = here.stencilc({file, "--explain", "-O0", "--arch=" + arch});
    EXPECT_EQ(finished.status, 0) << finished.err;
    return finished.out;
  };
  const std::string laplace = explained("laplace.stn", "sm_90,sm_88,sm_80");
  EXPECT_EQ(line_with(laplace, "A cell"),
            "A cell of a step takes at least 8 bytes (4 read, 4 stored), and 1 multiplication, 3 "
            "fused multiply-adds; 7 flop, 0.88 a byte");
  EXPECT_EQ(line_with(laplace, "H200"),
            "  H200 SXM5: at most 530 GCells/s by its memory (a copy moves 4240 GB/s) and 8364 by "
            "arithmetic; the memory is the limit");
  EXPECT_EQ(line_with(laplace, "A100"),
            "  A100 SXM4 40 GB: at most 194 GCells/s by its memory (its data sheet says 1555 GB/s) "
            "and 2436 by arithmetic; the memory is the limit");
  EXPECT_NE(line_with(explained("bilateral.stn", "sm_90"), "H200")
                .find("by arithmetic without divisions and longer functions; arithmetic is the "),
            std::string::npos);
}

TEST(Arch, AnOptionTakesOneWord) {
  const Workplace here;
  here.example("laplace");
  EXPECT_EQ(here.stencilc({"--arch", "sm_80,sm_90", "laplace.stn", "-o", "a.cu"}).status, 0);
  EXPECT_TRUE(fs::exists(here.path / "a.cu"));
}

TEST(Arch, AnUnknownOneIsAnsweredWithTheKnown) {
  const Workplace here;
  here.example("laplace");
  const std::string known =
      "native, sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_103, sm_110, sm_120, "
      "sm_121";
  for (const std::string target : {"--target=cuda", "--target=cpu"}) {
    const Finished close = here.stencilc({"laplace.stn", "--arch=sm_80,sm_91", target});
    EXPECT_EQ(close.status, 1);
    EXPECT_NE(close.err.find("there is no architecture `sm_91` [STN0602]\n"), close.err.npos);
    EXPECT_NE(close.err.find("the nearest is `sm_90`\n"), close.err.npos) << close.err;
    EXPECT_NE(close.err.find("the architectures are " + known + "\n"), close.err.npos) << close.err;
  }
  const Finished far = here.stencilc({"laplace.stn", "--arch=hopper"});
  EXPECT_EQ(far.status, 1);
  EXPECT_EQ(far.err.find("nearest"), far.err.npos) << far.err;
}

TEST(Arch, NativeIsWhatNvidiaSmiShows) {
  const std::string words = "laplace.stn --schedule=naive --explain --arch=native";
  const Finished one = GpuMachine("9.0").stencilc(words);
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_NE(one.out.find("allow: 8 on sm_90 (64 of 64 warps)\n"), one.out.npos) << one.out;
  const Finished three = GpuMachine("12.0\n8.9\n12.0").stencilc(words + ",sm_89");
  EXPECT_NE(three.out.find("6 on sm_120 (48 of 48 warps), 6 on sm_89 (48 of 48 warps)\n"),
            three.out.npos)
      << three.out;
}

TEST(Arch, NativeWithoutAKnownGpuAsksForAName) {
  const std::string words = "laplace.stn --arch=native";
  const Finished none = GpuMachine("No devices were found").stencilc(words);
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.err,
            "stencilc: error: `--arch=native` means the GPU of this machine, and `nvidia-smi` "
            "shows none [STN0602]\n"
            "  help: name an architecture, such as `--arch=sm_90`\n");
  const GpuMachine old("7.0");
  const Finished unknown = old.stencilc(words);
  EXPECT_EQ(unknown.status, 1);
  EXPECT_NE(unknown.err.find("and that is sm_70, which is not known here [STN0602]\n"),
            unknown.err.npos)
      << unknown.err;
  EXPECT_FALSE(fs::exists(old.path / "laplace.cu"));
  const Finished lost = old.shell("PATH=\"$PWD/nowhere\" '" STENCILC_BINARY "' " + words);
  EXPECT_NE(lost.err.find("`nvidia-smi` shows none"), lost.err.npos) << lost.err;
}

TEST(Arch, KernelsAreBuiltForTheGpuOfTheMachine) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
  };
  const std::string one = build_words("8.6", "");
  EXPECT_TRUE(has(one, "-gencode=arch=compute_86,code=sm_86 ")) << one;
  EXPECT_FALSE(has(one, "native")) << one;
  const std::string two = build_words("8.6", "--arch=sm_80,native,sm_86");
  EXPECT_TRUE(
      has(two, "-gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_86,code=sm_86 -I"))
      << two;
  // What is not known here nvcc may know.
  EXPECT_TRUE(has(build_words("99.0", ""), " -arch=native ")) << "of an unknown GPU";
}

TEST(Arch, TheCpuHasNone) {
  const Finished finished =
      GpuMachine("No devices were found").stencilc("laplace.stn --target=cpu --arch=native");
  EXPECT_EQ(finished.status, 0) << finished.err;
}

TEST(Arch, AScheduleFitsTheWeakestOfThem) {
  const Workplace here;
  here.example("laplace");
  const auto says = [&](const std::string& arch) {
    Names words = {"laplace.stn", "--schedule=naive,resident=8"};
    if (!arch.empty()) words.push_back("--arch=" + arch);
    return here.stencilc(words).err;
  };
  const std::string problem =
      "stencilc: error: `resident=8` with blocks of 256 threads, of which a multiprocessor holds ";
  EXPECT_EQ(says("sm_90"), "");
  EXPECT_EQ(says("sm_80,sm_86"),
            problem +
                "6 [STN0601]\n  help: the output is for sm_80, sm_86; `--arch` names other "
                "GPUs\n");
  EXPECT_EQ(says(""),
            problem + "4 [STN0601]\n  help: the output is for sm_75; `--arch` names other GPUs\n");
}

}  // namespace
}  // namespace stencilc
