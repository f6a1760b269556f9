#include "lower/anywhere.h"

#include <array>

#include "lower/standing.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;

namespace {

class Anywhere {
 public:
  Anywhere(Context& context, const ir::Read& read, const std::vector<ExprPtr>& at,
           const EdgeTaps::Fetch& fetch)
      : context_(context), read_(read), at_(at), fetch_(fetch) {}

  // The axes before `axis` are decided.
  Body from(int axis, std::array<int, 3> beyond, const Names& names) {
    if (axis == context_.rank()) return value(beyond, names);
    if (is_one(context_.stencil.fields[read_.field].boundary, axis)) {
      beyond[axis] = EdgeTaps::kEither;
      return from(axis + 1, beyond, names);
    }
    Body body;
    kernel::If ends{kernel::bin(BinOp::lt, at_[axis], kernel::index(0)), {}, {}};
    beyond[axis] = -1;
    ends.yes = from(axis + 1, beyond, names);
    beyond[axis] = 1;
    body.push_back({std::move(ends)});
    Body high = from(axis + 1, beyond, names);
    std::move(high.begin(), high.end(), std::back_inserter(body));
    return body;
  }

 private:
  Body value(const std::array<int, 3>& beyond, Names names) {
    Body body;
    EdgeTaps taps(context_, at_, beyond, names, body, fetch_);
    ExprPtr value = taps(read_);
    constexpr int kWidth = 50;
    if (const auto* load = kernel::as<kernel::Load>(value);
        load && !load->row && width(load->at) > kWidth) {
      const ExprPtr place = declare("i", load->at, names, body);
      value = kernel::load(load->buffer, place);
    }
    body.push_back({kernel::Return{value}});
    return body;
  }

  Context& context_;
  const ir::Read read_;
  const std::vector<ExprPtr>& at_;
  const EdgeTaps::Fetch& fetch_;
};

}  // namespace

Body cell_anywhere(Context& context, int field, int level, const std::vector<ExprPtr>& at,
                   const Names& names, const EdgeTaps::Fetch& fetch) {
  return Anywhere(context, ir::Read{field, level, {}}, at, fetch).from(0, {}, names);
}

}  // namespace stencilc::lower
