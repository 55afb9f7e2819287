#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headroom/engine.h"
#include "headroom/serve.h"

namespace headroom::serve {

struct Model {
  enum class Kind { domain, energy_head, baseline };

  std::string name = {};  ///< name of the folder, with "-2" and so on if several names are equal
  std::string folder = {};
  Kind kind = Kind::domain;
  std::string encoder = {};
  std::size_t training_molecules = 0;  ///< 0: unknown
  std::string score_name = {};         ///< "energy_score"; empty for a domain
  std::optional<double> threshold = {};
  std::optional<StoredCalibration> calibration = {};  ///< calibration of predictions, in a domain
};
std::string to_string(Model::Kind kind);

/// The models from the start of the server. Each model judges one molecule at the start, to detect damaged
/// models early.
class Models {
 public:
  /// Requests the encoders from the engine and opens the models. Throws the errors of the engine, which name
  /// the folder. `scratch`: folder for a temporary file.
  Models(Engine& engine, const ServeRequest& request, const std::string& scratch);

  const std::vector<Model>& all() const { return models_; }
  /// The model with this name. An empty name selects the first model. Throws UsageError with the existing
  /// names.
  const Model& find(const std::string& name) const;

  /// The encoders, the default first. They are cached, because the engine may be busy.
  const std::vector<EncoderInfo>& encoders() const { return encoders_; }
  /// The name of an encoder. An empty name selects the default. Throws UsageError with the existing names.
  std::string encoder_named(const std::string& name) const;
  /// The number of features of an encoder. 0 for an unknown encoder.
  std::size_t width_of(const std::string& encoder) const;

 private:
  std::vector<EncoderInfo> encoders_;
  std::vector<Model> models_;
};

}  // namespace headroom::serve
