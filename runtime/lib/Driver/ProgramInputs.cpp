// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The global inputs of a run: files by name or index, random values for the
// rest.
#include "Driver/Driver.h"

#include "dtrt/Npy.h"
#include "dtrt/PlanTypes.h"

using namespace dtrt;

namespace {

std::string listInputs(const schema::ProgramT &program) {
  std::string text = "the program's inputs are:";
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const schema::TensorT &input = *program.inputs[i];
    text += "\n  " + std::to_string(i) + ": " +
            (input.name.empty() ? "(unnamed)" : input.name) + "  " +
            shapeText(input.shape) + " " +
            std::string(dtensor::elementTypeName(toElementType(input.type)));
  }
  return program.inputs.empty() ? "the program has no inputs" : text;
}

/// A name first, so that an input called "0" can be reached.
int64_t findInput(const schema::ProgramT &program, const std::string &key) {
  for (size_t i = 0; i < program.inputs.size(); ++i)
    if (program.inputs[i]->name == key)
      return static_cast<int64_t>(i);
  for (size_t i = 0; i < program.inputs.size(); ++i)
    if (std::to_string(i) == key)
      return static_cast<int64_t>(i);
  return -1;
}

std::string inputLabel(const schema::TensorT &input, size_t index) {
  return input.name.empty() ? std::to_string(index) : input.name;
}

} // namespace

InputError dtrt::collectInputs(const RunOptions &options,
                               const schema::ProgramT &program,
                               std::vector<GlobalTensor> &inputs) {
  std::vector<std::string> files(program.inputs.size());
  for (const auto &[key, file] : options.inputs) {
    int64_t index = findInput(program, key);
    if (index < 0)
      return {kExitUsage,
              "there is no input '" + key + "'; " + listInputs(program)};
    if (!files[index].empty())
      return {kExitUsage, "input '" + key + "' is given twice"};
    files[index] = file;
  }
  for (size_t i = 0; i < files.size(); ++i)
    if (files[i].empty() && !options.seed)
      return {kExitUsage, "input '" + inputLabel(*program.inputs[i], i) +
                              "' has no file (use --input, or "
                              "--random-inputs SEED for all without); " +
                              listInputs(program)};
  for (size_t i = 0; i < files.size(); ++i) {
    const schema::TensorT &input = *program.inputs[i];
    dtensor::ElementType type = toElementType(input.type);
    if (files[i].empty()) {
      inputs.push_back(randomTensor(type, input.shape, *options.seed,
                                    static_cast<uint32_t>(i)));
      continue;
    }
    Expected<GlobalTensor> tensor = readTensor(files[i], type, input.shape);
    if (!tensor)
      return {kExitRefused, "input '" + inputLabel(input, i) + "' (" +
                                files[i] + "): " + tensor.error().message};
    inputs.push_back(std::move(*tensor));
  }
  return {};
}
