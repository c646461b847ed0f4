// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shardy's meshes and shardings as dtensor's.
#ifndef DTENSOR_LIB_IMPORT_SHARDINGS_H
#define DTENSOR_LIB_IMPORT_SHARDINGS_H

#include "ShardyText.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::dtensor {

/// Where messages about a sharding go, with the words that name its value.
using EmitFn = llvm::function_ref<InFlightDiagnostic()>;

/// The meshes of one module, and what is annotated on them.
class Shardings {
public:
  explicit Shardings(ModuleOp module) : module(module) {}

  /// Turns the `sdy.mesh` ops and the meshes in `mhlo.frontend_attributes`
  /// into `dtensor.mesh` ops. Meshes without axes (a single device) go.
  LogicalResult importMeshes();

  /// The layout in `attributes` (of an argument or a result) of a value of
  /// type `type`; null where there is none.
  FailureOr<LayoutAttr> getLayout(DictionaryAttr attributes, Type type,
                                  EmitFn emit);
  /// The layouts of the results of `op`, or nothing where it has none.
  LogicalResult getLayouts(Operation *op, SmallVectorImpl<LayoutAttr> &layouts);
  /// The layouts in a list of `#sdy.sharding`, or in a
  /// `#sdy.sharding_per_value`: one for each of `types`.
  LogicalResult getLayouts(Attribute list, TypeRange types,
                           SmallVectorImpl<LayoutAttr> &layouts, EmitFn emit);
  /// The layout in an attribute `#sdy.sharding<...>`.
  FailureOr<LayoutAttr> getLayout(Attribute sharding, Type type, EmitFn emit);

private:
  LogicalResult addMesh(Location loc, StringRef name, const shardy::Mesh &mesh);
  FailureOr<LayoutAttr> convert(const shardy::Sharding &sharding, Type type,
                                EmitFn emit);
  FailureOr<LayoutAttr> parseAndConvert(StringRef text, Type type, EmitFn emit);
  FailureOr<FlatSymbolRefAttr> getMesh(const shardy::Sharding &sharding,
                                       EmitFn emit);

  ModuleOp module;
  /// Meshes of a single device: shardings on them say nothing.
  llvm::StringSet<> deviceMeshes;
  llvm::StringSet<> meshes;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_IMPORT_SHARDINGS_H
