// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plan files: what the compiler writes and the runtime executes.
//
// A container: a fixed header, a section table, then page-aligned sections,
// each with a hash. Kinds of sections: 1 metadata, a FlatBuffer
// (schema/Plan.fbs); 2 kernels, one ELF shared object (where there are any); 3
// the program as MLIR text, for the interpreter (optional, never needed to run
// the plan). All numbers little-endian.
//
//   offset  0  char[8]  magic "DTNSPLAN"
//           8  u32      version (kPlanVersion)
//          12  u32      number of sections
//          16  u64      size of the file in bytes
//          24  u64      XXH64 of the section table
//          32  section table: { u32 kind, u32 zero, u64 offset, u64 size, u64
//          XXH64 }
//
// A plan is executable code: run only plans from where you would run a program
// from. The hashes find damage, not malice.
#ifndef DTRT_PLANFILE_H
#define DTRT_PLANFILE_H

#include "dtensor/Planner/Expected.h"
#include "dtrt/Plan_generated.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dtrt {

using dtensor::Error;
using dtensor::Expected;
using dtensor::Status;

constexpr uint32_t kPlanVersion = 1;

/// A plan in memory. `schema::PlanT` is the generated object form.
struct PlanFile {
  schema::PlanT plan;
  /// ELF shared object with the kernels; empty where there are none.
  std::vector<uint8_t> kernels;
  /// The program that was compiled, as MLIR text; empty where it was left out.
  std::string programText;
};

/// The bytes of a plan file.
std::vector<uint8_t> serializePlan(const PlanFile &file);

/// Reads a plan from memory. Everything is checked before use: magic,
/// version, sizes, hashes, the FlatBuffer's structure, then validatePlan.
/// `name` starts every message.
Expected<PlanFile> parsePlan(const uint8_t *data, size_t size,
                             const std::string &name);
Expected<PlanFile> readPlanFile(const std::string &path);
/// True when the bytes start like a plan file, one that was cut off too.
bool looksLikePlan(const uint8_t *data, size_t size);

/// Writes the file whole or not at all (a temporary name, then rename).
Status writeFileAtomically(const std::string &path, const void *data,
                           size_t size);

/// Checks what a FlatBuffer's structure does not: indices in range, views
/// inside the slab, layouts that parse, view sizes that agree with shapes,
/// gemm sizes, writes that do not overlap reads. Names program and step.
Status validatePlan(const PlanFile &file);

/// The metadata as JSON text, as `flatc --json` prints it.
std::string planToJson(const PlanFile &file);

} // namespace dtrt

#endif // DTRT_PLANFILE_H
