// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-name-groups: gives explicit groups of ranks a mesh of their own.
//
//   comm.all_reduce sum %0 over @mesh groups [[0, 3], [1, 2]]
// becomes
//   dtensor.mesh @groups ["group" = 2, "member" = 2] devices = [0, 3, 1, 2]
//   comm.all_reduce sum %0 over @groups["member"]

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Dialect/Comm/Comm.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_NAMEGROUPSPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

/// The mesh of `groups`, made of the planner's form of it.
static MeshOp createMesh(OpBuilder &builder, Location loc,
                         const planner::Mesh &mesh, ArrayAttr groups) {
  SmallVector<Attribute> axes;
  for (const planner::MeshAxis &axis : mesh.axes())
    axes.push_back(
        MeshAxisAttr::get(builder.getContext(), axis.name, axis.size));
  SmallVector<int64_t> devices;
  for (auto group : groups.getAsRange<DenseI64ArrayAttr>())
    llvm::append_range(devices, group.asArrayRef());
  return MeshOp::create(builder, loc, builder.getStringAttr("groups"),
                        builder.getArrayAttr(axes),
                        builder.getDenseI64ArrayAttr(devices));
}

namespace {
struct NameGroupsPass
    : mlir::dtensor::impl::NameGroupsPassBase<NameGroupsPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    DenseMap<Attribute, MeshOp> meshes;
    module.walk([&](comm::CollectiveOpInterface op) {
      ArrayAttr groups = op.getGroupsAttr();
      if (!groups)
        return;
      comm::CollectiveGroups found = comm::getGroups(op);
      MeshOp &mesh = meshes[groups];
      if (!mesh) {
        mesh = createMesh(builder, op.getLoc(), found.mesh, groups);
        symbols.insert(mesh);
      }
      op->removeAttr("groups");
      op->setAttr("mesh", FlatSymbolRefAttr::get(mesh.getSymNameAttr()));
      op->setAttr("axes",
                  getAxesAttr(builder.getContext(), found.mesh, found.axes));
    });
  }
};
} // namespace
