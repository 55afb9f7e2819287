#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headroom/engine.h"
#include "headroom/serve.h"

namespace headroom::serve {

struct Model {
  enum class Kind { domain, energy_head, baseline };

  std::string name = {};  ///< of its folder, with "-2" and so on where several have it
  std::string folder = {};
  Kind kind = Kind::domain;
  std::string encoder = {};
  std::size_t training_molecules = 0;  ///< 0: not known
  std::string score_name = {};         ///< "energy_score"; empty for a domain
  std::optional<double> threshold = {};
  std::optional<StoredCalibration> calibration = {};  ///< of predictions, in a domain
};
std::string to_string(Model::Kind kind);

/// The models that were named when the server was started. Each model judges one molecule at the start, to
/// detect damaged models early.
class Models {
 public:
  /// Asks the engine for its encoders, and opens the models. Throws the errors of the engine, which name the
  /// folder. `scratch`: a folder for a file.
  Models(Engine& engine, const ServeRequest& request, const std::string& scratch);

  const std::vector<Model>& all() const { return models_; }
  /// The model of this name. An empty name means the first model. Throws UsageError with the names there are.
  const Model& find(const std::string& name) const;

  /// The encoders, the default first. They are asked for once, because the engine answers only in its turn.
  const std::vector<EncoderInfo>& encoders() const { return encoders_; }
  /// The name of an encoder; empty means the default. Throws UsageError with the names there are.
  std::string encoder_named(const std::string& name) const;
  /// The number of features of an encoder. 0 for an unknown encoder.
  std::size_t width_of(const std::string& encoder) const;

 private:
  std::vector<EncoderInfo> encoders_;
  std::vector<Model> models_;
};

}  // namespace headroom::serve
