// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly and verification of the dtensor dialect's operations.

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::dtensor;

#define GET_OP_CLASSES
#include "dtensor/Dialect/DTensor/DTensorOps.cpp.inc"

//===----------------------------------------------------------------------===//
// MeshOp
//===----------------------------------------------------------------------===//

ParseResult MeshOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes))
    return failure();
  SmallVector<Attribute> axes;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        std::string axis;
        int64_t size = 0;
        if (parser.parseString(&axis) || parser.parseEqual() ||
            parser.parseInteger(size))
          return failure();
        axes.push_back(MeshAxisAttr::get(parser.getContext(), axis, size));
        return success();
      }))
    return failure();
  result.addAttribute("axes", builder.getArrayAttr(axes));
  if (succeeded(parser.parseOptionalKeyword("devices"))) {
    SmallVector<int64_t> devices;
    if (parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parser.parseInteger(devices.emplace_back());
        }))
      return failure();
    result.addAttribute("devices", builder.getDenseI64ArrayAttr(devices));
  }
  return parser.parseOptionalAttrDict(result.attributes);
}

void MeshOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " [";
  llvm::interleaveComma(
      getAxes().getAsRange<MeshAxisAttr>(), printer, [&](MeshAxisAttr axis) {
        printer << '"' << axis.getName() << "\" = " << axis.getSize();
      });
  printer << ']';
  if (std::optional<ArrayRef<int64_t>> devices = getDevices()) {
    printer << " devices = [";
    llvm::interleaveComma(*devices, printer);
    printer << ']';
  }
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"sym_name", "axes", "devices"});
}

static planner::Expected<planner::Mesh> makeMesh(MeshOp op) {
  std::vector<planner::MeshAxis> axes;
  for (auto axis : op.getAxes().getAsRange<MeshAxisAttr>())
    axes.push_back({axis.getName().str(), axis.getSize()});
  std::vector<int64_t> devices;
  if (std::optional<ArrayRef<int64_t>> order = op.getDevices()) {
    devices = order->vec();
    if (devices.empty()) // the planner reads an empty order as none
      return planner::Error{"'devices' is empty; list every rank, or leave it "
                            "out for the order of the ranks"};
  }
  return planner::Mesh::create(std::move(axes), std::move(devices));
}

LogicalResult MeshOp::verify() {
  // (C1) to (C3) are the planner's own.
  planner::Expected<planner::Mesh> mesh = makeMesh(*this);
  if (!mesh)
    return emitOpError() << mesh.error().message;
  return success();
}

planner::Mesh MeshOp::getPlannerMesh() { return *makeMesh(*this); }

planner::Expected<planner::Mesh> MeshOp::checkPlannerMesh() {
  return makeMesh(*this);
}

//===----------------------------------------------------------------------===//
// ConstrainOp, RedistributeOp
//===----------------------------------------------------------------------===//

LogicalResult
ConstrainOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyLayout(*this, getLayout(), getInput().getType(),
                      [&] { return emitOpError(); });
}

LogicalResult
RedistributeOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyLayout(*this, getLayout(), getInput().getType(),
                      [&] { return emitOpError(); });
}
