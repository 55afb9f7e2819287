#pragma once

#include <cstddef>
#include <cstdint>

#include "domain/method.h"
#include "session/encoding/molecule_input.h"
#include "session/memory_session.h"

/// The needs (later_needs.h) of `headroom domain`, for the verb and for `headroom memory plan domain`.
namespace headroom::session {

/// Candidates in a block, which is judged at once, and again if the command was stopped in it.
inline constexpr std::size_t kCandidatesAtOnce = 4096;

/// Bytes of a block of candidates while it is compared: features three times, and the results.
std::uint64_t bytes_of_block(std::size_t candidates, std::size_t width);

/// Bytes of the training molecules of a list, beside their features in the store: the properties that are
/// compared, and the additional memory of the calibration.
std::uint64_t bytes_of_training(const MoleculeList& training, std::size_t width, domain::Method method);

/// Bytes that are kept for every candidate until the whole list is judged.
std::uint64_t bytes_of_candidates(std::size_t candidates);

/// Bytes of a page with this many rows: drawings, and the text of the page while it is written.
std::uint64_t bytes_of_page(std::size_t rows);

/// The sizes of the work after encoding: the training molecules, all candidates, and a block of them or, once
/// all are compared, the page.
struct DomainSizes {
  std::uint64_t training_bytes = 0;  ///< bytes_of_training(); 0 where they are in memory already
  std::size_t candidates = 0, page_rows = 0, width = 0;
  std::uint64_t largest_atoms = 0;  ///< estimated, of the largest candidate
  std::size_t threads = 1;          ///< that compare candidates
};
/// The number of atoms of the largest molecule, as far as it was estimated.
std::uint64_t largest_atoms(const MoleculeList& molecules);
MemoryNeed need_of_domain(const DomainSizes& sizes);

}  // namespace headroom::session
