// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly and verification of collectives that are started and waited for.

#include "dtensor/Dialect/Comm/Comm.h"

using namespace mlir;
using namespace mlir::comm;

LogicalResult StartOp::verifyRegions() {
  Block &body = getBody().front();
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield)
    return emitOpError() << "must end in comm.yield";
  for (Operation &op : body.without_terminator())
    if (!isa<CollectiveOpInterface>(op)) // (C1)
      return op.emitOpError() << "stands among the collectives of a "
                                 "comm.start; move it before";
  if (llvm::hasSingleElement(body)) // (C1)
    return emitOpError() << "starts no collective";
  Operation *last = yield.getValue().getDefiningOp();
  if (!last || last->getBlock() != &body) // (C2)
    return yield.emitOpError() << "gives a value that no collective of its "
                                  "comm.start makes";
  if (yield.getValue().getType() != getToken().getType().getTensor())
    return emitOpError() << "promises " << getToken().getType().getTensor()
                         << " and yields " << yield.getValue().getType();
  auto waits = llvm::count_if(getToken().getUsers(), [&](Operation *user) {
    return isa<WaitOp>(user) && user->getBlock() == (*this)->getBlock();
  });
  if (waits != 1 || !getToken().hasOneUse()) // (C3)
    return emitOpError() << "must be waited for by one comm.wait in its "
                            "block, there are "
                         << waits;
  return success();
}

ParseResult WaitOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand token;
  TokenType type;
  if (parser.parseOperand(token) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(token, type, result.operands))
    return failure();
  result.addTypes(type.getTensor());
  return success();
}

void WaitOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getToken();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getToken().getType();
}

LogicalResult WaitOp::verify() {
  if (!getToken().getDefiningOp<StartOp>()) // (C1)
    return emitOpError() << "waits for a token that no comm.start makes";
  if (getResult().getType() != getToken().getType().getTensor()) // (C2)
    return emitOpError() << "gives " << getResult().getType()
                         << ", its token names "
                         << getToken().getType().getTensor();
  return success();
}
