#include "pockets/training/history.h"

#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include "base/core/json/checked_json.h"

namespace molgauge::pocket {
namespace {

using Field = double EpochRecord::*;
constexpr std::array<std::pair<const char*, Field>, 9> kFields = {
    {{"train_loss", &EpochRecord::train_loss},
     {"val_loss", &EpochRecord::validation_loss},
     {"val_cosine_similarity", &EpochRecord::validation_cosine},
     {"learning_rate", &EpochRecord::learning_rate},
     {"gradient_norm", &EpochRecord::gradient_norm},
     {"physics_loss", &EpochRecord::physics_loss},
     {"train_accuracy", &EpochRecord::train_accuracy},
     {"val_accuracy", &EpochRecord::validation_accuracy},
     {"python_val_loss", &EpochRecord::python_validation_loss}}};
constexpr std::array<const char*, 3> kPathWeights = {"angle_weight", "dihedral_weight", "nonbonded_weight"};
constexpr const char* kLearnable = "learnable_weights";

}  // namespace

nlohmann::ordered_json history_as_json(const std::vector<EpochRecord>& history) {
  nlohmann::ordered_json content;
  for (const auto& [name, field] : kFields) {
    auto& list = content[name] = nlohmann::ordered_json::array();
    for (const EpochRecord& record : history) {
      list.push_back(record.*field);
    }
  }
  auto& weights = content[kLearnable] = nlohmann::ordered_json::object();
  const std::size_t count = history.empty() ? 0 : history.front().path_weights.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto& list = weights[kPathWeights.at(i + (kPathWeights.size() - count))] =
        nlohmann::ordered_json::array();
    for (const EpochRecord& record : history) {
      list.push_back(record.path_weights.at(i));
    }
  }
  return content;
}

std::vector<EpochRecord> history_in(const nlohmann::json& content) {
  std::vector<EpochRecord> history(content.at(kFields.front().first).size());
  for (std::size_t epoch = 0; epoch < history.size(); ++epoch) {
    for (const auto& [name, field] : kFields) {
      history[epoch].*field = checked<double>(content.at(name).at(epoch));
    }
    for (const char* name : kPathWeights) {
      if (content.at(kLearnable).contains(name)) {
        history[epoch].path_weights.push_back(checked<double>(content.at(kLearnable).at(name).at(epoch)));
      }
    }
  }
  return history;
}

}  // namespace molgauge::pocket
