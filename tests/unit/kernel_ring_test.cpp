// Rings of planes: how much shared memory they take, and what verify() finds in them.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "kernel/ring.h"
#include "support/text.h"

namespace stencilc::kernel {
namespace {

Buffer planes(const std::string& name, int rows, int width, Type element = Type::f32) {
  return {.name = name, .element = element, .registers = width, .rows = rows, .shared = true};
}

// Planes of u, 18 x 136, two of them ahead and one before the newest.
Ring ring() {
  Ring ring;
  ring.grids.resize(1);
  ring.grids[0].planes = planes("u_ring", 18, 136);
  ring.grids[0].map = "u_map";
  ring.grids[0].at = {index(0), index(0), index(0)};
  ring.grids[0].cell = "u_at";
  ring.n = "k";
  ring.depth = 4;
  ring.ahead = 2;
  ring.stages = var("n");
  ring.mapped = var("mapped", Type::boolean);
  ring.extents = {var("n"), var("n"), var("n")};
  return ring;
}
Stage stage(const Ring& of, int back) {
  return {.ring = std::make_shared<const Ring>(of),
          .n = var("n"),
          .planes = {{planes("u_here", 18, 136), 0, back}}};
}
// The only problem of a kernel with the ring and more; "": it has none.
void finds(const Ring& ring, Body more, std::string_view problem,
           const testing::Here& here = testing::Here::current()) {
  Kernel kernel{.name = "step",
                .buffers = {{"u", Type::f32, false}},
                .params = {{"n", Type::index}, {"mapped", Type::boolean}},
                .maps = {{"u_map", {136, 18, 1}}},
                .body = {{std::make_shared<const Ring>(ring)}}};
  for (Stmt& stmt : more) kernel.body.push_back(std::move(stmt));
  testing::expect_only(verify(kernel), problem, here);
}
Local cell_function(size_t indices) {
  Local local{.name = "u_at"};
  for (size_t n = 0; n < indices; ++n) local.params.push_back("c" + std::to_string(n));
  local.body = {{Return{load({"u", Type::f32, false}, var("c0"))}}};
  return local;
}

TEST(Ring, PlanesBeginAtMultiplesOf128Bytes) {
  Ring two = ring();
  two.grids.push_back(two.grids[0]);
  two.grids[1].planes = planes("h_ring", 3, 10, Type::f16);
  EXPECT_EQ(two.plane_bytes(0), (18 * 136 * 4 + 127) / 128 * 128);
  EXPECT_EQ(two.plane_bytes(1), 128);
  EXPECT_EQ(two.place(0), 0);
  EXPECT_EQ(two.place(1), 4 * two.plane_bytes(0));
  EXPECT_EQ(two.bytes(), 4 * two.plane_bytes(0) + 4 * 128);
}

TEST(Ring, SizesFollowTheElement) {
  Ring one = ring();
  for (const auto& [type, size] : {std::pair{Type::u8, 1}, {Type::f16, 2}, {Type::f64, 8}}) {
    one.grids[0].planes = planes("u_ring", 16, 128, type);
    EXPECT_EQ(one.bytes(), 4 * 16 * 128 * size);
  }
}

TEST(Ring, LoadsGhostsWhereNothingElseGivesThem) {
  Ring one = ring();
  EXPECT_TRUE(one.loads_ghosts());
  one.grids[0].zeros = true;
  EXPECT_FALSE(one.loads_ghosts());
  one.grids[0].zeros = false;
  one.grids[0].from = "u_from";
  EXPECT_FALSE(one.loads_ghosts());
}

TEST(Ring, VerifyFindsNothingInOneThatIsWhole) {
  finds(ring(), {}, "");
  for (const int back : {0, 1}) finds(ring(), {{stage(ring(), back)}}, "");
  const Source boundary{std::make_shared<const Ring>(ring()), true, var("mapped", Type::boolean)};
  finds(ring(), {{cell_function(3)}, {boundary}}, "");
}

TEST(Ring, VerifyRequiresTheMapAndASlotBesideThoseInFlight) {
  Ring one = ring();
  one.grids[0].map = "v_map";
  finds(one, {}, "`v_map` is no map of the kernel");
  one = ring();
  one.depth = 2;
  for (const int ahead : {2, 0}) {
    one.ahead = ahead;
    finds(one, {}, "a ring holds no stage but those on their way");
  }
}

// A tile is there as soon as it is declared, by the name of its plane.
TEST(Ring, VerifyKnowsATile) {
  Ring tile = ring();
  tile.depth = 1;
  tile.ahead = 0;
  tile.stages = nullptr;
  EXPECT_TRUE(tile.is_tile());
  EXPECT_FALSE(ring().is_tile());
  const auto load = [](const Buffer& from, const ExprPtr& row) {
    return Stmt{Let{"value", make(Type::f32, Load{from, index(0), row})}};
  };
  finds(tile, {load(planes("u_ring", 18, 136), index(2))}, "");
  finds(tile, {load(planes("u_ring", 18, 136), nullptr)},
        "`u_ring` is indexed by more or fewer values than it has axes");
  finds(ring(), {load(planes("u_ring", 18, 136), index(2))}, "`u_ring` is used and not declared");
}

TEST(Ring, VerifyKnowsHowLongAPlaneIsThere) {
  finds(ring(), {{stage(ring(), 2)}}, "`u_here` is no longer in its ring");
}

TEST(Ring, VerifyLooksForTheFunctionOfTheGhosts) {
  const Source boundary{std::make_shared<const Ring>(ring()), true, nullptr};
  finds(ring(), {{boundary}}, "`u_at` is called and no such function");
  finds(ring(), {{cell_function(2)}, {boundary}}, "`u_at` is called and no such function");
}

TEST(Ring, VerifyKnowsThePlanesOfAStageBehindItAlone) {
  Copy copy{.to = planes("a", 1, 4),
            .to_at = index(0),
            .from = planes("u_here", 18, 136),
            .from_at = var("n"),
            .width = 4,
            .from_row = var("n")};
  copy.to.shared = false;
  const Stmt array = {Array{copy.to}};
  finds(ring(), {array, {stage(ring(), 0)}, {copy}}, "");
  finds(ring(), {array, {copy}}, "`u_here` is used and not declared");
  std::swap(copy.to, copy.from);
  copy.to_row = copy.to_at = var("n");
  copy.from_row = nullptr;
  copy.from_at = index(0);
  // A thread may store into shared memory.
  finds(ring(), {array, {stage(ring(), 0)}, {copy}}, "");
  copy.from = copy.to;
  copy.from_row = copy.from_at = var("n");
  finds(ring(), {array, {stage(ring(), 0)}, {copy}}, "values are copied from memory to memory");
}

}  // namespace
}  // namespace stencilc::kernel
