#include "molecules/verbs/domain/domain_needs.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "molecules/chem/perceiving_bytes.h"
#include "molecules/encoding/session/output_requirements.h"
#include "molecules/judging/judge.h"

namespace molgauge::verbs {
namespace {

/// Bytes of a training molecule. They include three copies of its environments (in lists, in the index, and
/// while they are counted), its texts, and its scores.
constexpr std::uint64_t kBytesOfTrainingMolecule = 3000;
/// Bytes of the results of a candidate. The results contain a description with environments and texts. They
/// include the copies made while the description is converted to bytes and back, which take twice the memory
/// of the description.
constexpr std::uint64_t kBytesOfComparedCandidate = 20000;
/// Measured bytes of a page row with its structures. The row is in memory twice, as JSON and as text.
constexpr std::uint64_t kBytesOfPageRow = 16000;
/// Bytes of the 5,000 training molecules on the map, with names and SMILES, as JSON and as text.
constexpr std::uint64_t kBytesOfMap = 5'000'000;
/// Bytes that stay in use after molecules have been described. The largest measured value is 5 MiB, for a
/// molecule of 900 atoms and two threads.
constexpr std::uint64_t kLeftByDescribing = std::uint64_t{8} << 20;
/// Bytes that the description of a training molecule uses from the reading of its record until its parts are
/// collected.
constexpr std::uint64_t kBytesOfDescription = 8000;

std::uint64_t bytes_of_training(const session::MoleculeList& training, std::size_t width,
                                DomainMethod method) {
  // Three float copies of the features, one of them scaled to length 1. A covariance needs one more copy
  // while a large group of molecules is left out.
  const bool has_covariance = method == DomainMethod::mahalanobis || method == DomainMethod::combined;
  const std::uint64_t row = width * (has_covariance ? 4 : 3) * sizeof(float);
  const std::uint64_t matrices = (has_covariance ? 6 : 2) * std::uint64_t{width} * width * sizeof(double);
  // Names are also copied to a saved domain.
  return training.records * (row + kBytesOfTrainingMolecule) + training.text_bytes +
         3 * training.long_name_bytes + matrices;
}

}  // namespace

std::uint64_t bytes_of_block(std::size_t candidates, std::size_t width) {
  return candidates * (3 * width * sizeof(float) + kBytesOfComparedCandidate);
}

std::uint64_t bytes_of_candidate_rows(const session::MoleculeList& candidates, std::size_t added_columns) {
  constexpr std::uint64_t kBytesOfCell = sizeof(std::string) + 32;
  constexpr std::uint64_t kCopiesOfName = 3;  // in the page as data, as JSON and as text
  return candidates.block_bytes + session::bytes_of_rewriting(candidates) +
         kCopiesOfName * candidates.long_name_bytes +
         std::min(candidates.records, kCandidatesAtOnce) * added_columns * kBytesOfCell;
}

std::uint64_t bytes_of_candidates(std::size_t candidates) {
  constexpr std::uint64_t kKept = 2 * sizeof(Hash128) + sizeof(float) + sizeof(domain::Judgement);
  constexpr std::uint64_t kWhileJudged =
      2 * sizeof(double) + sizeof(std::size_t);  // memory for p-values and their order
  return candidates * (kKept + kWhileJudged);
}

std::uint64_t bytes_of_page(std::size_t rows) { return rows == 0 ? 0 : rows * kBytesOfPageRow + kBytesOfMap; }

std::uint64_t bytes_of_describing(const session::MoleculeList& molecules, std::size_t threads) {
  std::vector<std::uint64_t> bytes;
  bytes.reserve(molecules.sizes.size());
  for (const encoders::MoleculeSize& size : molecules.sizes) {
    bytes.push_back(chem::describing_bytes(size.atoms));
  }
  const std::size_t at_once = std::min(threads, bytes.size());
  const auto end_of_largest = bytes.begin() + static_cast<std::ptrdiff_t>(at_once);
  std::partial_sort(bytes.begin(), end_of_largest, bytes.end(), std::greater<>());
  return std::accumulate(bytes.begin(), end_of_largest, std::uint64_t{0});
}

TrainingSizes training_sizes(const session::MoleculeList& training, std::size_t width, DomainMethod method,
                             std::size_t threads, Standardize mode) {
  const std::size_t rows = std::min(training.records, kTrainingRowsAtOnce);
  return {.bytes = bytes_of_training(training, width, method),
          .reading_bytes = rows * (width * sizeof(float) + kBytesOfDescription) +
                           bytes_of_describing(training, threads) + session::bytes_of_reading(training) +
                           session::bytes_of_standardizing(mode, threads, training.records)};
}

std::uint64_t bytes_besides_candidates(const TrainingSizes& training) {
  return training.bytes == 0 ? 0 : training.bytes + kLeftByDescribing;
}

runtime::MemoryRequirement need_of_domain(const DomainSizes& sizes) {
  const std::uint64_t block = bytes_of_block(std::min(sizes.candidates, kCandidatesAtOnce), sizes.width);
  const std::uint64_t page = bytes_of_page(std::min(sizes.candidates, sizes.page_rows));
  const std::uint64_t comparing = bytes_of_candidates(sizes.candidates) + std::max(block, page) +
                                  sizes.describing_bytes + sizes.row_bytes;
  return session::host_need("comparing with the training molecules",
                            sizes.training.bytes + std::max(sizes.training.reading_bytes, comparing));
}

}  // namespace molgauge::verbs
