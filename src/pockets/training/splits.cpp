#include "pockets/training/splits.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/random/numpy_random.h"
#include "pockets/graphs/graph_set.h"

namespace molgauge::pocket {
namespace {

constexpr const char* kTrain = "train";
constexpr const char* kValidation = "val";
constexpr const char* kTest = "test";

std::vector<std::string> names_in(const nlohmann::json& content, const char* part, const std::string& file) {
  const auto found = content.find(part);
  std::vector<std::string> names;
  if (found == content.end()) {
    return names;
  }
  const bool is_list = found->is_array() && std::all_of(found->begin(), found->end(),
                                                        [](const auto& name) { return name.is_string(); });
  if (!is_list) {
    throw InputError(fmt::format("{}: \"{}\" is not a list of names", file, part));
  }
  return found->get<std::vector<std::string>>();
}

}  // namespace

std::string unit_of(const std::string& name, SplitUnit unit) {
  if (unit == SplitUnit::model) {
    return name;
  }
  const std::string complex = complex_of(name);
  const std::size_t end = complex.find('_');
  if (unit == SplitUnit::complex || end == std::string::npos) {
    return complex;
  }
  return unit == SplitUnit::pdb ? complex.substr(0, end) : complex.substr(end + 1);
}

PocketSplit draw_split(std::vector<std::string> names, SplitUnit unit, double train_share,
                       double validation_share, std::uint64_t seed) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::map<std::string, std::vector<std::string>> units;
  for (const std::string& name : names) {
    units[unit_of(name, unit)].push_back(name);
  }
  if (units.size() < 2) {
    throw InputError(
        fmt::format("{} pockets of {} complex or ligand cannot be split into training and validation. Give a "
                    "file with --splits, or use --split-by model",
                    names.size(), units.size()));
  }
  std::vector<const std::vector<std::string>*> in_order;
  in_order.reserve(units.size());
  for (const auto& [name, members] : units) {
    in_order.push_back(&members);
  }
  const std::vector<std::size_t> order = NumpyRandom(seed).choose(in_order.size(), in_order.size());
  const auto all = static_cast<double>(names.size());
  PocketSplit split;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::vector<std::string>& members = *in_order[order[place]];
    const bool is_last = place + 1 == order.size();
    std::vector<std::string>* part = &split.test;
    if (static_cast<double>(split.train.size()) < train_share * all &&
        !(is_last && split.validation.empty())) {
      part = &split.train;
    } else if (split.validation.empty() ||
               static_cast<double>(split.validation.size()) < validation_share * all) {
      part = &split.validation;
    }
    part->insert(part->end(), members.begin(), members.end());
  }
  for (std::vector<std::string>* part : {&split.train, &split.validation, &split.test}) {
    std::sort(part->begin(), part->end());
  }
  return split;
}

PocketSplit read_split(const std::filesystem::path& file) {
  const auto content = parse_json_or_nothing(read_file(file));
  if (!content.is_object() || !content.contains(kTrain) || !content.contains(kValidation)) {
    throw InputError(file.string() +
                     ": not a split: JSON with the lists \"train\", \"val\" and perhaps \"test\"");
  }
  PocketSplit split{names_in(content, kTrain, file.string()), names_in(content, kValidation, file.string()),
                    names_in(content, kTest, file.string())};
  std::map<std::string, const char*> part_of;
  const auto enter = [&](std::vector<std::string>& names, const char* part) {
    std::set<std::string> seen;
    std::vector<std::string> once;
    for (const std::string& name : names) {
      const auto [place, is_new] = part_of.emplace(name, part);
      if (!is_new && place->second != part) {
        throw InputError(
            fmt::format("{}: {} is in \"{}\" and in \"{}\"", file.string(), name, place->second, part));
      }
      if (seen.insert(name).second) {  // the Python project lists a complex once for each of its rows
        once.push_back(name);
      }
    }
    names = std::move(once);
  };
  enter(split.train, kTrain);
  enter(split.validation, kValidation);
  enter(split.test, kTest);
  return split;
}

void write_split(const std::filesystem::path& file, const PocketSplit& split) {
  const nlohmann::ordered_json content = {
      {kTrain, split.train}, {kValidation, split.validation}, {kTest, split.test}};
  replace_file(file, json_text(content));
}

std::string shared_complex(const PocketSplit& split) {
  std::set<std::string> trained;
  for (const std::string& name : split.train) {
    trained.insert(complex_of(name));
  }
  for (const std::vector<std::string>* part : {&split.validation, &split.test}) {
    for (const std::string& name : *part) {
      if (trained.contains(complex_of(name))) {
        return complex_of(name);
      }
    }
  }
  return "";
}

}  // namespace molgauge::pocket
