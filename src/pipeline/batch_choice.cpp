#include "pipeline/batch_choice.h"

#include <algorithm>
#include <utility>

#include "pipeline/encode_molecules.h"
#include "pipeline/packing.h"

namespace headroom::pipeline {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Room for most molecules by themselves; a larger one is a batch of its own.
constexpr std::size_t kSmallestBatchAtoms = 256;
/// Below, a worker spends its time on everything but atoms.
constexpr std::size_t kEfficientBatchAtoms = 512;

/// Directed edges of an organic molecule: 2.1 an atom, 2.6 in cages.
constexpr std::size_t edges_of(std::size_t atoms) { return atoms * 5 / 2; }

/// The window that is filled, the one that is featurised, and the batches of one that wait to be encoded. One
/// more for each worker that featurises ahead of the others.
constexpr std::size_t kWindowsAtLeast = 3;
/// Keys and places of a record in work, a molecule being small; its text comes besides.
constexpr std::uint64_t kRecordBytesPerAtom = 40;
/// Texts are copied: a record is read into one string and handed on in another.
constexpr std::uint64_t kTextCopies = 2;

/// Measured on 40,000 drug-like molecules: RDKit's tables once, and a worker's own stack, heap and parsing.
constexpr std::uint64_t kChemistryBytes = 12 * kMebibyte, kWorkerBytes = 6 * kMebibyte;

bool fits(const BatchChoice& choice, const EncodingRoom& room) {
  return choice.host_bytes <= room.host && choice.device_bytes <= room.device.value_or(0);
}

}  // namespace

void BatchChoice::set_tensors(std::uint64_t bytes) {
  std::uint64_t& holder = device_bytes > 0 ? device_bytes : host_bytes;
  holder = holder - tensor_bytes + bytes;
  tensor_bytes = bytes;
}

BatchChooser::BatchChooser(const encoders::Encoder& encoder, memory::ProjectedBytes tensors,
                           RecordSizes records, bool on_device)
    : encoder_(encoder), tensors_(std::move(tensors)), records_(records), on_device_(on_device) {}

BatchChoice BatchChooser::describe(std::size_t workers, std::size_t batch_atoms) const {
  const std::uint64_t tensors = workers * tensors_(batch_atoms);
  std::size_t waiting = (kWindowsAtLeast + workers - 1) * WindowCutter::kBatches * batch_atoms;
  if (records_.largest.atoms >= batch_atoms) {
    waiting += 2 * workers * records_.largest.atoms;  // one that is featurised, one that waits to be encoded
  }
  const auto record_bytes = static_cast<double>(waiting) *
                            (static_cast<double>(kRecordBytesPerAtom) + records_.text_bytes_per_atom);
  const std::uint64_t host = kChemistryBytes + workers * (kWorkerBytes + records_.featurising_bytes) +
                             encoder_.featurised_bytes(waiting, edges_of(waiting)) +
                             static_cast<std::uint64_t>(record_bytes) + kTextCopies * records_.longest_text;
  return {.workers = workers,
          .batch_atoms = batch_atoms,
          .host_bytes = host + (on_device_ ? 0 : tensors),
          .device_bytes = on_device_ ? tensors : 0,
          .tensor_bytes = tensors};
}

std::optional<BatchChoice> BatchChooser::choose(const EncodingRoom& room, std::size_t workers,
                                                std::size_t batch_atoms) const {
  const auto attempt = [&](std::size_t count, std::size_t atoms) -> std::optional<BatchChoice> {
    const BatchChoice choice = describe(count, atoms);
    return fits(choice, room) ? std::optional(choice) : std::nullopt;
  };
  for (std::size_t count = workers; count > 0; --count) {
    if (batch_atoms > 0) {
      if (const auto choice = attempt(count, batch_atoms)) {
        return choice;
      }
      continue;
    }
    const std::size_t smallest = count == 1 ? kSmallestBatchAtoms : kEfficientBatchAtoms;
    for (std::size_t atoms = kUsualBatchAtoms; atoms >= smallest; atoms -= kSmallestBatchAtoms) {
      if (const auto choice = attempt(count, atoms)) {
        return choice;
      }
    }
  }
  return std::nullopt;
}

BatchChoice BatchChooser::smallest(std::size_t batch_atoms) const {
  return describe(1, batch_atoms > 0 ? batch_atoms : kSmallestBatchAtoms);
}

}  // namespace headroom::pipeline
