#include "molecules/judging/predictions/calibration_file.h"

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/tables/csv_reader.h"
#include "base/io/tables/csv_writer.h"
#include "molecules/judging/label_curve.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kCalibrationFields = 18;
constexpr const char* kRemedy = "Make the folder again with molgauge domain TRAIN CANDIDATES --save";

std::string exact(double number) { return std::isnan(number) ? "" : fmt::format("{}", number); }

double number_of(const std::string& text, const std::string& place) {
  if (text.empty()) {
    return kNoNumber;
  }
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || !(std::abs(number) <= kLargestLabel)) {
    throw InputError(
        fmt::format("{}: '{}' is not a number, or its magnitude exceeds 1e100. {}", place, text, kRemedy));
  }
  return number;
}

std::size_t count_of(const std::string& text, const std::string& place) {
  std::size_t count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  constexpr std::size_t kLargest = 1'000'000'000'000;
  if (problem != std::errc() || end != text.data() + text.size() || count > kLargest) {
    throw InputError(fmt::format("{}: '{}' is not a count up to 1e12. {}", place, text, kRemedy));
  }
  return count;
}

}  // namespace

void write_calibration(const std::vector<CalibrationMolecule>& molecules, const std::filesystem::path& path) {
  io::CsvWriter file(
      path, {"canonical_smiles", "scaffold", "in_training", "new_scaffold", "verdict", "distance", "measured",
             "prediction", "uncertainty", "lower", "upper", "simple_prediction", "measurements", "line",
             "opinion_features", "opinion_environments", "neighbours_error", "neighbours_spread"});
  for (const CalibrationMolecule& own : molecules) {
    file.append({own.smiles, own.scaffold, own.in_training ? "1" : "0", own.place.new_scaffold ? "1" : "0",
                 std::to_string(own.place.verdict), exact(own.place.distance), exact(own.measured),
                 exact(own.predicted.value), exact(own.predicted.uncertainty), exact(own.predicted.lower),
                 exact(own.predicted.upper), exact(own.simple_prediction), std::to_string(own.measurements),
                 std::to_string(own.line), exact(own.place.opinion.by_features),
                 exact(own.place.opinion.by_environments), exact(own.place.opinion.neighbours_error),
                 exact(own.place.opinion.neighbours_spread)});
  }
  file.finish();
}

std::vector<CalibrationMolecule> read_calibration(const std::filesystem::path& path) {
  io::CsvReader file(path.string(), ',');
  file.next();
  std::vector<CalibrationMolecule> molecules;
  while (const auto row = file.next()) {
    const std::string place = fmt::format("{}:{}", path.string(), row->line);
    if (row->fields.size() != kCalibrationFields) {
      throw InputError(fmt::format("{}: {} fields are expected. {}", place, kCalibrationFields, kRemedy));
    }
    const auto number = [&](std::size_t field) { return number_of(row->fields[field], place); };
    CalibrationMolecule own;
    own.smiles = row->fields[0];
    own.scaffold = row->fields[1];
    own.in_training = row->fields[2] == "1";
    own.place.new_scaffold = row->fields[3] == "1";
    own.place.verdict = row->fields[4] == "1" ? 1 : row->fields[4] == "2" ? 2 : 0;
    own.place.distance = number(5);
    own.measured = number(6);
    own.predicted = {number(7), number(8), number(9), number(10)};
    own.simple_prediction = number(11);
    own.measurements = count_of(row->fields[12], place);
    own.line = count_of(row->fields[13], place);
    own.place.opinion = {number(14), number(15), number(16), number(17)};
    if (own.measurements == 0 || std::isnan(own.place.distance) || std::isnan(own.measured) ||
        std::isnan(own.predicted.value)) {
      throw InputError(fmt::format("{}: a number is missing. {}", place, kRemedy));
    }
    molecules.push_back(std::move(own));
  }
  return molecules;
}

}  // namespace molgauge::domain
