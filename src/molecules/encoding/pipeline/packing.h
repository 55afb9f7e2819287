#pragma once

#include <cstddef>

#include "molecules/chem/record.h"
#include "molecules/encoders/encoder.h"

namespace molgauge::pipeline {

/// Estimates the size of the molecule of a record from its text, before it is parsed. A mol block states its
/// numbers of atoms and bonds. For a SMILES, counts the atoms and bonds in the text. Hydrogens that RDKit
/// certainly merges into their neighbours do not count. The result has at least as many atoms as RDKit finds,
/// and at least one.
encoders::MoleculeSize estimate_size(const chem::MoleculeRecord& record);

/// Returns true if the text alone shows that the record will be refused. Such a record has too many atoms,
/// hydrogens included, or too many characters (molecules/chem/perception.h), or its reader has marked it as
/// unreadable.
bool will_be_refused(const chem::MoleculeRecord& record);

/// Divides a stream of molecules into windows. A window is large enough to put molecules of similar size into
/// one batch. It also contains so many batches that its last batch, which is rarely full, does not matter.
class WindowCutter {
 public:
  static constexpr std::size_t kBatches = 4;
  /// Maximum bytes of text in a window, divided by the tokens of a window. No valid molecule needs so much
  /// text, so only invalid texts end a window early.
  static constexpr std::size_t kTextBytesPerToken = 256;

  /// `batch_tokens`: maximum number of tokens in a batch.
  explicit WindowCutter(std::size_t batch_tokens) : batch_tokens_(batch_tokens) {}

  /// Whether a molecule gets its own window. This is the case if it fills a batch, because it must not delay
  /// other molecules.
  bool is_window_of_its_own(std::size_t tokens) const { return tokens >= batch_tokens_; }
  /// Adds a molecule to the current window. Returns true if the window is then full. The next molecule begins
  /// a new window.
  bool fills(std::size_t tokens, std::size_t text_bytes);

 private:
  std::size_t batch_tokens_, tokens_ = 0, text_bytes_ = 0;
};

}  // namespace molgauge::pipeline
