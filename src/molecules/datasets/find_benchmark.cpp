#include "molecules/datasets/find_benchmark.h"

#include <cctype>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/call_outputs.h"

namespace molgauge::datasets {
namespace {

constexpr std::string_view kDrugOod = "drugood_";
constexpr std::string_view kGood = "good_";

std::vector<std::string> places_of(const std::string& name, const std::string& data_path) {
  std::vector<std::string> places = {name};
  if (!data_path.empty()) {
    const std::string base = name.starts_with(kDrugOod) ? name.substr(kDrugOod.size()) : name;
    for (const char* folder : {"", "raw", "drugood", "DrugOOD"}) {
      places.push_back((std::filesystem::path(data_path) / folder / (base + ".json")).string());
    }
  }
  return places;
}

bool is_good(const std::string& name) {
  std::string lower;
  for (const unsigned char character : name) {
    lower += static_cast<char>(std::tolower(character));
  }
  return lower.starts_with(kGood);
}

}  // namespace

std::string find_benchmark(const std::string& name, const std::string& data_path) {
  const auto places = places_of(name, data_path);
  for (const auto& place : places) {
    if (std::filesystem::is_regular_file(place)) {
      require_no_output(place, "the benchmark " + name);
      return place;
    }
  }
  if (is_good(name)) {
    throw InputError(
        fmt::format("{}: is a GOOD data set, not a benchmark. Create a benchmark once. For the split of "
                    "GOOD, run: molgauge split GOODHIV/scaffold/processed --shift covariate --out FILE. For "
                    "a new split, run: molgauge split MOLECULES.csv --algorithm good --out FILE",
                    name));
  }
  throw InputError(fmt::format("{}: no such benchmark. Looked for {}{}", name, fmt::join(places, ", "),
                               data_path.empty() ? ". Name the folder of the data with --data-path" : ""));
}

}  // namespace molgauge::datasets
