// Where a run starts: levels of fields, the number of the first step, what is made up, and the
// memory that it takes.
#include <gtest/gtest.h>

#include "data/files/npy.h"
#include "data/files/npz.h"
#include "support/cli.h"

namespace stencilc {
namespace {

using data::Element;
using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::expect_refused;
using test::Workplace;

// Three levels, each of which can be told from the others after a step; `t` and a series by the
// number of the step.
constexpr const char* kLevels =
    "stencil go { axes x; field f32 u, n; points p; series f32 s(p), r(p); "
    "u[t+1] = 100*u + 10*u[t-1] + u[t-2]; n[t+1] = f32(t); inject n[t+1] += s[t] at p; "
    "sample r[t] = n[t+1] at p; }";

data::Array line(std::initializer_list<float> values) {
  data::Array made = *data::make_array(Element::f32, {static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), made.as<float>());
  return made;
}
std::vector<float> floats(const Workplace& here, const std::string& name) {
  const auto array = data::parse_npy(here.read(name), true);
  EXPECT_TRUE(array.ok()) << name;
  return {array->as<float>(), array->as<float>() + array->count()};
}

TEST(RunStart, EachLevelHasItsInput) {
  const Workplace here("go.stn", kLevels);
  here.write("1.npy", data::npy_file(line({1, 2})));
  const data::Array two = line({3, 4}), three = line({5, 6});
  here.write("two.npz", data::npz_file({{"u", &two}, {"u[t-2]", &three}}, false));
  const std::string run =
      "run go.stn --target=cpu --in n=zero --in s=zero --points p=0 --out u=u.npy ";
  const auto values = [&](const std::string& words) {
    const auto finished = ended(here.stencilc(run + words));
    EXPECT_EQ(finished.err, "") << words;
    return floats(here, "u.npy");
  };
  using Floats = std::vector<float>;
  EXPECT_EQ(values("--in u=1.npy"), (Floats{111, 222}));
  // What names a level goes before what names the field, whichever comes first.
  EXPECT_EQ(values("--in 'u[t-1]=zero' --in u=1.npy"), (Floats{101, 202}));
  EXPECT_EQ(values("--in u=1.npy --in 'u[t-2]=constant:7' --in 'u[t]=zero'"), (Floats{17, 27}));
  // An array of the level's name, one of the field's, and one that is named.
  EXPECT_EQ(values("--in 'u,u[ t - 2 ]=two.npz' --in 'u[t-1]=1.npy'"), (Floats{315, 426}));
  EXPECT_EQ(values("--in u=zero --in 'u[t-1]=two.npz'"), (Floats{30, 40}));
  EXPECT_EQ(values("--in u=zero --in 'u[t-2]=two.npz:u'"), (Floats{3, 4}));
  const auto partly = ended(here.stencilc(run + "--in 'u[t-1]=1.npy' --plot u=u.svg"));
  EXPECT_EQ(partly.err,
            "stencilc: note: there is no `--in` for `u[t]` and `u[t-2]`: filled with `gauss`\n");
  expect_has(here.read("u.svg"), {">u[t], u[t-2] are made up (gauss)</text>"});
  expect_refused(here, "run go.stn --target=cpu ", R"(
    --in 'u[t-3]=1.npy'          => 1 => ...`--in u[t-3]=1.npy`: a run starts with the levels `u[t]` to `u[t-2]` [STN0703]
    --in 'n[t-1]=1.npy'          => 1 => ...`--in n[t-1]=1.npy`: a run starts with one level of `n`; write `--in n=1.npy` [STN0703]
    --in 'u[t+1]=1.npy'          => 1 => ...`u[t+1]` is no level of a field, such as `u[t]` or `u[t-1]` [STN0703]
    --in 'u[t-1]v=1.npy'         => 1 => ...`u[t-1]v` is no level of a field...
    --in 'u[t-99999999999]=zero' => 1 => ...is no level of a field...
    --in '[t]=zero'              => 1 => ...`[t]` is no level of a field...
    --in 's[t-1]=zero'           => 1 => ...`s` is a series, and so it stands alone [STN0703]
    --in 'w[t-1]=1.npy'          => 1 => ...the stencil `go` has no field `w`...
    --in 'u[t-1],u[t-1]=two.npz' => 1 => ...`--in u[t-1],u[t-1]=two.npz` names `u[t-1]` twice [STN0703]
    --size 3 --in 'u[t-1]=1.npy' => 1 => ...the input of `u[t-1]` is 2, but the grid is 3 [STN0703]
  )");
}

TEST(RunStart, TheFirstStepHasANumber) {
  const Workplace here("go.stn", kLevels);
  const data::Array rows = line({1, 2, 3, 4, 5, 6});
  here.write("s.npy", data::npy_file(rows));
  const std::string run =
      "run go.stn --target=cpu --size 2 --in u=zero --in n=zero --points p=1 --in s=s.npy ";
  ended(here.stencilc(run + "--first 3 --steps 2 --out n=n.npy --out r=r.npy"));
  // Step 4 is the last one, and takes row 4 of the series.
  EXPECT_EQ(floats(here, "n.npy"), (std::vector<float>{4, 9}));
  EXPECT_EQ(floats(here, "r.npy"), (std::vector<float>{0, 0, 0, 7, 9}));
  expect_refused(here, run, R"(
    --first -1                              => 2 => ...`--first -1`: the least is 0...
    --first 5 --steps 2                     => 1 => ...the series `s` needs 1 points in 7 steps [STN0703]
    --first 4611686018427387903 --steps 9223372036854775807 => 1 => ...more steps than can be counted [STN0703]
  )");
  here.write("one.stn", "stencil one { axes x; field f32 u in; field f32 v out; v = u; }");
  expect_refused(here, "run one.stn --target=cpu ", R"(
    --first 1 => 1 => ...`--first` has no effect, because `one` takes no steps [STN0703]
  )");
  // Snapshots are numbered from there; and a level before that is not given is said.
  const auto later = ended(here.stencilc(
      "run go.stn --target=cpu --in u=n.npy --in n=zero --points p=1 --in s=s.npy --first 3 "
      "--steps 3 --every 2 --out n=n%d.npy --log l"));
  expect_has(later.out,
             {"wrote n5.npy\n",
              "note: all levels of `u` start with `n.npy`; `--in 'u[t-1]=...'` gives the "
              "one before the first step\n"});
  EXPECT_TRUE(here.read("l").starts_with("{\"step\":5,\"time\":5.0,")) << here.read("l");
  EXPECT_EQ(floats(here, "n5.npy"), (std::vector<float>{4, 9}));
  // What is found in a run is numbered from there, too.
  here.write("grow.stn", "stencil grow { axes x; field f32 u; u[t+1] = u * 1e20; }");
  expect_has(ended(here.stencilc("run grow.stn --target=cpu --size 4 --in u=constant:1 --first 100 "
                                 "--steps 5"))
                 .err,
             {"4 of 4 cells of `u` are not finite, starting at step 102"});
}

// Prints the plan of a run, and writes and builds nothing.
TEST(RunStart, ADryRunSaysWhatARunWouldDo) {
  Workplace here("go.stn", kLevels);
  here.own_cache = true;
  here.write("1.npy", data::npy_file(line({1, 2})));
  const auto dry = ended(here.stencilc(
      "run go.stn --target=cpu --in 'u[t-1]=1.npy' --in 'u[t]=1.npy' --in s=zero --first 7 --steps "
      "9 --out u=u.npy --plot n.svg --dry-run"));
  EXPECT_EQ(dry.err, "");
  test::expect_lines(dry.out, {"go: 2, 9 steps from step 7 on the CPU, schedule ...",
                               "reads    1.npy into u[t], u[t-1]",
                               "makes up u[t-2], n by `gauss`, because there is no `--in`",
                               "makes    zero into s", "points   p: 1 place",
                               "makes up p: one point in the middle, because there is no "
                               "`--points`",
                               "writes   u.npy from u, 8 bytes", "writes   n.svg, a picture of n",
                               "memory   1.4 KiB of the host, of ..."});
  EXPECT_EQ(here.files(), (test::Names{"1.npy", "go.stn"}));
  expect_refused(here, "run go.stn --target=cpu --dry-run ", R"(
    --in u=2.npy  => 3 => ...cannot read `2.npy`...
    --out w=w.npy => 1 => ...has no field `w`...
  )");
}

// What does not fit is refused before it is allocated, and what the message names does fit.
TEST(RunStart, ARunThatDoesNotFitSaysWhichSizeWould) {
  const Workplace here("wave.stn",
                       "stencil wave { axes x, y; field f32 u boundary mirror; u[t+1] = 2*u - "
                       "u[t-1] + 0.25*laplacian(u); }");
  const auto refused =
      ended(here.stencilc("run wave.stn --target=cpu --size 4000000x1000000 --dry-run"), 4);
  expect_has(refused.err,
             {"error: the run needs 58.2 TiB of memory, and ", " are left; a grid of "});
  const auto size = [&](const std::string& text) {
    std::string found = text.substr(text.find("a grid of ") + 10);
    found.resize(found.find(" would fit"));
    std::erase(found, ' ');
    return found;
  };
  // Series count, too.
  const Workplace heard("heard.stn",
                        "stencil heard { axes x; field f32 u; points p; series f32 r(p); "
                        "u[t+1] = 2*u; sample r[t] = u at p; }");
  expect_has(
      ended(heard.stencilc("run heard.stn --target=cpu --size 4 --in u=zero --points 'p=1;2' "
                           "--steps 1000000000000"),
            4)
          .err,
      {"error: the series `r` has 7.3 TiB in 1000000000000 steps, and "});
  // By a limit that does not move.
  const std::string limited =
      "ulimit -v 4000000; exec '" STENCILC_BINARY "' run wave.stn --target=cpu ";
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const auto small = ended(here.shell(limited + "--size 40000x10000 --in u=zero"), 4);
  expect_has(small.err, {"error: the run needs 6.0 GiB of memory, and 3.", " GiB are left"});
  ended(here.shell(limited + "--dry-run --size " + size(small.err)));
#endif
}

TEST(RunStart, AFileLargerThanMemoryIsNotRead) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const Workplace here("id.stn", "stencil id { axes x; field f32 u; u[t+1] = 2*u; }");
  const auto finished =
      ended(here.shell("truncate -s 3G u.npy; ulimit -v 2000000; exec '" STENCILC_BINARY
                       "' run id.stn --target=cpu --in u=u.npy"),
            4);
  expect_has(finished.err,
             {"error: the files of `--in` have 3.0 GiB, and 1.", "GiB of memory are left"});
#endif
}

}  // namespace
}  // namespace stencilc
