#include "made_up_molecules.h"

#include <map>

namespace molgauge::domain {
namespace {

void append(Molecules& molecules, const std::vector<double>& centre, std::uint32_t first_environment,
            std::mt19937& random) {
  std::normal_distribution<double> noise(0, 0.4);
  for (const double coordinate : centre) {
    molecules.features.push_back(static_cast<float>(coordinate + noise(random)));
  }
  std::map<std::uint32_t, std::uint32_t> environments = {{1, 3}, {2, 1}};
  for (int i = 0; i < 8; ++i) {
    ++environments[first_environment + random() % 15];
  }
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> list(environments.begin(), environments.end());
  molecules.environments.append(list);
  molecules.properties.push_back({{20.0F + static_cast<float>(random() % 10), 2, 0}, {}});
}

std::vector<double> centre_of(std::uint32_t seed, std::size_t width) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 1);
  std::vector<double> centre(width);
  for (double& coordinate : centre) {
    coordinate = noise(random);
  }
  return centre;
}

}  // namespace

Molecules made_up_molecules(std::size_t count, std::mt19937& random, std::size_t kinds, std::size_t width) {
  Molecules molecules;
  molecules.width = width;
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = static_cast<std::uint32_t>(random() % kinds);
    append(molecules, centre_of(kind, width), 100 + 100 * kind, random);
  }
  return molecules;
}

Molecules foreign_molecules(std::size_t count, std::mt19937& random, std::size_t width) {
  Molecules molecules;
  molecules.width = width;
  for (std::size_t i = 0; i < count; ++i) {
    const auto own = static_cast<std::uint32_t>(1000 + i);
    append(molecules, centre_of(own, width), 100 + 100 * own, random);
  }
  return molecules;
}

std::vector<std::string> made_up_scaffolds(std::size_t count, std::size_t kinds) {
  std::vector<std::string> scaffolds;
  for (std::size_t i = 0; i < count; ++i) {
    scaffolds.push_back("kind " + std::to_string(i % kinds));
  }
  return scaffolds;
}

std::shared_ptr<const PredictionCalibration> made_up_predictions() {
  std::vector<CalibrationMolecule> molecules(60);
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    molecules[i].scaffold = std::to_string(i % 10);
    molecules[i].measured = static_cast<double>(i % 7) / 3;
    molecules[i].predicted.value = 1;
    molecules[i].place.distance = static_cast<double>(i % 11);
  }
  return std::make_shared<const PredictionCalibration>(
      molecules,
      PredictionCalibration::Settings{
          .coverage = 0.8, .columns = {"y", "y_pred", "", "", ""}, .file = "cal.csv", .simple_model = ""});
}

}  // namespace molgauge::domain
