// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of a run: files by name or index, then weights by name, then
// random values for the rest.
#include "Driver/Driver.h"

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

/// Collects the inputs of one program.
class InputCollector {
public:
  InputCollector(const RunOptions &options, const schema::ProgramT &program,
                 const dtensor::Mesh &mesh, const std::vector<int64_t> &ranks)
      : options(options), program(program), mesh(mesh), ranks(ranks),
        files(program.inputs.size()) {}

  InputError collect(InputSources &inputs) {
    if (InputError error = assignFiles(); error.exitCode)
      return error;
    if (!options.weights.empty()) {
      Expected<WeightsFile> opened = WeightsFile::open(options.weights);
      if (!opened)
        return {kExitRefused, options.weights + ": " + opened.error().message};
      weights = std::move(*opened);
    }
    for (size_t i = 0; i < files.size(); ++i)
      if (files[i].empty() && !isWeight(i) && !options.seed)
        return {kExitUsage, "input '" + inputLabel(*program.inputs[i], i) +
                                "' has no file (use --input, or "
                                "--random-inputs SEED for all without); " +
                                listInputs(program)};
    for (size_t i = 0; i < files.size(); ++i) {
      Expected<std::unique_ptr<InputSource>> source = sourceOf(i);
      if (!source)
        return {kExitRefused,
                "input '" + inputLabel(*program.inputs[i], i) + "' (" +
                    (files[i].empty() ? options.weights : files[i]) +
                    "): " + source.error().message};
      inputs.push_back(std::move(*source));
    }
    return {};
  }

private:
  InputError assignFiles() {
    for (const auto &[key, file] : options.inputs) {
      int64_t index = findInput(program, key);
      if (index < 0)
        return {kExitUsage,
                "there is no input '" + key + "'; " + listInputs(program)};
      if (!files[index].empty())
        return {kExitUsage, "input '" + key + "' is given twice"};
      files[index] = file;
    }
    return {};
  }

  bool isWeight(size_t index) const {
    return weights && weights->has(program.inputs[index]->name);
  }

  Expected<std::unique_ptr<InputSource>> sourceOf(size_t index) const {
    const schema::TensorT &input = *program.inputs[index];
    dtensor::ElementType type = toElementType(input.type);
    if (!files[index].empty() && options.localIo) {
      Expected<dtensor::Layout> layout = dtensor::parseLayout(
          mesh, static_cast<int>(input.shape.size()), input.layout);
      if (!layout)
        return layout.error();
      return localNpySource(files[index], mesh, *layout, type, input.shape,
                            ranks);
    }
    if (!files[index].empty())
      return npySource(files[index], type, input.shape);
    if (isWeight(index))
      return weights->source(input.name, type, input.shape);
    return randomSource(type, input.shape, *options.seed,
                        static_cast<uint32_t>(index), ranks.size() > 1);
  }

  const RunOptions &options;
  const schema::ProgramT &program;
  const dtensor::Mesh &mesh;
  const std::vector<int64_t> &ranks;
  std::vector<std::string> files;
  std::optional<WeightsFile> weights;
};

} // namespace

InputError dtrt::collectInputs(const RunOptions &options,
                               const schema::ProgramT &program,
                               const dtensor::Mesh &mesh,
                               const std::vector<int64_t> &ranks,
                               InputSources &inputs) {
  return InputCollector(options, program, mesh, ranks).collect(inputs);
}
