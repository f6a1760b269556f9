// stencilc doctor, with tools that are made up.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/cli.h"

namespace stencilc {
namespace {

using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::Workplace;

// A PATH with nothing but what a test writes.
class Bare : public Workplace {
 public:
  Bare() {
    own_cache = true;
    fs::create_directory(path / "bin");
  }
  test::Finished doctor(const std::string& words = "", const std::string& before = "") const {
    return shell(
        "PATH=$PWD/bin STENCIL_NCCL=/none STENCILC_NETCDF=/none; export PATH STENCIL_NCCL "
        "STENCILC_NETCDF\n" +
        before + "\nexec '" STENCILC_BINARY "' doctor " + words);
  }
  nlohmann::json json(int status, const std::string& before = "") const {
    return nlohmann::json::parse(ended(doctor("--json", before), status).out);
  }
};

nlohmann::json part(const nlohmann::json& all, const std::string& name) {
  for (const auto& one : all["parts"])
    if (one["name"] == name) return one;
  ADD_FAILURE() << "no part " << name;
  return {};
}

constexpr const char* kGxx = R"(case $1 in
--version) echo "g++ (Made up 1.2) 13.4.5" ;;
-print-file-name=libgomp.so) [ -e /none ] || echo /made/up/libgomp.so ;;
-print-file-name=*) echo "/made/up/${1#*=}" ;;
esac
)";

TEST(Doctor, WithoutACompilerNothingRuns) {
  const Bare here;
  const auto bare = ended(here.doctor(), 1);
  expect_has(
      bare.out,
      {"g++      missing  programs do not run on the CPU, and `nvcc` has no host compiler\n"
       "                  remedy: apt-get install g++\n",
       "OpenMP   missing  ", "GPU      ", "nvcc     missing  CUDA code is emitted, but not built",
       "MPI      missing  no `stencilc run --mpi`", "NCCL     missing  ", "NetCDF   broken   ",
       "problem: the library `/none` that STENCILC_NETCDF names cannot be",
       "ffmpeg   missing  no films as .mp4\n", "cache    found    0 bytes of 2.0 GiB, ",
       "Programs do not run on the CPU, and do not run on a GPU.\n"});
  const auto json = here.json(1);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["well"], false);
  EXPECT_EQ(json["runs_on"], (nlohmann::json{{"cpu", false}, {"cuda", false}}));
  EXPECT_EQ(part(json, "nvcc")["found"], false);
  for (const auto& one : json["parts"])
    for (const char* what : {"without", "package"})
      EXPECT_NE(one[what].get<std::string>(), "") << one["name"] << " " << what;
  for (const auto& [name, package] : {std::pair{"g++", "g++"},
                                      {"MPI", "libopenmpi-dev"},
                                      {"NCCL", "nvidia-nccl"},
                                      {"NetCDF", "libnetcdf19"},
                                      {"ffmpeg", "ffmpeg"}})
    expect_has(part(json, name)["package"].get<std::string>(), {package});
  EXPECT_EQ(part(json, "NetCDF")["works"], false);
  EXPECT_EQ(ended(here.shell("'" STENCILC_BINARY "' doctor --jsn"), 2).err.find("did you mean"),
            std::string("stencilc: error: there is no option `--jsn`; ").size());
}

TEST(Doctor, EachPartIsWhatThePathHas) {
  const Bare here;
  here.program("bin/g++", kGxx);
  here.program("bin/nvcc", "echo 'Cuda compilation tools, release 13.7, V13.7.48'\n");
  here.program("bin/nvidia-smi",
               "printf 'NVIDIA H200, 570.1.2\\nNVIDIA H200, 570.1.2\\nNVIDIA T4, "
               "570.1.2\\n'\n");
  here.program("bin/ffmpeg", "echo 'ffmpeg version 5.1.6-0+deb12u1 Copyright (c) 2000-2024'\n");
  here.program("bin/mpicxx", "echo 'g++ 12.2.0'\n");
  here.program("bin/mpirun", "echo 'mpirun (Open MPI) 4.1.4'\n");
  const auto well = here.json(0, "unset STENCILC_NETCDF");
  EXPECT_EQ(well["well"], true);
  EXPECT_EQ(well["runs_on"], (nlohmann::json{{"cpu", true}, {"cuda", true}}));
  const auto version = [&](const char* name) { return part(well, name)["version"]; };
  EXPECT_EQ(version("g++"), "13.4.5");
  EXPECT_EQ(part(well, "g++")["place"], (here.path / "bin/g++").string());
  EXPECT_EQ(part(well, "OpenMP")["place"], "/made/up/libgomp.so");
  EXPECT_EQ(version("nvcc"), "13.7");
  EXPECT_EQ(version("GPU"), "2 x NVIDIA H200, NVIDIA T4");
  EXPECT_EQ(version("driver"), "570.1.2");
  EXPECT_EQ(version("ffmpeg"), "5.1.6");
  EXPECT_EQ(version("MPI"), "4.1.4");
  // What is there and does not work is not well, and says why.
  here.program("bin/nvidia-smi",
               "echo 'Failed to initialize NVML: Driver/library version mismatch'\n"
               "exit 18\n");
  const auto broken = ended(here.doctor("", "unset STENCILC_NETCDF"), 1);
  expect_has(
      broken.out,
      {"driver   broken   ", "problem: `nvidia-smi` fails: Failed to initialize NVML: ",
       "without it: a GPU is not used\n", "Programs run on the CPU, and do not run on a GPU.\n"});
  expect_lacks(broken.out, {"g++      broken"});
  fs::remove(here.path / "bin/nvidia-smi");
  fs::remove(here.path / "bin/mpirun");
  EXPECT_EQ(part(here.json(1, "unset STENCILC_NETCDF"), "MPI")["problem"],
            "`mpirun`, which starts the processes, is not on the PATH");
  // A cache that is not used.
  expect_has(
      ended(here.doctor("", "XDG_CACHE_HOME=/proc/none"), 1).out,
      {"cache    broken   ", "problem: ", "without it: each command builds its programs again"});
}

}  // namespace
}  // namespace stencilc
