// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Topology files: JSON that is read strictly, with every message located, and
// written back.
#include "dtensor/Planner/Json.h"
#include "dtensor/Planner/Topology.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace dtensor;

namespace {

/// Larger and smaller numbers than these are slips, not machines.
constexpr double maxLatencyUs = 1e9;
constexpr double minGigabytesPerSecond = 1e-6, maxGigabytesPerSecond = 1e9;
constexpr double minTeraflops = 1e-6, maxTeraflops = 1e9;
constexpr double maxTableBytes = 1e18;
constexpr double bytesPerUsOfGigabyte = 1000;
constexpr double flopsPerUsOfTera = 1e6;

/// "12.5": the shortest text that reads back as `value`.
std::string number(double value) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, end.ptr);
}

class TopologyReader {
public:
  TopologyReader(std::string_view text, const std::string &path)
      : text(text), path(path) {}

  Expected<Topology> run();

private:
  using Members = std::initializer_list<const char *>;

  Error failAt(size_t offset, const std::string &what) const {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < offset && i < text.size(); ++i) {
      ++column;
      if (text[i] == '\n') {
        ++line;
        column = 1;
      }
    }
    return Error{path + ":" + std::to_string(line) + ":" +
                 std::to_string(column) + ": " + what};
  }
  Error fail(const JsonValue &value, const std::string &what) const {
    return failAt(value.offset, what);
  }

  /// An object that has no other members than `known`.
  Status checkMembers(const JsonValue &value, const std::string &where,
                      Members known) const;
  /// A number in [least, most].
  Status readNumber(const JsonValue &object, const std::string &where,
                    const char *key, double scale, double least, double most,
                    double &out) const;
  Status readCount(const JsonValue &object, const std::string &where,
                   const char *key, int64_t least, int64_t &out) const;
  Status readLink(const JsonValue &value, const std::string &where,
                  Link &out) const;
  Status readAxes(const JsonValue &value, Topology &out) const;
  Status readRates(const JsonValue &value, Topology &out) const;
  Status readTable(const JsonValue &value, const std::string &where,
                   const Topology &topology, CollectiveTable &out) const;
  Status readPoints(const JsonValue &value, const std::string &where,
                    CollectiveTable &out) const;
  Status readTables(const JsonValue &value, Topology &out) const;
  Status checkNodes(const JsonValue &root, const Topology &topology) const;

  std::string_view text;
  const std::string &path;
};

Status TopologyReader::checkMembers(const JsonValue &value,
                                    const std::string &where,
                                    Members known) const {
  if (!value.isObject())
    return fail(value, "'" + where + "' must be an object in braces");
  for (const auto &[name, member] : value.members) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    std::string names;
    for (const char *one : known)
      names += (names.empty() ? "" : ", ") + std::string(one);
    return fail(member, "unknown key '" + name + "' in '" + where +
                            "' (its keys are " + names + ")");
  }
  return Status::success();
}

Status TopologyReader::readNumber(const JsonValue &object,
                                  const std::string &where, const char *key,
                                  double scale, double least, double most,
                                  double &out) const {
  const JsonValue *value = object.find(key);
  if (!value)
    return fail(object, "'" + where + "' needs '" + key + "'");
  bool fits = value->kind == JsonValue::Kind::Number &&
              value->number >= least && value->number <= most;
  if (!fits)
    return fail(*value, "'" + where + "." + key + "' must be a number from " +
                            number(least) + " to " + number(most));
  out = value->number * scale;
  return Status::success();
}

Status TopologyReader::readCount(const JsonValue &object,
                                 const std::string &where, const char *key,
                                 int64_t least, int64_t &out) const {
  const JsonValue *value = object.find(key);
  if (!value)
    return Status::success();
  constexpr int64_t most = int64_t(1) << 31;
  if (!value->isInteger || value->integer < least || value->integer > most)
    return fail(*value, "'" + where + "." + key + "' must be an integer from " +
                            std::to_string(least) + " to " +
                            std::to_string(most));
  out = value->integer;
  return Status::success();
}

Status TopologyReader::readLink(const JsonValue &value,
                                const std::string &where, Link &out) const {
  if (Status status = checkMembers(
          value, where, {"latency_us", "gigabytes_per_second", "shared_by"});
      !status)
    return status;
  if (Status status = readNumber(value, where, "latency_us", 1, 0, maxLatencyUs,
                                 out.latencyUs);
      !status)
    return status;
  if (Status status = readNumber(value, where, "gigabytes_per_second",
                                 bytesPerUsOfGigabyte, minGigabytesPerSecond,
                                 maxGigabytesPerSecond, out.bytesPerUs);
      !status)
    return status;
  return readCount(value, where, "shared_by", 1, out.sharedBy);
}

Status TopologyReader::readAxes(const JsonValue &value, Topology &out) const {
  if (!value.isObject())
    return fail(value, "'axes' must be an object in braces");
  for (const auto &[name, member] : value.members) {
    if (!Mesh::create({{name, 1}}))
      return fail(member, "'axes' names '" + name +
                              "', which is no axis name "
                              "([A-Za-z_][A-Za-z0-9_]*)");
    out.axisLinks.push_back({name, Link()});
    if (Status status =
            readLink(member, "axes." + name, out.axisLinks.back().second);
        !status)
      return status;
  }
  return Status::success();
}

Status TopologyReader::readRates(const JsonValue &value, Topology &out) const {
  if (!value.isObject())
    return fail(value, "'teraflops' must be an object in braces");
  for (const auto &[name, member] : value.members) {
    double rate = 0;
    if (Status status =
            readNumber(value, "teraflops", name.c_str(), flopsPerUsOfTera,
                       minTeraflops, maxTeraflops, rate);
        !status)
      return status;
    auto type = parseElementType(name);
    if (name == "default")
      out.flopsPerUs = rate;
    else if (type)
      out.typeFlopsPerUs.push_back({*type, rate});
    else
      return fail(member, "'teraflops' names '" + name +
                              "', which is neither an element type nor "
                              "'default'");
  }
  return Status::success();
}

Status TopologyReader::readPoints(const JsonValue &value,
                                  const std::string &where,
                                  CollectiveTable &out) const {
  if (!value.isArray() || value.items.empty())
    return fail(value, "'" + where + "' must be an array of [bytes, us] pairs");
  for (const JsonValue &item : value.items) {
    bool fits = item.isArray() && item.items.size() == 2 &&
                item.items[0].kind == JsonValue::Kind::Number &&
                item.items[1].kind == JsonValue::Kind::Number;
    if (!fits)
      return fail(item,
                  "'" + where + "' must be an array of [bytes, us] pairs");
    double bytes = item.items[0].number, time = item.items[1].number;
    if (!(bytes >= 0 && bytes <= maxTableBytes && time >= 0 &&
          time <= maxLatencyUs))
      return fail(item, "'" + where + "' has a point out of range: bytes go " +
                            "from 0 to " + number(maxTableBytes) +
                            ", times from 0 to " + number(maxLatencyUs));
    if (!out.points.empty() && bytes <= out.points.back().first)
      return fail(item, "'" + where + "' must have ascending bytes");
    if (!out.points.empty() && time < out.points.back().second)
      return fail(item, "'" + where + "' says that more bytes take less time");
    out.points.push_back({bytes, time});
  }
  return Status::success();
}

Status TopologyReader::readTable(const JsonValue &value,
                                 const std::string &where,
                                 const Topology &topology,
                                 CollectiveTable &out) const {
  constexpr const char *ops[] = {"all_gather",     "all_reduce", "all_to_all",
                                 "reduce_scatter", "permute",    "exchange"};
  if (Status status =
          checkMembers(value, where, {"op", "ranks", "nodes", "points"});
      !status)
    return status;
  const JsonValue *op = value.find("op");
  if (!op || !op->isString() ||
      std::find(std::begin(ops), std::end(ops), op->text) == std::end(ops))
    return fail(op ? *op : value,
                "'" + where +
                    ".op' must be all_gather, all_reduce, all_to_all, "
                    "reduce_scatter, permute or exchange");
  out.op = op->text;
  if (!value.find("ranks"))
    return fail(value, "'" + where + "' needs 'ranks'");
  for (Status status : {readCount(value, where, "ranks", 2, out.group.size),
                        readCount(value, where, "nodes", 1, out.group.nodes)})
    if (!status)
      return status;
  if (out.group.size % out.group.nodes != 0)
    return fail(value, "'" + where + "' spreads " +
                           std::to_string(out.group.size) + " ranks over " +
                           std::to_string(out.group.nodes) +
                           " nodes, which does not divide");
  if (out.group.nodes > 1 && topology.ranksPerNode == 0)
    return fail(value, "'" + where +
                           "' spans nodes, but the file has no "
                           "'ranks_per_node'");
  if (topology.ranksPerNode > 0 &&
      out.group.size / out.group.nodes > topology.ranksPerNode)
    return fail(value, "'" + where + "' puts " +
                           std::to_string(out.group.size / out.group.nodes) +
                           " ranks on a node of " +
                           std::to_string(topology.ranksPerNode));
  if (topology.table(out.op, out.group))
    return fail(value, "'" + where + "' repeats the table of " + out.op +
                           " for groups of " + std::to_string(out.group.size) +
                           " ranks on " + std::to_string(out.group.nodes) +
                           " nodes");
  const JsonValue *points = value.find("points");
  if (!points)
    return fail(value, "'" + where + "' needs 'points'");
  return readPoints(*points, where + ".points", out);
}

Status TopologyReader::readTables(const JsonValue &value, Topology &out) const {
  if (!value.isArray())
    return fail(value, "'collectives' must be an array of objects");
  for (const JsonValue &item : value.items) {
    CollectiveTable table;
    std::string where =
        "collectives[" + std::to_string(out.tables.size()) + "]";
    if (Status status = readTable(item, where, out, table); !status)
      return status;
    out.tables.push_back(std::move(table));
  }
  return Status::success();
}

/// What the file says about nodes must go together.
Status TopologyReader::checkNodes(const JsonValue &root,
                                  const Topology &topology) const {
  const JsonValue *link = root.find("node_link");
  const JsonValue *perNode = root.find("ranks_per_node");
  if (link && !perNode)
    return fail(*link, "'node_link' needs 'ranks_per_node'");
  if (perNode && !link)
    return fail(*perNode, "'ranks_per_node' needs 'node_link'");
  if (!perNode)
    return Status::success();
  if (topology.ranks > 0 && topology.ranks % topology.ranksPerNode != 0)
    return fail(*perNode, "'ranks' of " + std::to_string(topology.ranks) +
                              " do not fill nodes of " +
                              std::to_string(topology.ranksPerNode) +
                              " ('ranks_per_node')");
  if (topology.nodeLink.sharedBy > topology.ranksPerNode)
    return fail(*link, "'node_link.shared_by' is " +
                           std::to_string(topology.nodeLink.sharedBy) +
                           ", more than the " +
                           std::to_string(topology.ranksPerNode) +
                           " ranks of a node");
  return Status::success();
}

Expected<Topology> TopologyReader::run() {
  auto root = parseJson(text);
  if (!root) {
    // Columns count from the beginning of the text here.
    const std::string &message = root.error().message;
    size_t colon = message.find(": ");
    return failAt(
        std::strtoul(message.c_str() + strlen("column "), nullptr, 10) - 1,
        message.substr(colon + 2));
  }
  if (Status status =
          checkMembers(*root, "topology",
                       {"name", "ranks", "ranks_per_node", "default_link",
                        "node_link", "axes", "memory_gigabytes_per_second",
                        "teraflops", "kernel_floor_us", "collectives"});
      !status)
    return status.error();
  Topology out;
  const JsonValue *name = root->find("name");
  if (!name || !name->isString() || name->text.empty())
    return fail(name ? *name : *root, "'name' must be a text in quotes");
  out.name = name->text;
  if (out.name.rfind("builtin:", 0) == 0)
    return fail(*name, "'name' begins with 'builtin:', which only the shipped "
                       "topologies do");
  const JsonValue *link = root->find("default_link");
  if (!link)
    return fail(*root, "'topology' needs 'default_link'");
  for (Status status :
       {readCount(*root, "topology", "ranks", 1, out.ranks),
        readCount(*root, "topology", "ranks_per_node", 1, out.ranksPerNode),
        readLink(*link, "default_link", out.defaultLink)})
    if (!status)
      return status.error();
  if (const JsonValue *value = root->find("node_link"))
    if (Status status = readLink(*value, "node_link", out.nodeLink); !status)
      return status.error();
  if (Status status = checkNodes(*root, out); !status)
    return status.error();
  if (const JsonValue *value = root->find("axes"))
    if (Status status = readAxes(*value, out); !status)
      return status.error();
  if (Status status =
          readNumber(*root, "topology", "memory_gigabytes_per_second",
                     bytesPerUsOfGigabyte, minGigabytesPerSecond,
                     maxGigabytesPerSecond, out.memoryBytesPerUs);
      !status)
    return status.error();
  if (root->find("kernel_floor_us"))
    if (Status status = readNumber(*root, "topology", "kernel_floor_us", 1, 0,
                                   maxLatencyUs, out.kernelFloorUs);
        !status)
      return status.error();
  if (const JsonValue *value = root->find("teraflops"))
    if (Status status = readRates(*value, out); !status)
      return status.error();
  if (const JsonValue *value = root->find("collectives"))
    if (Status status = readTables(*value, out); !status)
      return status.error();
  return out;
}

std::string linkText(const Link &link) {
  std::string text = "{\"latency_us\": " + number(link.latencyUs) +
                     ", \"gigabytes_per_second\": " +
                     number(link.bytesPerUs / bytesPerUsOfGigabyte);
  if (link.sharedBy != 1)
    text += ", \"shared_by\": " + std::to_string(link.sharedBy);
  return text + "}";
}

} // namespace

Expected<Topology> dtensor::readTopology(std::string_view text,
                                         const std::string &path) {
  return TopologyReader(text, path).run();
}

Expected<Topology> dtensor::parseTopology(std::string_view text) {
  constexpr std::string_view prefix = "builtin:";
  if (text.substr(0, prefix.size()) == prefix)
    return Topology::builtin(text.substr(prefix.size()));
  std::string path(text);
  errno = 0;
  std::ifstream file(path);
  std::stringstream content;
  // To stream nothing out of an empty file counts as a failure.
  if (file && file.peek() != std::ifstream::traits_type::eof())
    content << file.rdbuf();
  if (!file || file.bad() || content.fail())
    return Error{"cannot read topology file '" + path +
                 "': " + strerror(errno ? errno : EIO) +
                 " (shipped machines are builtin:threads, builtin:h100x8 and "
                 "builtin:h100x8x16)"};
  return readTopology(content.str(), path);
}

std::string dtensor::printTopology(const Topology &topology) {
  std::string name;
  for (char c : topology.name) {
    if (c == '"' || c == '\\')
      name += '\\';
    name += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  std::string text = "{\n  \"name\": \"" + name + "\",\n";
  if (topology.ranks > 0)
    text += "  \"ranks\": " + std::to_string(topology.ranks) + ",\n";
  text += "  \"default_link\": " + linkText(topology.defaultLink) + ",\n";
  if (topology.ranksPerNode > 0)
    text += "  \"ranks_per_node\": " + std::to_string(topology.ranksPerNode) +
            ",\n  \"node_link\": " + linkText(topology.nodeLink) + ",\n";
  if (!topology.axisLinks.empty()) {
    text += "  \"axes\": {";
    for (size_t i = 0; i < topology.axisLinks.size(); ++i)
      text += std::string(i ? "," : "") + "\n    \"" +
              topology.axisLinks[i].first +
              "\": " + linkText(topology.axisLinks[i].second);
    text += "\n  },\n";
  }
  text += "  \"memory_gigabytes_per_second\": " +
          number(topology.memoryBytesPerUs / bytesPerUsOfGigabyte) + ",\n";
  text += "  \"teraflops\": {\"default\": " +
          number(topology.flopsPerUs / flopsPerUsOfTera);
  for (const auto &[type, rate] : topology.typeFlopsPerUs)
    text += ", \"" + std::string(elementTypeName(type)) +
            "\": " + number(rate / flopsPerUsOfTera);
  text += "},\n  \"kernel_floor_us\": " + number(topology.kernelFloorUs);
  for (size_t i = 0; i < topology.tables.size(); ++i) {
    const CollectiveTable &table = topology.tables[i];
    text += i ? ",\n    {" : ",\n  \"collectives\": [\n    {";
    text += "\"op\": \"" + table.op +
            "\", \"ranks\": " + std::to_string(table.group.size);
    if (table.group.nodes > 1)
      text += ", \"nodes\": " + std::to_string(table.group.nodes);
    text += ", \"points\": [";
    for (size_t k = 0; k < table.points.size(); ++k)
      text += std::string(k ? ", [" : "[") + number(table.points[k].first) +
              ", " + number(table.points[k].second) + "]";
    text += "]}";
  }
  return text + (topology.tables.empty() ? "" : "\n  ]") + "\n}\n";
}

std::string dtensor::topologyHash(const Topology &topology) {
  // FNV-1a over the numbers, to nine digits: units are converted when a file is
  // read and written, which changes the last bit of some.
  auto rounded = [](double value) {
    char text[40];
    snprintf(text, sizeof(text), "%.9g", value);
    return std::string(text);
  };
  uint64_t hash = 0xcbf29ce484222325u;
  auto add = [&hash](const std::string &part) {
    for (unsigned char c : part + ";")
      hash = (hash ^ c) * 0x100000001b3u;
  };
  auto addLink = [&](const Link &link) {
    add(rounded(link.latencyUs));
    add(rounded(link.bytesPerUs));
    if (link.sharedBy != 1)
      add("/" + std::to_string(link.sharedBy));
  };
  for (const auto &[axis, link] : topology.axisLinks) {
    add(axis);
    addLink(link);
  }
  addLink(topology.defaultLink);
  if (topology.ranksPerNode > 0) {
    add(std::to_string(topology.ranksPerNode));
    addLink(topology.nodeLink);
  }
  add(rounded(topology.memoryBytesPerUs));
  add(rounded(topology.flopsPerUs));
  for (const auto &[type, rate] : topology.typeFlopsPerUs)
    add(std::string(elementTypeName(type)) + rounded(rate));
  add(rounded(topology.kernelFloorUs));
  for (const CollectiveTable &table : topology.tables) {
    add(table.op);
    add(std::to_string(table.group.size) + "/" +
        std::to_string(table.group.nodes));
    for (auto [bytes, time] : table.points)
      add(rounded(bytes) + ":" + rounded(time));
  }
  char digits[20];
  snprintf(digits, sizeof(digits), "%016llx",
           static_cast<unsigned long long>(hash));
  return digits;
}
