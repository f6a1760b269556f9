// A value, or a text that says what went wrong. The driver turns the text into a diagnostic.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace stencilc::data {

struct Error {
  std::string text;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  T& operator*() {
    assert(ok());
    return std::get<0>(state_);
  }
  const T& operator*() const {
    assert(ok());
    return std::get<0>(state_);
  }
  // Only of what has a name: a loop over a member of a temporary would outlive it.
  T* operator->() & { return &**this; }
  const T* operator->() const& { return &**this; }
  const T* operator->() const&& = delete;
  const std::string& error() const {
    assert(!ok());
    return std::get<1>(state_).text;
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace stencilc::data
