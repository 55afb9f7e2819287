#include "pipeline/batch_choice.h"

#include <algorithm>

#include "pipeline/encode_molecules.h"

namespace headroom::pipeline {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Room for most molecules by themselves; a larger one needs more than its batch was planned for.
constexpr std::size_t kSmallestBatchAtoms = 256;
/// Below, a worker spends its time on everything but atoms.
constexpr std::size_t kEfficientBatchAtoms = 512;

/// Directed edges of an organic molecule: 2.1 an atom, 2.6 in cages.
constexpr std::size_t edges_of(std::size_t atoms) { return atoms * 5 / 2; }

/// Batches of small molecules: a drug has 25 atoms.
constexpr std::size_t molecules_of(std::size_t atoms) { return atoms / 10 + 1; }

/// The window that is filled, the one that is featurised, and the batches of one that wait to be encoded:
/// four batches each (input_stage.cpp). One more for each worker that featurises ahead of the others.
constexpr std::size_t kWindowsAtLeast = 3;
constexpr std::size_t kBatchesPerWindow = 4;
/// Text, keys and places of a record in work, a molecule being small.
constexpr std::uint64_t kRecordBytesPerAtom = 40;

/// Measured on 40,000 drug-like molecules: RDKit's tables once, and a worker's own stack, heap and parsing.
constexpr std::uint64_t kChemistryBytes = 12 * kMebibyte, kWorkerBytes = 6 * kMebibyte;

BatchChoice describe(const encoders::Encoder& encoder, bool on_device, std::size_t workers,
                     std::size_t batch_atoms) {
  const std::uint64_t tensors = workers * projected_batch_bytes(encoder, batch_atoms);
  const std::size_t waiting = (kWindowsAtLeast + workers - 1) * kBatchesPerWindow * batch_atoms;
  const std::uint64_t host = kChemistryBytes + workers * kWorkerBytes +
                             encoder.featurised_bytes(waiting, edges_of(waiting)) +
                             waiting * kRecordBytesPerAtom;
  return {.workers = workers,
          .batch_atoms = batch_atoms,
          .host_bytes = host + (on_device ? 0 : tensors),
          .device_bytes = on_device ? tensors : 0};
}

bool fits(const BatchChoice& choice, const EncodingRoom& room) {
  return choice.host_bytes <= room.host && choice.device_bytes <= room.device.value_or(0);
}

}  // namespace

std::uint64_t projected_batch_bytes(const encoders::Encoder& encoder, std::size_t atoms) {
  return encoder.batch_bytes({.items = molecules_of(atoms), .atoms = atoms, .edges = edges_of(atoms)});
}

std::optional<BatchChoice> choose_batches(const encoders::Encoder& encoder, const EncodingRoom& room,
                                          std::size_t workers, std::size_t batch_atoms) {
  const auto attempt = [&](std::size_t count, std::size_t atoms) -> std::optional<BatchChoice> {
    const BatchChoice choice = describe(encoder, room.device.has_value(), count, atoms);
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

BatchChoice smallest_choice(const encoders::Encoder& encoder, bool on_device, std::size_t batch_atoms) {
  return describe(encoder, on_device, 1, batch_atoms > 0 ? batch_atoms : kSmallestBatchAtoms);
}

}  // namespace headroom::pipeline
