// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected<T>: a value, or the message of why there is none. The planner and
// the runtime report every failure that input can cause this way: they neither
// print nor throw nor exit.
#ifndef DTENSOR_PLANNER_EXPECTED_H
#define DTENSOR_PLANNER_EXPECTED_H

#include <string>
#include <utility>
#include <variant>

namespace dtensor {

/// Why something was refused: one sentence that names the offending part, its
/// value and the limit, without a trailing period or newline.
struct Error {
  std::string message;
};

/// Either a T or an Error. Test it like a pointer before use:
///   Expected<Mesh> mesh = parseMesh(text);
///   if (!mesh) return mesh.error();
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::move(value)) {}
  Expected(Error error) : state(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(state); }
  T &operator*() { return std::get<T>(state); }
  const T &operator*() const { return std::get<T>(state); }
  T *operator->() { return &std::get<T>(state); }
  const T *operator->() const { return &std::get<T>(state); }
  const Error &error() const { return std::get<Error>(state); }

private:
  std::variant<T, Error> state;
};

/// Success, or the message of a failure, where there is no value to return.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failure(std::move(error.message)), failed(true) {}
  static Status success() { return Status(); }

  explicit operator bool() const { return !failed; }
  Error error() const { return Error{failure}; }
  const std::string &message() const { return failure; }

private:
  std::string failure;
  bool failed = false;
};

} // namespace dtensor

#endif // DTENSOR_PLANNER_EXPECTED_H
