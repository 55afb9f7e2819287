#pragma once

#include <cstddef>
#include <cstdint>

#include "base/runtime/budget_scope.h"
#include "molecules/chem/standardize.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/standardized_source.h"
#include "molgauge/choices.h"

/// The needs (output_requirements.h) of `molgauge domain`, for the verb and for `molgauge memory plan
/// domain`.
namespace molgauge::verbs {

/// Number of candidates in a block. A block is judged at once. If the command stops within a block, the next
/// call judges the whole block again.
inline constexpr std::size_t kCandidatesAtOnce = session::kRowsInBlock;
/// Number of training molecules that are described at the same time.
inline constexpr std::size_t kTrainingRowsAtOnce = 4096;

/// Bytes of a block of candidates while it is compared. They include three copies of the features, and the
/// results.
std::uint64_t bytes_of_block(std::size_t candidates, std::size_t width);

/// Bytes of the columns of the candidates: of a block, of the rows that are read and written, and of names on
/// the page. `added_columns`: columns with predictions that follow the columns of the file.
std::uint64_t bytes_of_candidate_rows(const session::MoleculeList& candidates, std::size_t added_columns);

/// Bytes that are kept for every candidate until the whole list is judged.
std::uint64_t bytes_of_candidates(std::size_t candidates);

/// Bytes of a page with this many rows. They include the drawings, and the text of the page while it is
/// written.
std::uint64_t bytes_of_page(std::size_t rows);

/// The maximum bytes that RDKit allocates while `threads` threads describe the molecules. They are the sum
/// over the `threads` largest molecules.
std::uint64_t bytes_of_describing(const session::MoleculeList& molecules, std::size_t threads);

/// Bytes for training molecules that are read from a file. All numbers are 0 if the molecules are already in
/// memory.
struct TrainingSizes {
  /// Bytes in use until the command ends. They include the compared properties and the additional memory of
  /// the calibration.
  std::uint64_t bytes = 0;
  std::uint64_t reading_bytes = 0;  ///< additional bytes while the molecules are read and described
};
TrainingSizes training_sizes(const session::MoleculeList& training, std::size_t width, DomainMethod method,
                             std::size_t threads, Standardize mode = Standardize::none);

/// Returns the bytes of other memory while the candidates are encoded: the training molecules, the tables of
/// RDKit and gaps in the heap. Returns 0 if this command did not read the training molecules.
std::uint64_t bytes_besides_candidates(const TrainingSizes& training);

/// The sizes of the work after encoding. The memory contains the training molecules, all candidates, and a
/// block of candidates. After the comparison, it contains the page instead of a block.
struct DomainSizes {
  TrainingSizes training = {};
  std::size_t candidates = 0, page_rows = 0, width = 0;
  std::uint64_t describing_bytes = 0;  ///< bytes_of_describing() of the candidates
  std::uint64_t row_bytes = 0;         ///< bytes_of_candidate_rows()
};
runtime::MemoryRequirement need_of_domain(const DomainSizes& sizes);

}  // namespace molgauge::verbs
