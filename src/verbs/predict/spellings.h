#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "encoding/session/encoding_session.h"
#include "encoding/session/molecule_input.h"
#include "headroom/predict.h"
#include "models/encoders/chemprop/ensemble.h"

namespace headroom::verbs {

/// The number of further spellings of a chiral molecule.
inline constexpr std::size_t kOtherSpellings = 4;

/// Throws UsageError if `check_spellings` is set and the model does not read chirality, because all spellings
/// of a molecule then have the same prediction.
void require_chirality(const PredictRequest& request, const encoders::chemprop::ModelSet& set);

/// Returns the estimated sizes of the other spellings. Whether a molecule may be chiral is decided from its
/// text alone.
session::MoleculeList list_spellings(const pipeline::MoleculeSource& source);

/// Bytes that are in use while the spellings of `list` are encoded, in addition to the encoding: the keys of
/// all `records` of the input, the generated spellings, and the spreads of all tasks.
std::uint64_t bytes_beside_spellings(const session::MoleculeList& list, std::size_t records,
                                     const encoders::chemprop::ModelSet& set, std::size_t threads);

/// Other spellings of the chiral molecules, encoded.
struct EncodedSpellings {
  std::vector<bool> is_chiral;  ///< [records] whether the molecule has other spellings
  /// Keys of kOtherSpellings rows for each chiral molecule, in the order of the records.
  pipeline::EncodeOutcome outcome;
};

/// Generates and encodes the other spellings. `source`: the records of the input. `failed`: whether each
/// record failed. Failed records are left out.
EncodedSpellings encode_spellings(session::EncodingSession& session, pipeline::MoleculeSource source,
                                  const std::vector<bool>& failed, session::MoleculeList list,
                                  std::size_t threads);

/// Collects the spread of the predictions over the spellings of each molecule.
class Spreads {
 public:
  explicit Spreads(std::size_t tasks) : spreads_(tasks) {}

  /// `spread`: one number for each task. NaN is left out.
  void add(const std::vector<float>& spread);
  /// Writes the number of molecules, and the median and the largest spread of each task.
  void report_to(PredictReport& report) const;

 private:
  std::vector<std::vector<float>> spreads_;  ///< of each task
  std::size_t molecules_ = 0;
};

/// The warning about the spreads in a report. Empty without chiral molecules.
std::string spelling_warning(const PredictReport& report);

}  // namespace headroom::verbs
