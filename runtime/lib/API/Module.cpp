// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules: what is said about parameters becomes the compiler's parallelize
// document.
#include "dtensor/API/Module.h"

#include "API/TensorState.h"

#include <regex>

using namespace dtensor;

namespace {

DTensorError refuse(const std::string &text) {
  return DTensorError(ErrorCode::InvalidArgument, text);
}

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string join(const std::vector<std::string> &parts,
                 const std::string &between) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : between) + part;
  return text;
}

std::vector<std::string> axisNames(const Mesh &grid) {
  std::vector<std::string> names;
  for (const MeshAxis &axis : grid.axes())
    names.push_back(axis.name);
  return names;
}

/// Placements of a value whose rank is not known here: one that is high enough
/// does, since dimensions count from the front.
std::string layoutText(const DeviceMesh &mesh, const Placements &placements) {
  int rank = 1;
  for (const Placement &placement : placements.list()) {
    if (placement.isShard() && placement.dim < 0)
      throw refuse(placement.text() +
                   ": layouts of a module's inputs and "
                   "outputs count dimensions from the front");
    if (placement.isShard())
      rank = std::max(rank, static_cast<int>(placement.dim) + 1);
  }
  return printLayout(mesh.grid(), placements.layout(mesh.grid(), rank));
}

} // namespace

Module::Module(std::string text, std::map<std::string, Array> parameters)
    : text(std::move(text)), params(std::move(parameters)) {}

/// The program with the mesh that the module lies on; `sizes` are those to give
/// to a mesh that the program declares itself.
std::string Module::textOnMesh(std::string &sizes) const {
  const Mesh &grid = mesh->grid();
  std::vector<std::string> names = axisNames(grid);
  std::smatch declared;
  static const std::regex declaration(
      "dtensor\\.mesh\\s+@\\w+\\s*\\[([^\\]]*)\\]");
  if (std::regex_search(text, declared, declaration)) {
    static const std::regex axis("\"(\\w+)\"\\s*=");
    std::string list = declared[1];
    std::vector<std::string> own;
    for (std::sregex_iterator at(list.begin(), list.end(), axis), end;
         at != end; ++at)
      own.push_back((*at)[1]);
    if (own != names)
      throw refuse("the program's mesh has the dimensions " + join(own, ", ") +
                   ", the mesh that the module is put onto " +
                   join(names, ", ") + "; call them alike");
    sizes = printMesh(grid);
    return text;
  }
  std::vector<std::string> axes;
  for (const MeshAxis &one : grid.axes())
    axes.push_back(quoted(one.name) + " = " + std::to_string(one.size));
  std::smatch opened;
  static const std::regex module("(^|\n)[ \t]*module\\b[^{\n]*\\{[ \t]*\n");
  size_t at = 0;
  if (std::regex_search(text, opened, module))
    at = static_cast<size_t>(opened.position() + opened.length());
  return text.substr(0, at) + "dtensor.mesh @mesh [" + join(axes, ", ") +
         "]\n" + text.substr(at);
}

std::string Module::document() const {
  std::vector<std::string> lists;
  for (const auto &[key, list] : entries)
    lists.push_back(quoted(key) + ": [" + join(list, ", ") + "]");
  return lists.empty() ? "" : "{" + join(lists, ", ") + "}";
}

const Program &Module::program() {
  if (!mesh)
    throw refuse("the module lies on no mesh yet; call distributeModule or "
                 "parallelizeModule first");
  if (compiled)
    return *compiled;
  CompileOptions options;
  options.name = "<module>";
  options.parallelize = document();
  std::string onMesh = textOnMesh(options.mesh);
  std::string plan = compileToPlan(onMesh, options);
  Program made = Program::fromBytes(plan.data(), plan.size(), "<module>");
  for (const auto &[name, value] : params)
    made.set(made.inputNamed(name), value);
  compiled = made;
  return *compiled;
}

ModuleValues Module::operator()(const ModuleValues &inputs) {
  const Program &ready = program();
  ModuleValues outputs =
      ready(inputFn ? inputFn(*this, inputs, *mesh) : inputs);
  return outputFn ? outputFn(*this, std::move(outputs), *mesh)
                  : std::move(outputs);
}

void dtensor::distributeModule(Module &module,
                               const std::optional<DeviceMesh> &given,
                               const PartitionFn &partitionFn,
                               const ModuleValuesFn &inputFn,
                               const ModuleValuesFn &outputFn) {
  DeviceMesh mesh = resolveMesh(given);
  std::vector<std::string> layouts;
  for (const auto &[name, value] : module.params) {
    std::optional<Placements> placements;
    if (partitionFn)
      placements = partitionFn(name, value, mesh);
    // Checked against the parameter here, so that its name is in the text.
    auto spec = mesh.impl()->spec(value.shape(), value.dtype(), false,
                                  placements ? *placements : Placements());
    layouts.push_back("{\"pattern\": " + quoted(name) + ", \"layout\": " +
                      quoted(printLayout(mesh.grid(), spec->layout)) + "}");
  }
  module.mesh = mesh;
  module.entries["layouts"] = std::move(layouts);
  module.inputFn = inputFn;
  module.outputFn = outputFn;
  module.compiled.reset();
}

//===----------------------------------------------------------------------===//
// Styles
//===----------------------------------------------------------------------===//

ParallelStyle dtensor::colwiseParallel() {
  return {ParallelStyle::Kind::Colwise, {}};
}
ParallelStyle dtensor::rowwiseParallel() {
  return {ParallelStyle::Kind::Rowwise, {}};
}
ParallelStyle dtensor::sequenceParallel() {
  return {ParallelStyle::Kind::Sequence, {}};
}
ParallelStyle dtensor::prepareModuleInput(std::vector<Placements> desired) {
  return {ParallelStyle::Kind::Inputs, std::move(desired)};
}
ParallelStyle dtensor::prepareModuleOutput(std::vector<Placements> desired) {
  return {ParallelStyle::Kind::Outputs, std::move(desired)};
}

namespace dtensor {

/// Writes styles into a module's document.
class StyleApplier {
public:
  StyleApplier(Module &module, const DeviceMesh &mesh, const std::string &dim)
      : module(module), mesh(mesh), dim(dim) {
    mesh.size(dim); // refuses names that it does not have
    if (module.mesh && *module.mesh != mesh)
      throw refuse("the module lies on the mesh " + module.mesh->text() +
                   ", not " + mesh.text());
  }

  void apply(const std::string &pattern, const ParallelStyle &style) {
    switch (style.kind) {
    case ParallelStyle::Kind::Colwise:
      return addStyle(pattern, "colwise");
    case ParallelStyle::Kind::Rowwise:
      return addStyle(pattern, "rowwise");
    case ParallelStyle::Kind::Sequence:
      return addStyle(pattern, "sequence");
    case ParallelStyle::Kind::Inputs:
      return addLayouts(pattern, "inputs", style.layouts);
    case ParallelStyle::Kind::Outputs:
      return addLayouts(pattern, "outputs", style.layouts);
    }
  }

  /// Everything was right.
  void finish() {
    module.mesh = mesh;
    for (auto &[key, list] : made)
      for (std::string &entry : list)
        module.entries[key].push_back(std::move(entry));
    module.compiled.reset();
  }

private:
  void addStyle(const std::string &pattern, const std::string &name) {
    made["styles"].push_back(
        "{\"pattern\": " + quoted(pattern.empty() ? "*" : pattern) +
        ", \"style\": " + quoted(name) + ", \"axis\": " + quoted(dim) + "}");
  }

  void addLayouts(const std::string &pattern, const std::string &key,
                  const std::vector<Placements> &layouts) {
    if (!pattern.empty())
      throw refuse("layouts of " + key +
                   " are for the whole module; give them "
                   "under the name \"\" instead of \"" +
                   pattern + "\"");
    for (size_t i = 0; i < layouts.size(); ++i)
      if (layouts[i].given())
        made[key].push_back(
            "{\"index\": " + std::to_string(i) +
            ", \"layout\": " + quoted(layoutText(mesh, layouts[i])) + "}");
  }

  Module &module;
  const DeviceMesh &mesh;
  const std::string &dim;
  std::map<std::string, std::vector<std::string>> made;
};

} // namespace dtensor

void dtensor::parallelizeModule(
    Module &module, const DeviceMesh &mesh, const std::string &dim,
    const std::vector<std::pair<std::string, ParallelStyle>> &plan) {
  StyleApplier applier(module, mesh, dim);
  for (const auto &[pattern, style] : plan)
    applier.apply(pattern, style);
  applier.finish();
}
