#pragma once

#include <cstddef>
#include <cstdint>

#include "domain/method.h"
#include "session/encoding/molecule_input.h"
#include "session/memory_session.h"

/// later_needs.h of `headroom domain`: the verb and `headroom memory plan domain` ask here.
namespace headroom::session {

/// Candidates that are judged at once, and done again where a command was stopped.
inline constexpr std::size_t kCandidatesAtOnce = 4096;

/// What a block of candidates takes while it is compared: features three times, and what is found of each.
std::uint64_t bytes_of_block(std::size_t candidates, std::size_t width);

/// The training molecules of a list, beside their features in the store: what is compared of them, and what
/// measuring their calibration takes on top.
std::uint64_t bytes_of_training(const MoleculeList& training, std::size_t width, domain::Method method);

/// What is kept of every candidate until the list as a whole is judged.
std::uint64_t bytes_of_candidates(std::size_t candidates);

/// The page with so many rows: drawings, and the text of the page while it is put together.
std::uint64_t bytes_of_page(std::size_t rows);

/// What the verb takes once everything is encoded: the training molecules, all candidates, and a block of
/// them or, once all are compared, the page.
struct DomainSizes {
  std::uint64_t training_bytes = 0;  ///< bytes_of_training(); 0 where they are in memory already
  std::size_t candidates = 0, page_rows = 0, width = 0;
};
MemoryNeed need_of_domain(const DomainSizes& sizes);

}  // namespace headroom::session
