// Colours and sizes that all charts share.
#pragma once

#include "data/plots/figure.h"

namespace stencilc::data {

inline constexpr Color ink_color{0x33, 0x33, 0x3b};
inline constexpr Color soft_ink{0x70, 0x70, 0x7a};
inline constexpr Color grid_color{0xe4, 0xe4, 0xea};
inline constexpr Color bar_color{0x31, 0x68, 0x8e};
inline constexpr Color pale_color{0xa9, 0xbf, 0xd0};
inline constexpr Color mark_color{0xf0, 0xa2, 0x02};
inline constexpr Color roof_color{0xb8, 0x3a, 0x4b};
inline constexpr Color white{0xff, 0xff, 0xff};
inline constexpr double title_dot = 2;

inline void add_titles(Figure& figure, const std::string& title, const std::string& subtitle) {
  figure.add(Text{24, 28, title, ink_color, Anchor::start, false, title_dot});
  figure.add(Text{24, 54, subtitle, soft_ink});
}

}  // namespace stencilc::data
