#pragma once

#include <cstddef>
#include <cstdint>

#include "chem/standardize.h"
#include "encoding/session/molecule_input.h"
#include "headroom/choices.h"
#include "runtime/budget_scope.h"

/// The needs (output_requirements.h) of `headroom domain`, for the verb and for `headroom memory plan
/// domain`.
namespace headroom::session {

/// Candidates in a block, which is judged at once, and again if the command was stopped in it.
inline constexpr std::size_t kCandidatesAtOnce = 4096;
/// Training molecules that are described at once.
inline constexpr std::size_t kTrainingRowsAtOnce = 4096;

/// Bytes of a block of candidates while it is compared: features three times, and the results.
std::uint64_t bytes_of_block(std::size_t candidates, std::size_t width);

/// Bytes that are kept for every candidate until the whole list is judged.
std::uint64_t bytes_of_candidates(std::size_t candidates);

/// Bytes of a page with this many rows: drawings, and the text of the page while it is written.
std::uint64_t bytes_of_page(std::size_t rows);

/// Bytes that RDKit takes at most while it describes the molecules: those of the `threads` largest.
std::uint64_t bytes_of_describing(const MoleculeList& molecules, std::size_t threads);

/// Upper limit of the additional bytes while `threads` threads standardise `records` molecules: cached forms,
/// and in RDKit the tautomers of one molecule for each thread. The bytes of tautomers were measured with the
/// largest molecules whose tautomers are enumerated (100 atoms).
std::uint64_t bytes_of_standardizing(Standardize mode, std::size_t threads, std::size_t records);

/// Bytes that training molecules from a file take; 0 where they are in memory already.
struct TrainingSizes {
  /// Until the command ends: the properties that are compared, and the additional memory of the calibration.
  std::uint64_t bytes = 0;
  std::uint64_t reading_bytes = 0;  ///< in addition, while they are read and described
};
TrainingSizes training_sizes(const MoleculeList& training, std::size_t width, DomainMethod method,
                             std::size_t threads, Standardize mode = Standardize::none);

/// Bytes that are in use while the candidates are encoded: the training molecules, and the bytes that RDKit
/// and the heap keep after training molecules were described (tables that RDKit makes at their first use,
/// gaps of the heap). 0 if the training molecules were not read in this command.
std::uint64_t bytes_besides_candidates(const TrainingSizes& training);

/// The sizes of the work after encoding: the training molecules, all candidates, and a block of them or, once
/// all are compared, the page.
struct DomainSizes {
  TrainingSizes training = {};
  std::size_t candidates = 0, page_rows = 0, width = 0;
  std::uint64_t describing_bytes = 0;  ///< bytes_of_describing() of the candidates
};
MemoryRequirement need_of_domain(const DomainSizes& sizes);

}  // namespace headroom::session
