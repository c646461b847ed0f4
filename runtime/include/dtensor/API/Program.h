// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled programs as functions on distributed tensors.
#ifndef DTENSOR_API_PROGRAM_H
#define DTENSOR_API_PROGRAM_H

#include "dtensor/API/DistributedTensor.h"

#include <map>

namespace dtensor {

class ProgramState;

/// An input or a result of a program.
struct ProgramPort {
  std::string name; ///< may be empty
  ElementType dtype = ElementType::F32;
  std::vector<int64_t> shape; ///< global
  std::string layout;         ///< "dp=shard(0), tp=partial(sum)"
  bool requiresGrad = false;
};

/// A program of a plan on the ranks of its mesh. A plan is machine code: load
/// only plans from where you would run a program from.
///
/// Each rank has the program's memory; inputs are copied into it, in the
/// program's layout, whatever their own. Inputs that were set stay there from
/// call to call.
class Program {
public:
  /// Reads a plan file. All ranks call it; they compare what they read. `entry`
  /// as for dtensor-run: `main`, else the only program. The program's mesh must
  /// have as many ranks as run, or fewer: those from 0 on. Throws what
  /// readPlanFile and verifyPlan refuse.
  static Program load(const std::string &path, const std::string &entry = "");
  /// The same from the bytes of a plan file; `name` begins messages.
  static Program fromBytes(const void *data, size_t size,
                           const std::string &name,
                           const std::string &entry = "");

  const std::string &name() const;
  const DeviceMesh &deviceMesh() const;
  const std::vector<ProgramPort> &inputs() const;
  const std::vector<ProgramPort> &results() const;
  /// The input of that name, or whose number it is; throws where none is.
  size_t inputNamed(const std::string &name) const;

  /// Sets an input for all later calls: weights. All ranks call it.
  void set(size_t input, const DTensor &value);
  /// The same from a whole tensor that every rank has.
  void set(size_t input, const Array &value);
  bool isSet(size_t input) const;

  /// Runs the program on the inputs that are not set, in order; returns its
  /// results. They have memory of their own, and may be inputs of later calls.
  /// All ranks call it. Throws for another number of inputs, and for shapes and
  /// types that are not the program's.
  std::vector<DTensor> operator()(const std::vector<DTensor> &given) const;
  /// The same by input number. Throws for inputs that are set.
  std::vector<DTensor> call(const std::map<size_t, DTensor> &given) const;

private:
  explicit Program(std::shared_ptr<ProgramState> state)
      : state(std::move(state)) {}

  std::shared_ptr<ProgramState> state;
};

} // namespace dtensor

#endif // DTENSOR_API_PROGRAM_H
