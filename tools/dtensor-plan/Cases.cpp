// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads cases, from flags and from JSON.
#include "Cases.h"

#include "dtensor/Planner/Json.h"

using namespace dtensor;

namespace {

/// Reads "64x32" or "3,1,2": non-negative integers between `separator`s.
Expected<std::vector<int64_t>> parseIntegers(const std::string &text,
                                             char separator, const char *what) {
  std::vector<int64_t> numbers;
  if (text.empty())
    return numbers;
  size_t at = 0;
  for (;;) {
    size_t end = text.find(separator, at);
    std::string part = text.substr(at, end - at);
    bool digits = !part.empty() && part.size() <= 18 &&
                  part.find_first_not_of("0123456789") == std::string::npos;
    if (!digits)
      return Error{"cannot read '" + part + "' in the " + what + " '" + text +
                   "' as a number of at most 18 digits"};
    numbers.push_back(std::stoll(part));
    if (end == std::string::npos)
      return numbers;
    at = end + 1;
  }
}

Expected<ElementType> parseType(const std::string &name) {
  if (auto type = parseElementType(name))
    return *type;
  return Error{"unknown dtype '" + name +
               "' (types are f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, "
               "i16, i32, i64)"};
}

/// The members of a case, read with messages that name the key.
class CaseReader {
public:
  explicit CaseReader(const JsonValue &object) : object(object) {}

  Expected<PlanCase> run() {
    PlanCase asked;
    for (Status status :
         {axes("mesh", asked.mesh), integers("shape", asked.shape),
          type(asked.type), text("from", asked.from), text("to", asked.to),
          object.find("devices") ? integers("devices", asked.devices)
                                 : Status::success(),
          otherMesh(asked)})
      if (!status)
        return status.error();
    return asked;
  }

private:
  Error mustBe(const std::string &key, const std::string &what) const {
    return Error{"'" + key + "' must be " + what};
  }

  /// The member, or an error where it is missing.
  Expected<const JsonValue *> member(const std::string &key) const {
    const JsonValue *value = object.find(key);
    if (!value)
      return Error{"'" + key + "' is missing"};
    return value;
  }

  Status text(const std::string &key, std::string &out) const {
    auto value = member(key);
    if (!value)
      return value.error();
    if (!(*value)->isString())
      return mustBe(key, "a layout in quotes");
    out = (*value)->text;
    return Status::success();
  }

  Status integers(const std::string &key, std::vector<int64_t> &out) const {
    auto value = member(key);
    if (!value)
      return value.error();
    if (!(*value)->isArray())
      return mustBe(key, "an array of integers");
    for (const JsonValue &item : (*value)->items) {
      if (!item.isInteger)
        return mustBe(key, "an array of integers");
      out.push_back(item.integer);
    }
    return Status::success();
  }

  Status axes(const std::string &key, std::vector<MeshAxis> &out) const {
    const char *what = "an array of [name, size] pairs";
    auto value = member(key);
    if (!value)
      return value.error();
    if (!(*value)->isArray())
      return mustBe(key, what);
    for (const JsonValue &axis : (*value)->items) {
      if (!axis.isArray() || axis.items.size() != 2 ||
          !axis.items[0].isString() || !axis.items[1].isInteger)
        return mustBe(key, what);
      out.push_back({axis.items[0].text, axis.items[1].integer});
    }
    return Status::success();
  }

  Status type(ElementType &out) const {
    const JsonValue *bytes = object.find("element_bytes");
    if (!object.find("dtype") && bytes) {
      // The reference answers know sizes only; any type of the size will do.
      constexpr std::pair<int64_t, ElementType> types[] = {
          {8, ElementType::F64},
          {4, ElementType::F32},
          {2, ElementType::BF16},
          {1, ElementType::I8}};
      for (auto [size, type] : types)
        if (bytes->isInteger && bytes->integer == size) {
          out = type;
          return Status::success();
        }
      return mustBe("element_bytes", "1, 2, 4 or 8");
    }
    auto value = member("dtype");
    if (!value)
      return value.error();
    if (!(*value)->isString())
      return mustBe("dtype", "a type in quotes");
    auto parsed = parseType((*value)->text);
    if (!parsed)
      return parsed.error();
    out = *parsed;
    return Status::success();
  }

  /// A null says the same as no member.
  bool has(const std::string &key) const {
    const JsonValue *value = object.find(key);
    return value && !value->isNull();
  }

  Status otherMesh(PlanCase &asked) const {
    if (has("to_mesh"))
      if (Status status = axes("to_mesh", asked.toMesh.emplace()); !status)
        return status;
    if (has("to_devices"))
      return integers("to_devices", asked.toDevices.emplace());
    return Status::success();
  }

  const JsonValue &object;
};

Expected<std::vector<MeshAxis>> parseAxes(const std::string &text) {
  auto mesh = parseMesh(text);
  if (!mesh)
    return mesh.error();
  return mesh->axes();
}

Status readLayouts(const PlanCase &asked, const Mesh &source,
                   const Mesh &target, Layout &from, Layout &to) {
  int rank = static_cast<int>(asked.shape.size());
  for (bool isFrom : {true, false}) {
    auto layout = parseLayout(isFrom ? source : target, rank,
                              isFrom ? asked.from : asked.to);
    if (!layout)
      return Error{asked.prefix + (isFrom ? "from: " : "to: ") +
                   layout.error().message};
    (isFrom ? from : to) = std::move(*layout);
  }
  return Status::success();
}

} // namespace

Expected<PlanCase> dtensor::readCase(const PlanOptions &options) {
  PlanCase asked;
  asked.prefix = "--";
  auto devices =
      parseIntegers(options.value("devices", ""), ',', "device order");
  if (!devices)
    return devices.error();
  asked.devices = std::move(*devices);
  auto mesh = parseAxes(options.value("mesh", ""));
  if (!mesh)
    return mesh.error();
  asked.mesh = std::move(*mesh);
  if (options.values.count("to-mesh")) {
    auto other = parseAxes(options.value("to-mesh", ""));
    if (!other)
      return Error{"--to-mesh: " + other.error().message};
    asked.toMesh = std::move(*other);
  }
  if (options.values.count("to-devices")) {
    auto order =
        parseIntegers(options.value("to-devices", ""), ',', "device order");
    if (!order)
      return Error{"--to-devices: " + order.error().message};
    asked.toDevices = std::move(*order);
  }
  auto shape = parseIntegers(options.value("shape", ""), 'x', "shape");
  if (!shape)
    return shape.error();
  asked.shape = std::move(*shape);
  auto type = parseType(options.value("dtype", "f32"));
  if (!type)
    return type.error();
  asked.type = *type;
  asked.from = options.value("from", "");
  asked.to = options.value("to", "");
  return asked;
}

Expected<PlanCase> dtensor::readCase(std::string_view line) {
  auto object = parseJson(line);
  if (!object)
    return object.error();
  if (!object->isObject())
    return Error{"a case is an object in braces"};
  return CaseReader(*object).run();
}

Expected<PlanQuestion> dtensor::makeQuestion(const PlanCase &asked,
                                             const PlanOptions &options,
                                             const Topology &topology) {
  Objective objective = options.value("objective", "time") == "bytes"
                            ? Objective::Bytes
                            : Objective::Time;
  std::string backendName = options.value("backend", "threads");
  Backend backend = backendName == "mpi"    ? Backend::Mpi
                    : backendName == "nccl" ? Backend::Nccl
                                            : Backend::Threads;
  auto fill = [&](auto &request) {
    request.shape = asked.shape;
    request.type = asked.type;
    request.topology = topology;
    request.objective = objective;
    request.memoryLimit = options.memoryLimit;
    request.backend = backend;
  };
  PlanQuestion question;
  if (!asked.toMesh && !asked.toDevices) {
    auto mesh = Mesh::create(asked.mesh, asked.devices);
    if (!mesh)
      return mesh.error();
    if (Status status = checkCapacity(topology, *mesh); !status)
      return status.error();
    RedistributionRequest &request = question.request;
    if (Status status =
            readLayouts(asked, *mesh, *mesh, request.from, request.to);
        !status)
      return status.error();
    request.mesh = std::move(*mesh);
    fill(request);
    return question;
  }
  auto source = PlacedMesh::create(asked.mesh, asked.devices);
  if (!source)
    return source.error();
  auto target = PlacedMesh::create(asked.toMesh ? *asked.toMesh : asked.mesh,
                                   asked.toDevices ? *asked.toDevices
                                                   : std::vector<int64_t>());
  if (!target)
    return Error{"target mesh: " + target.error().message};
  for (const PlacedMesh *placed : {&*source, &*target})
    if (Status status = checkCapacity(topology, placed->mesh); !status)
      return status.error();
  MeshChangeRequest &change = question.change.emplace();
  if (Status status = readLayouts(asked, source->mesh, target->mesh,
                                  change.from, change.to);
      !status)
    return status.error();
  change.source = std::move(*source);
  change.target = std::move(*target);
  fill(change);
  return question;
}
