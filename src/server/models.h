#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "molgauge/engine.h"
#include "molgauge/serve.h"

namespace molgauge::serve {

struct Model {
  enum class Kind { domain, energy_head, baseline, chemprop };

  std::string name = {};  ///< name of the folder or file, with "-2" and so on if several names are equal
  std::string folder = {};
  Kind kind = Kind::domain;
  std::string encoder = {};
  std::size_t training_molecules = 0;  ///< 0 if unknown
  std::string score_name = {};         ///< "energy_score"; empty for a domain
  std::optional<double> threshold = {};
  std::optional<StoredCalibration> calibration = {};  ///< calibration of predictions, in a domain
  std::vector<PredictedTask> tasks = {};  ///< tasks of a chemprop model, also of a domain with one
  /// For a domain with a chemprop model: the form of the molecules that the model predicts.
  std::optional<Standardize> predicted_form = {};

  /// Whether the model gives verdicts. Chemprop models give predictions instead.
  bool judges() const { return kind != Kind::chemprop; }
};
std::string to_string(Model::Kind kind);

/// The compute options of the server for work that runs on the CPU.
ComputeOptions on_cpu(ComputeOptions compute);

/// The models that the server opens when it starts. Each model is tried with one molecule, to detect damaged
/// models early.
class Models {
 public:
  /// Requests the encoders from the engine and opens the models. Throws the errors of the engine, which name
  /// the folder. Throws BudgetError with a budget for all models if one of them does not fit. `scratch`:
  /// folder for a temporary file.
  Models(Engine& engine, const ServeRequest& request, const std::string& scratch);

  const std::vector<Model>& all() const { return models_; }
  /// Returns the model with this name. Throws UsageError with a list of all models if no model has this name.
  const Model& find(const std::string& name) const;
  /// Returns the model with this name, or the first suitable model if the name is empty. `judges`: true for a
  /// model that gives verdicts, false for a model that gives predictions. Throws UsageError if there is no
  /// such model, or if the named model is of the other type.
  const Model& find_for(bool judges, const std::string& name) const;

  /// The encoders. The default encoder comes first. The list is cached, because the engine may be busy.
  const std::vector<EncoderInfo>& encoders() const { return encoders_; }
  /// Returns the name of an encoder. An empty name selects the default. Throws UsageError with a list of all
  /// encoders if the encoder does not exist.
  std::string encoder_named(const std::string& name) const;
  /// Returns the number of features of an encoder, or 0 for an unknown encoder.
  std::size_t width_of(const std::string& encoder) const;

 private:
  /// `path`: file or folder, which names the model.
  void add(Model model, const std::filesystem::path& path);

  std::vector<EncoderInfo> encoders_;
  std::vector<Model> models_;
};

}  // namespace molgauge::serve
