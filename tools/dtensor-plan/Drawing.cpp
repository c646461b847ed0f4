// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws a layout as a grid of pieces.
#include "Drawing.h"

#include <algorithm>
#include <set>

using namespace dtensor;

namespace {

constexpr size_t maxRows = 16, maxWidth = 78;
constexpr int64_t maxDrawnRanks = 64;

/// "0-3, 8" of ascending numbers.
std::string ranges(const std::vector<int64_t> &numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (last > i)
      text += (last == i + 1 ? ", " : "-") + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

/// The places where some box begins or ends in dimension `dim`.
std::vector<int64_t> cutsOf(const std::vector<Box> &boxes, size_t dim) {
  std::set<int64_t> cuts;
  for (const Box &box : boxes)
    if (!box.isEmpty()) {
      cuts.insert(box.lo[dim]);
      cuts.insert(box.hi[dim]);
    }
  return {cuts.begin(), cuts.end()};
}

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string rangeText(int64_t lo, int64_t hi) {
  return std::to_string(lo) + ".." + std::to_string(hi - 1);
}

} // namespace

std::string dtensor::drawLayout(const Mesh &mesh, const Layout &layout,
                                const std::vector<int64_t> &shape,
                                const std::vector<int64_t> &devices) {
  if (shape.empty() || shape.size() > 2 || mesh.numRanks() > maxDrawnRanks)
    return "";
  std::vector<Box> boxes;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
    boxes.push_back(localBox(mesh, layout, shape, rank));
  std::vector<int64_t> columnCuts = cutsOf(boxes, shape.size() - 1);
  std::vector<int64_t> rowCuts =
      shape.size() == 2 ? cutsOf(boxes, 0) : std::vector<int64_t>{0, 1};
  if (columnCuts.size() < 2 || rowCuts.size() < 2 ||
      rowCuts.size() - 1 > maxRows)
    return "";
  // One line of labels, then one per row of pieces; column 0 has the rows'.
  std::vector<std::vector<std::string>> cells(rowCuts.size());
  cells[0].push_back("");
  for (size_t c = 0; c + 1 < columnCuts.size(); ++c)
    cells[0].push_back(rangeText(columnCuts[c], columnCuts[c + 1]));
  for (size_t r = 0; r + 1 < rowCuts.size(); ++r) {
    std::vector<std::string> &line = cells[r + 1];
    line.push_back(shape.size() == 2 ? rangeText(rowCuts[r], rowCuts[r + 1])
                                     : "");
    for (size_t c = 0; c + 1 < columnCuts.size(); ++c) {
      std::vector<int64_t> holders;
      for (size_t rank = 0; rank < boxes.size(); ++rank) {
        const Box &box = boxes[rank];
        size_t last = shape.size() - 1;
        bool holds = box.lo[last] <= columnCuts[c] &&
                     columnCuts[c + 1] <= box.hi[last] && !box.isEmpty();
        if (shape.size() == 2)
          holds &= box.lo[0] <= rowCuts[r] && rowCuts[r + 1] <= box.hi[0];
        if (holds)
          holders.push_back(devices.empty() ? static_cast<int64_t>(rank)
                                            : devices[rank]);
      }
      std::sort(holders.begin(), holders.end());
      line.push_back(ranges(holders));
    }
  }
  std::vector<size_t> widths(columnCuts.size(), 0);
  size_t total = 0;
  for (size_t c = 0; c < widths.size(); ++c) {
    for (const auto &line : cells)
      widths[c] = std::max(widths[c], line[c].size());
    total += widths[c] + 3;
  }
  if (total > maxWidth)
    return "";
  std::string text;
  for (const auto &line : cells) {
    std::string row = "  ";
    for (size_t c = 0; c < line.size(); ++c)
      row += (c ? " | " : "") + padded(line[c], widths[c]);
    row.resize(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}
