#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/domain/hold_out.h"
#include "models/domain/reference.h"

namespace headroom::domain {

/// Scores of training molecules that were held out, ascending.
struct Calibration {
  std::vector<float> random;  ///< scores of randomly drawn molecules, which are exchangeable with new
                              ///< molecules of the same kind as the training molecules
  /// Scores of molecules whose scaffolds were held out as a whole: the reference contains no molecule with
  /// one of these scaffolds. The list is empty if there are too few scaffolds (hold_out.h).
  std::vector<float> scaffold;
};

/// A training set with its calibration.
///
/// Candidates are compared only with the training molecules that were not held out at random. Held-out
/// molecules and candidates are therefore treated equally. Const methods may be called from several threads
/// at once.
class CalibratedDomain {
 public:
  struct Settings {
    DomainMethod method = DomainMethod::combined;
    double level = kDefaultOutsideLevel;  ///< determines how many molecules are held out (hold_out.h)
    std::uint64_t seed = 0;
    std::size_t threads = 1;
    bool quiet = true;  ///< no progress display of the calibration
  };

  /// `scaffolds`: the scaffold of each molecule. Throws InputError if there are too few molecules
  /// (hold_out.h).
  CalibratedDomain(Molecules training, const std::vector<std::string>& scaffolds, const Settings& settings);
  /// Restores a domain that was calibrated before.
  CalibratedDomain(Molecules training, std::vector<bool> held_out, Reference::Scales scales,
                   Calibration calibration, const Settings& settings);
  CalibratedDomain(const CalibratedDomain&) = delete;
  CalibratedDomain& operator=(const CalibratedDomain&) = delete;

  const Molecules& training() const { return training_; }
  const std::vector<bool>& held_out() const { return held_out_; }
  const Reference& reference() const { return *reference_; }
  const Calibration& calibration() const { return calibration_; }
  std::vector<ScoredMolecule> score(const Molecules& molecules) const { return reference_->score(molecules); }

 private:
  std::vector<float> scores_of(const Reference& reference, const std::vector<bool>& molecules,
                               Progress& progress) const;

  Molecules training_;
  std::vector<bool> held_out_;
  std::unique_ptr<Reference> reference_;
  Calibration calibration_;
};

}  // namespace headroom::domain
