#pragma once

#include <cstddef>

#include "chem/record.h"
#include "encoders/encoder.h"

namespace headroom::pipeline {

/// Estimates the size of the molecule of a record from its text alone, before it is parsed. Atoms and bonds
/// of a SMILES are counted as they are written, without the hydrogens that are surely merged into their
/// neighbours: never fewer atoms than RDKit finds. A mol block says how many it has. Never without an atom.
encoders::MoleculeSize estimate_size(const chem::MoleculeRecord& record);

/// Whether the text alone tells that the record is refused: more atoms are written, hydrogens included, or
/// more characters than are read (chem/perception.h), or its reader has found it unreadable.
bool will_be_refused(const chem::MoleculeRecord& record);

/// Cuts a stream of molecules into windows: wide enough to put molecules of one size into one batch, and for
/// the last batch of a window, which is seldom full, not to matter.
class WindowCutter {
 public:
  static constexpr std::size_t kBatches = 4;
  /// Text that a window holds for each token, at most: more than any molecule is written with, so that only
  /// texts that are no molecules end a window early.
  static constexpr std::size_t kTextBytesPerToken = 256;

  /// `batch_tokens`: most tokens of a batch.
  explicit WindowCutter(std::size_t batch_tokens) : batch_tokens_(batch_tokens) {}

  /// A molecule that fills a batch is a window of its own: it holds up no other molecule.
  bool is_window_of_its_own(std::size_t tokens) const { return tokens >= batch_tokens_; }
  /// Adds another molecule to the window that is being filled; true: it is full now, and the next one begins.
  bool fills(std::size_t tokens, std::size_t text_bytes);

 private:
  std::size_t batch_tokens_, tokens_ = 0, text_bytes_ = 0;
};

}  // namespace headroom::pipeline
