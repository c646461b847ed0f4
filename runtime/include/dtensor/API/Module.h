// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling programs, and modules: programs with named parameters.
#ifndef DTENSOR_API_MODULE_H
#define DTENSOR_API_MODULE_H

#include "dtensor/API/Program.h"

#include <functional>

namespace dtensor {

struct CompileOptions {
  std::string entry;                        ///< `main`, else the only one
  std::string mesh;                         ///< other sizes: "dp=4,tp=2"
  std::string topology = "builtin:threads"; ///< or a topology file
  std::string implicit = "allow";           ///< or warn, forbid
  /// What lies how, by names of parameters: the contents of the file that
  /// dtensor-compile --parallelize takes.
  std::string parallelize;
  int64_t maxRecvBytes = -1;      ///< that a rank may receive; -1 for no limit
  bool reference = false;         ///< keep the unsharded program, for --check
  std::string name = "<program>"; ///< in diagnostics
};

/// Compiles MLIR text or bytecode to the bytes of a plan file, by the compiler
/// library: the one that $DTENSOR_COMPILER_LIBRARY names, else
/// libDTensorCompiler.so beside this one or where the loader finds it. Equal
/// calls are compiled once in a process. Throws with the diagnostics.
std::string compileToPlan(const std::string &program,
                          const CompileOptions &options = {});

class Module;

/// What the functions of distributeModule get and give.
using ModuleValues = std::vector<DTensor>;
using PartitionFn = std::function<std::optional<Placements>(
    const std::string &name, const Array &parameter, const DeviceMesh &mesh)>;
using ModuleValuesFn = std::function<ModuleValues(
    const Module &module, ModuleValues values, const DeviceMesh &mesh)>;

/// A program, written once for whole tensors, whose parameters are arguments
/// with a `dtensor.name`. distributeModule and parallelizeModule put it onto a
/// mesh; the first call then compiles it. Each rank makes its own.
class Module {
public:
  /// Whole parameters, which every rank has, by the names of arguments. The
  /// text may declare its mesh, whose sizes follow the mesh that the module is
  /// put onto, or none.
  Module(std::string text, std::map<std::string, Array> parameters);

  const std::map<std::string, Array> &parameters() const { return params; }
  /// Runs the program on its other inputs. All ranks call it. Throws where the
  /// module lies on no mesh yet.
  ModuleValues operator()(const ModuleValues &inputs);
  /// The compiled program with its parameters set.
  const Program &program();

private:
  friend void distributeModule(Module &, const std::optional<DeviceMesh> &,
                               const PartitionFn &, const ModuleValuesFn &,
                               const ModuleValuesFn &);
  friend class StyleApplier;

  std::string textOnMesh(std::string &sizes) const;
  std::string document() const;

  std::string text;
  std::map<std::string, Array> params;
  std::optional<DeviceMesh> mesh;
  std::optional<Program> compiled;
  /// Entries of the parallelize document, as JSON.
  std::map<std::string, std::vector<std::string>> entries;
  ModuleValuesFn inputFn, outputFn;
};

/// Puts a module onto a mesh. All ranks call it. `partitionFn` places each
/// parameter (nothing replicates), `inputFn` changes what goes in at each call,
/// `outputFn` what comes out.
void distributeModule(Module &module,
                      const std::optional<DeviceMesh> &mesh = std::nullopt,
                      const PartitionFn &partitionFn = nullptr,
                      const ModuleValuesFn &inputFn = nullptr,
                      const ModuleValuesFn &outputFn = nullptr);

/// What a layer's parameters do, or how a module's inputs and outputs lie.
struct ParallelStyle {
  enum class Kind : uint8_t { Colwise, Rowwise, Sequence, Inputs, Outputs };

  Kind kind = Kind::Colwise;
  /// Inputs, Outputs: per value its placements; those not given are left to
  /// the compiler.
  std::vector<Placements> layouts;
};

/// Shards the dimension of a parameter that its products do not contract.
ParallelStyle colwiseParallel();
/// Shards the one that they contract.
ParallelStyle rowwiseParallel();
/// Shards the sequence of what a parameter (of a norm) is applied to.
ParallelStyle sequenceParallel();
/// For the whole module, under the name "".
ParallelStyle prepareModuleInput(std::vector<Placements> desired);
ParallelStyle prepareModuleOutput(std::vector<Placements> desired);

/// Lays a module out by patterns of its parameters' names ("layers.*.up"). All
/// ranks call it. Styles of parameters work along dimension `dim` of the mesh.
void parallelizeModule(
    Module &module, const DeviceMesh &mesh, const std::string &dim,
    const std::vector<std::pair<std::string, ParallelStyle>> &plan);

} // namespace dtensor

#endif // DTENSOR_API_MODULE_H
