#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "molecules/chem/standardize.h"
#include "molecules/judging/calibrated_domain.h"
#include "molecules/judging/label_curve.h"
#include "molecules/judging/predictions/prediction_calibration.h"
#include "molecules/judging/predictions/second_opinion.h"
#include "molecules/judging/training_set.h"
#include "molgauge/conformers.h"

namespace molgauge::encoders::chemprop {
struct ModelSet;
}

namespace molgauge::domain {

/// The source of the compared features. Candidates must have features from the same source.
struct FeatureSource {
  std::string encoder, features;    ///< option values of `molgauge domain`
  std::string identity;             ///< encoder, weights and options, as in the feature store
  PlacementOptions placement = {};  ///< options as requested, without the deadline
  /// The file with the fine-tuned layers of the encoder: best_model.safetensors of a run, or its copy in the
  /// saved folder. For the encoder "chemprop", this is the file or folder with the models, or their copy in
  /// the saved folder. For encoders without such files, the path is empty.
  std::filesystem::path tuned = {};
  /// The models that were read from `tuned` for the encoder "chemprop". Null for other encoders.
  std::shared_ptr<const encoders::chemprop::ModelSet> models = {};
};

/// All data that are needed to judge candidates. `molgauge domain --save` stores them.
struct SavedDomain {
  FeatureSource source;
  CalibratedDomain::Settings settings;
  std::string training_file,
      training_sha256;  ///< name and SHA-256 of the file with the training molecules; empty if unknown
  chem::Standardization standardize;  ///< for training molecules and candidates
  /// Whether the chemprop model in `source` predicts the molecules as drawn. If false, it predicts the form
  /// `standardize`.
  bool predicts_drawing = false;
  std::size_t duplicates = 0, failed = 0;
  MergedMolecules merged;
  LabelNotes labels;
  TrainingNotes notes;
  LabelCurve curve;        ///< empty if the domain has no measured values
  std::string value_name;  ///< name of the label column
  /// Merged values of the label column, one for each training molecule, NaN if missing. Empty without a label
  /// column.
  std::vector<double> values;
  std::shared_ptr<const CalibratedDomain> domain;
  /// Molgauge's own predictors of `values`. Null without a calibration of predictions, or without values.
  std::shared_ptr<const SecondOpinion> opinion;
  std::shared_ptr<const PredictionCalibration>
      predictions;  ///< calibration of the predictions of the user; may be null
};

/// The data of the second opinion. The features of a chemprop model are not used, because the model learned
/// them from the values.
SecondOpinion::Training training_of_opinion(const SavedDomain& saved);

/// Whether the folder contains a saved domain.
bool is_saved_domain(const std::filesystem::path& folder);

/// Creates the folder and writes molecules.csv and domain.safetensors. If there are calibration molecules,
/// also writes predictions.csv. Copies the files of the encoder: tuned_encoder.safetensors, or model_0000.pt
/// and so on for chemprop. Writes domain-manifest.json with the SHA-256 of these files last. A domain that
/// the folder already contains is replaced at once (base/core/files/replaced_folder.h), so an interrupted
/// call leaves the old domain or the new one. Throws Error.
void save_domain(const SavedDomain& saved, const std::filesystem::path& folder);

/// Returns the source of the features of a saved domain. Reads and checks only the manifest and the copies of
/// the models. Throws InputError naming the file.
FeatureSource load_feature_source(const std::filesystem::path& folder);

/// Throws InputError naming the file if a file is missing, damaged or of another format.
SavedDomain load_domain(const std::filesystem::path& folder, std::size_t threads);

}  // namespace molgauge::domain
