// The model of legs: what their parts add up to, for legs that are written here. That it predicts
// what was measured is tested where stencils are compiled (driver_mesh_model_test.cpp).
#include <gtest/gtest.h>

#include "plan/model/mesh_leg.h"

namespace stencilc::plan {
namespace {

constexpr double kWindow = 1.015;  // what kernels for pieces take longer

// Of a grid of 1000 planes: a microsecond each, ten steps.
Leg leg_of(LegForm form) {
  Leg leg;
  leg.form = form;
  leg.planes = 1000;
  leg.steps = 10;
  leg.compute = 1e-3;
  leg.step_more = 1;
  leg.border = 10;
  leg.bytes = 3'340'000;
  return leg;
}

TEST(MeshLeg, CopiesComeAfterWholePieces) {
  const LegTime time = time_of(leg_of(LegForm::whole));
  EXPECT_NEAR(time.compute, kWindow * 1e-3, 1e-12);
  EXPECT_NEAR(time.twice, kWindow * 9e-6, 1e-12);
  EXPECT_NEAR(time.exchange, 10e-6 + 3.5e-6 + 10e-6, 1e-12);
  EXPECT_NEAR(time.leg(), time.compute + time.twice + time.exchange, 1e-12);
}

TEST(MeshLeg, WhereNothingIsSentPiecesDoNotWait) {
  Leg leg = leg_of(LegForm::whole);
  leg.bytes = 0;
  EXPECT_EQ(time_of(leg).leg(), kWindow * leg.compute);
}

TEST(MeshLeg, CopiesRunBesideInnerPlanesUnlessTheyTakeLonger) {
  for (const LegForm form : {LegForm::borders, LegForm::blocks}) {
    Leg leg = leg_of(form);
    const double before = time_of(leg).leg();
    leg.bytes *= 10;  // 0.1 ms
    EXPECT_EQ(time_of(leg).leg(), before);
    leg.bytes *= 100;  // 10 ms
    const LegTime time = time_of(leg);
    EXPECT_GT(time.leg(), 10e-3);
    EXPECT_NEAR(time.compute + time.twice + time.exchange, time.leg(), 1e-12);
  }
}

// A copy of the high end may take half a leg, because the piece behind it is so much later; around
// a periodic axis each piece is behind another one.
TEST(MeshLeg, PiecesAreBehindEachOther) {
  Leg leg = leg_of(LegForm::blocks);
  const double before = time_of(leg).leg();
  leg.bytes = int64_t{334000} * 450;  // 0.45 ms
  EXPECT_EQ(time_of(leg).leg(), before);
  leg.bytes = int64_t{334000} * 600;
  EXPECT_GT(time_of(leg).leg(), before);
  leg.wraps = true;
  EXPECT_GT(time_of(leg).leg(), before);
}

TEST(MeshLeg, EveryNeighbourAndEveryCopyCosts) {
  for (const LegForm form : {LegForm::whole, LegForm::borders, LegForm::blocks}) {
    const double least = time_of(leg_of(form)).leg();
    for (const auto change : {+[](Leg& leg) { leg.sides = 2; }, +[](Leg& leg) { leg.copies = 3; },
                              +[](Leg& leg) { leg.step_more = 4; }}) {
      Leg more = leg_of(form);
      change(more);
      EXPECT_GT(time_of(more).leg(), least) << name(form);
    }
  }
  Leg alone = leg_of(LegForm::whole);
  alone.sides = 0;
  EXPECT_EQ(time_of(alone).leg(), kWindow * alone.compute);
}

// 3.34 MB are sent in 10 us to a GPU of the host, and in 67 us to another host.
TEST(MeshLeg, OtherHostsAreFartherAway) {
  Leg leg = leg_of(LegForm::whole);
  leg.sides = 2;
  const double near = time_of(leg).exchange;
  leg.to_hosts = 1;
  EXPECT_NEAR(time_of(leg).exchange, 10e-6 + 10e-6 + 66.8e-6, 1e-9);
  EXPECT_GT(time_of(leg).exchange, near);
}

// One thread asks for the legs of all devices, in turn; a recorded leg takes less of it.
TEST(MeshLeg, TheHostCanBeTooSlow) {
  Leg leg = leg_of(LegForm::whole);
  leg.compute = 20e-6;
  leg.devices = 8;
  const LegTime time = time_of(leg);
  EXPECT_NEAR(time.host, 8 * 7e-6, 1e-12);
  EXPECT_EQ(time.leg(), time.host);
  leg.graph = true;
  EXPECT_NEAR(time_of(leg).host, 8 * 2.2e-6, 1e-12);
  leg.graph = false;
  leg.form = LegForm::borders;
  EXPECT_NEAR(time_of(leg).host, 8 * 13e-6, 1e-12);
}

TEST(MeshLeg, TheFormIsThatOfTheMesh) {
  Leg leg = leg_of(LegForm::whole);
  const int64_t cells = 1000;
  EXPECT_EQ(chosen_form(leg, cells, true, true), LegForm::blocks);
  EXPECT_EQ(chosen_form(leg, cells, true, false), LegForm::borders);
  EXPECT_EQ(chosen_form(leg, cells, false, true), LegForm::whole);
  EXPECT_EQ(chosen_form(leg, (int64_t{1} << 30) / 10000 + 1, true, false), LegForm::whole);
  EXPECT_EQ(chosen_form(leg, (int64_t{1} << 30) / 10000 + 1, true, true), LegForm::blocks);
  leg.wraps = true;
  EXPECT_EQ(chosen_form(leg, (int64_t{1} << 30) / 10000 + 1, true, true), LegForm::whole);
  EXPECT_EQ(chosen_form(leg, cells, true, true), LegForm::blocks);
  leg.wraps = false;
  leg.planes = 2 * (leg.border + 2);  // nothing lies between the borders
  EXPECT_EQ(chosen_form(leg, cells, true, true), LegForm::whole);
  ++leg.planes;
  EXPECT_EQ(chosen_form(leg, cells, true, true), LegForm::blocks);
}

TEST(MeshLeg, EfficiencyIsOfOneDevice) {
  LegTime leg;
  leg.device = 2e-3;
  EXPECT_EQ(efficiency(8e-3, leg, 4, true), 1);
  EXPECT_EQ(efficiency(1e-3, leg, 4, false), 0.5);
}

}  // namespace
}  // namespace stencilc::plan
