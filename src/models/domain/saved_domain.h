#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "chem/standardize.h"
#include "headroom/conformers.h"
#include "models/domain/calibrated_domain.h"
#include "models/domain/label_curve.h"
#include "models/domain/predictions/prediction_calibration.h"
#include "models/domain/training_set.h"

namespace headroom::domain {

/// The source of the compared features. Candidates must have features from the same source.
struct FeatureSource {
  std::string encoder, features;    ///< as options say them
  std::string identity;             ///< encoder, weights and options, as in the feature store
  PlacementOptions placement = {};  ///< what was asked for, without the deadline
  /// The file with the fine-tuned layers of the encoder: best_model.safetensors of a run, or the copy in the
  /// saved folder. Empty if no layers were fine-tuned.
  std::filesystem::path tuned = {};
};

/// Everything that is needed to judge candidates. `headroom domain --save` stores it.
struct SavedDomain {
  FeatureSource source;
  CalibratedDomain::Settings settings;
  std::string training_file, training_sha256;   ///< of the molecules, for the record; empty where not known
  Standardize standardize = Standardize::none;  ///< of training molecules and candidates
  std::size_t duplicates = 0, failed = 0;
  MergedMolecules merged;
  TrainingNotes notes;
  LabelCurve curve;        ///< may be empty
  std::string value_name;  ///< name of the label column
  /// Values of the label column, one for each training molecule, NaN if missing. Empty without a label
  /// column.
  std::vector<double> values;
  std::shared_ptr<const CalibratedDomain> domain;
  std::shared_ptr<const PredictionCalibration> predictions;  ///< of the user's model; may be null
};

/// Whether the folder holds a domain.
bool is_saved_domain(const std::filesystem::path& folder);

/// Writes molecules.csv, predictions.csv (calibration molecules, if there are any), domain.safetensors,
/// tuned_encoder.safetensors (a copy of the source's file, if it has one) and, last, domain-manifest.json
/// with their SHA-256 into the folder, which is made. An existing manifest is removed first. An interrupted
/// call therefore leaves a complete domain or none. Throws Error.
void save_domain(const SavedDomain& saved, const std::filesystem::path& folder);

/// Throws InputError naming the file where one is missing, damaged or of another format.
SavedDomain load_domain(const std::filesystem::path& folder, std::size_t threads);

}  // namespace headroom::domain
