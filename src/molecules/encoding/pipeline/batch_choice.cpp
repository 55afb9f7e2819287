#include "molecules/encoding/pipeline/batch_choice.h"

#include <algorithm>
#include <utility>

#include "molecules/encoding/pipeline/atom_pair_features.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/packing.h"

namespace molgauge::pipeline {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// The smallest batches for several workers. With smaller batches, a worker spends most of its time on work
/// that does not depend on the number of tokens.
constexpr std::size_t kEfficientBatchTokens = 512;

/// Minimum number of windows in memory. One window is being filled, one is being featurised, and one has
/// batches that wait to be encoded. Each worker that is ahead of the others needs one more window.
constexpr std::size_t kWindowsAtLeast = 3;
/// Bytes for each token of a record that is being encoded. They hold the key and position of the record, and
/// the data of a small molecule. The text of the record is not included.
constexpr std::uint64_t kRecordBytesPerToken = 40;
/// Number of copies of a text. A record is read into one string and passed on in another.
constexpr std::uint64_t kTextCopies = 2;

/// Measured on 40,000 drug-like molecules. kChemistryBytes is the memory of RDKit's tables, which exist once.
/// Each worker needs kWorkerBytes for its stack, its heap and parsing.
constexpr std::uint64_t kChemistryBytes = 12 * kMebibyte, kWorkerBytes = 6 * kMebibyte;

bool fits(const BatchChoice& choice, const memory::AvailableMemory& room) {
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

BatchChoice BatchChooser::describe(std::size_t workers, std::size_t batch_tokens) const {
  const std::uint64_t tensors = workers * tensors_(batch_tokens);
  std::size_t waiting = (kWindowsAtLeast + workers - 1) * WindowCutter::kBatches * batch_tokens;
  if (records_.largest.tokens >= batch_tokens) {
    waiting += 2 * workers * records_.largest.tokens;  // for each worker, one molecule that is featurised,
                                                       // and one that waits to be encoded
  }
  const auto record_bytes = static_cast<double>(waiting) *
                            (static_cast<double>(kRecordBytesPerToken) + records_.text_bytes_per_token);
  const std::uint64_t host =
      kChemistryBytes + workers * (kWorkerBytes + records_.featurising_bytes) +
      encoder_.featurised_bytes(
          {.tokens = waiting, .pairs = encoder_.most_pairs(waiting, records_.largest)}) +
      static_cast<std::uint64_t>(record_bytes) + kTextCopies * records_.longest_text +
      FineWriter::bytes_held(workers, encoder_.fine_bytes(records_.largest));
  return {.workers = workers,
          .batch_tokens = batch_tokens,
          .host_bytes = host + (on_device_ ? 0 : tensors),
          .device_bytes = on_device_ ? tensors : 0,
          .tensor_bytes = tensors};
}

std::optional<BatchChoice> BatchChooser::choose(const memory::AvailableMemory& room, std::size_t workers,
                                                std::size_t batch_tokens) const {
  const auto attempt = [&](std::size_t count, std::size_t tokens) -> std::optional<BatchChoice> {
    const BatchChoice choice = describe(count, tokens);
    return fits(choice, room) ? std::optional(choice) : std::nullopt;
  };
  for (std::size_t count = workers; count > 0; --count) {
    if (batch_tokens > 0) {
      if (const auto choice = attempt(count, batch_tokens)) {
        return choice;
      }
      continue;
    }
    const std::size_t smallest = count == 1 ? kSmallestBatchTokens : kEfficientBatchTokens;
    for (std::size_t tokens = usual_batch_tokens(); tokens >= smallest; tokens -= kSmallestBatchTokens) {
      if (const auto choice = attempt(count, tokens)) {
        return choice;
      }
    }
  }
  return std::nullopt;
}

std::size_t BatchChooser::usual_batch_tokens() const {
  return on_device_ ? kUsualGpuBatchTokens : kUsualBatchTokens;
}

BatchChoice BatchChooser::smallest(std::size_t batch_tokens) const {
  return describe(1, batch_tokens > 0 ? batch_tokens : kSmallestBatchTokens);
}

}  // namespace molgauge::pipeline
