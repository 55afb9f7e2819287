#include "pipeline/packing.h"

#include <algorithm>
#include <numeric>

namespace headroom::pipeline {
namespace {

/// An atom line of a mol block and its share of the bond lines.
constexpr std::size_t kMolblockBytesPerAtom = 90;

bool is_letter(char character) {
  return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
}

}  // namespace

std::size_t estimate_atoms(const chem::MoleculeRecord& record) {
  if (record.format == chem::RecordFormat::molblock) {
    return record.text.size() / kMolblockBytesPerAtom + 1;
  }
  const auto letters = std::count_if(record.text.begin(), record.text.end(), is_letter);
  return std::max<std::size_t>(1, static_cast<std::size_t>(letters));
}

std::vector<std::vector<std::size_t>> pack_batches(std::span<const std::size_t> atoms, std::size_t limit) {
  std::vector<std::size_t> order(atoms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t one, std::size_t other) { return atoms[one] > atoms[other]; });
  std::vector<std::vector<std::size_t>> batches;
  std::size_t room = 0;
  for (const std::size_t item : order) {
    if (batches.empty() || atoms[item] > room) {
      batches.emplace_back();
      room = limit;
    }
    batches.back().push_back(item);
    room -= std::min(room, atoms[item]);
  }
  return batches;
}

}  // namespace headroom::pipeline
