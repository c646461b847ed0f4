// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributed tensors as an array API, on the planner and the executor,
// without LLVM:
//
//   dtensor::spmd(4, [] {
//     auto mesh = dtensor::initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});
//     auto x = dtensor::rand({8, 6}, {.deviceMesh = mesh, .placements = ...});
//     auto y = x.redistribute({dtensor::Replicate(), dtensor::Shard(1)});
//     dtensor::Array mine = y.toLocal();
//   });
//
// The names are the field's: distributeTensor, fromLocal, toLocal, fullTensor,
// redistribute, Shard, Replicate, Partial. docs/Api.md lists them beside those
// of torch.distributed.tensor. Every failure is thrown as a DTensorError.
//
// Ranks call the functions marked "All ranks call it" in one order per mesh.
// What differs between ranks there ends all of them with one error, at once
// where ranks are threads, within the timeout elsewhere.
#ifndef DTENSOR_DTENSOR_H
#define DTENSOR_DTENSOR_H

#include "dtensor/API/Array.h"
#include "dtensor/API/DeviceMesh.h"
#include "dtensor/API/DistributedTensor.h"
#include "dtensor/API/Error.h"
#include "dtensor/API/Module.h"
#include "dtensor/API/Placement.h"
#include "dtensor/API/Program.h"
#include "dtensor/API/Spmd.h"

#endif // DTENSOR_DTENSOR_H
