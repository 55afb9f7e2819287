// Saved domains with valid checksums and wrong numbers, as a stranger could make them.

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/sealed_json.h"
#include "base/io/tensors/safetensors.h"
#include "made_up_molecules.h"
#include "molecules/judging/saved_domain.h"
#include "molecules/store/weights/sha256.h"
#include "support/fixtures.h"

namespace molgauge::domain {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A saved domain that a stranger changes. The checksums are made right again.
class HostileDomain : public testing::Test {
 protected:
  HostileDomain() {
    std::mt19937 random(1);
    SavedDomain saved;
    saved.source = {"ecfp", "native", "ecfp:0123"};
    saved.settings = {.method = DomainMethod::combined, .level = 0.05, .threads = 1};
    saved.standardize = Standardize::parent;
    saved.labels.conflicts = 1;
    saved.labels.listed = {{"a", "CCO", {6, 6.5}, 6.25}};
    saved.notes.known.elements = {6, 8};
    for (int i = 0; i < 60; ++i) {
      const std::string text = fmt::format("C{}", i);
      saved.notes.names.push_back(text);
      saved.notes.smiles.push_back(text);
      saved.notes.canonical_smiles.push_back(text);
      saved.notes.keys.push_back({hash128(text), hash128(text), hash128(text)});
      saved.notes.scaffolds.push_back(fmt::format("kind {}", i % 20));
      saved.values.push_back(i % 7);
    }
    saved.curve.molecules = 10;
    saved.curve.bins = {{0, 1, 5, 0.5, 0.25, 0.75}, {1, 2, 5, 1, 0.5, 1.5}};
    saved.value_name = "pIC50";
    saved.domain = std::make_shared<const CalibratedDomain>(
        made_up_molecules(60, random), saved.notes.scaffolds, std::vector<Hash128>(), saved.settings);
    saved.opinion = SecondOpinion::fit(training_of_opinion(saved), 1);
    saved.predictions = made_up_predictions();
    save_domain(saved, path_);
  }

  /// Returns the error of the loaded domain, or an empty text.
  std::string refusal() const {
    try {
      const SavedDomain saved = load_domain(path_, 1);
      std::mt19937 random(9);
      const Molecules others = made_up_molecules(5, random);
      if (saved.domain->training().width == others.width) {
        saved.domain->score(others);
      }
      saved.predictions->judge({.value = 2}, {.distance = 0.5});
      return "";
    } catch (const Error& problem) {
      return problem.what();
    }
  }

  void seal(json manifest) const {
    for (auto& [name, hash] : manifest["sha256"].items()) {
      hash = store::sha256_of_file(path_ / name);
    }
    manifest.erase("checksum");
    replace_file(path_ / "domain-manifest.json", sealed(manifest).dump());
  }

  json manifest() const { return json::parse(read_file(path_ / "domain-manifest.json")); }

  /// Writes the tensors after a change, and returns the error.
  std::string refusal_of(const std::function<void(io::TensorMap&)>& change) const {
    const std::string file = read_file(path_ / "domain.safetensors");
    io::TensorMap tensors = io::read_safetensors(path_ / "domain.safetensors").tensors;
    change(tensors);
    io::write_safetensors(path_ / "domain.safetensors", tensors);
    seal(manifest());
    const std::string text = refusal();
    replace_file(path_ / "domain.safetensors", file);
    seal(manifest());
    return text;
  }

  template <typename Number>
  std::string refusal_of(const char* tensor, std::size_t place, Number number) const {
    return refusal_of([&](io::TensorMap& tensors) {
      std::memcpy(tensors.at(tensor).bytes.data() + place * sizeof(Number), &number, sizeof(Number));
    });
  }

  const test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "domain";
};

TEST_F(HostileDomain, ItsManifestHasRanges) {
  ASSERT_EQ(refusal(), "");
  const json whole = manifest();
  const std::vector<std::pair<const char*, std::vector<json>>> bad = {
      {"/level", {0, -1, 0.51, 1, 2, 1e300}},
      {"/predictions/coverage", {0, -1, 0.4, 1, 2}},
      {"/elements", {json::array({300}), json::array({119}), json::array({-1}), json::array({6.5})}},
      {"/bandwidth", {-1, 0, 1e300}},
      {"/heavy_atoms", {json::array({5, 4}), json::array({0, 1e300})}},
      {"/log_p", {json::array({1e20, 1e21})}},
      {"/charge", {json::array({1, -1})}},
      {"/calibration_scaffolds", {100000, -1}},
      {"/largest_calibration_scaffold", {100000}},
      {"/training_duplicates", {1e18, -1}},
      {"/training_failed", {1e18}},
      {"/training_redrawn", {1e18}},
      {"/max_atoms", {0, 2001}},
      {"/labels/molecules_with_several_labels", {0, 1e18}},
      {"/labels/median_range_of_several_labels", {-1, 1e200}},
      {"/labels/first_molecules_with_several_labels/0/labels/0", {1e200}},
      {"/labels/censored/count", {1e18}},
      {"/label_curve/molecules", {1e18, -1}},
      {"/label_curve/error", {-1, 1e200}},
      {"/label_curve/bins", {json::array()}},
      {"/label_curve/bins/0/0", {2, 1e300}},
      {"/label_curve/bins/0/2", {1e18}},
      {"/label_curve/bins/0/3", {-1, 1e300}},
      {"/label_curve/bins/0/4", {1e300}}};
  for (const auto& [pointer, values] : bad) {
    for (const json& value : values) {
      json changed = whole;
      changed[json::json_pointer(pointer)] = value;
      seal(changed);
      EXPECT_THAT(refusal(), HasSubstr(path_.string())) << pointer << " = " << value;
    }
  }
  seal(whole);
  EXPECT_EQ(refusal(), "");
}

TEST_F(HostileDomain, ItsTensorsHaveRanges) {
  for (const char* const tensor : {"features", "properties", "calibration_left_out", "calibration_scaffold",
                                   "calibration_range", "scale_nearest", "scale_density"}) {
    for (const float number : {kNaN, std::numeric_limits<float>::infinity(), 1e30F, -1e30F}) {
      EXPECT_THAT(refusal_of(tensor, 0, number), HasSubstr("domain.safetensors")) << tensor << " " << number;
    }
  }
  EXPECT_THAT(refusal_of("calibration_left_out", 0, 1e9F), HasSubstr("ascending order"));
  EXPECT_THAT(refusal_of("values", 0, 1e200), HasSubstr("values"));
  EXPECT_THAT(refusal_of("environments", 1, std::int32_t{0}), HasSubstr("a count in environments"));
  EXPECT_THAT(refusal_of("environments", 1, std::int32_t{-5}), HasSubstr("a count in environments"));
  EXPECT_THAT(refusal_of("environments", 0, std::int32_t{50}), HasSubstr("ascending order"));
  EXPECT_THAT(refusal_of("environment_ends", 0, std::int64_t{-1}), HasSubstr("environment_ends"));
  EXPECT_THAT(refusal_of("environment_ends", 0, std::int64_t{1} << 40), HasSubstr("environment_ends"));
  EXPECT_THAT(refusal_of("environment_ends", 0, std::numeric_limits<std::int64_t>::max()),
              HasSubstr("environment_ends"));
  for (const auto& [name, tensor] : io::read_safetensors(path_ / "domain.safetensors").tensors) {
    const std::size_t bytes = io::element_size(tensor.type);
    const bool is_real = tensor.type == io::DataType::float32 || tensor.type == io::DataType::float64;
    const io::DataType other = bytes == 1   ? io::DataType::int8
                               : bytes == 4 ? (is_real ? io::DataType::int32 : io::DataType::float32)
                                            : (is_real ? io::DataType::int64 : io::DataType::float64);
    EXPECT_NE(refusal_of([name = name, other](io::TensorMap& tensors) { tensors.at(name).type = other; }), "")
        << name;
  }
}

TEST_F(HostileDomain, EnvironmentsArePairs) {
  for (const std::int64_t width : {1, 3, 4, 5}) {
    EXPECT_THAT(refusal_of([&](io::TensorMap& tensors) {
                  io::TensorData& own = tensors.at("environments");
                  const std::size_t numbers = own.bytes.size() / 4 / static_cast<std::size_t>(width);
                  own.shape = {static_cast<std::int64_t>(numbers), width};
                  own.bytes.resize(numbers * static_cast<std::size_t>(width) * 4);
                }),
                HasSubstr("environments"))
        << width;
  }
}

TEST_F(HostileDomain, CalibrationMoleculesHaveRanges) {
  const std::string table = read_file(path_ / "predictions.csv");
  const std::size_t end = table.find('\n', table.find('\n') + 1);
  const auto refused = [&](const std::string& row) {
    replace_file(path_ / "predictions.csv", table.substr(0, table.find('\n') + 1) + row + table.substr(end));
    seal(manifest());
    return refusal();
  };
  EXPECT_EQ(refused("C,C,0,0,0,1,2,3,,,,,1,0,,,,"), "");
  for (const char* const row : {"C,C,0,0,0,nan,2,3,,,,,1,0,,,,", "C,C,0,0,0,1,1e200,3,,,,,1,0,,,,",
                                "C,C,0,0,0,1,2,inf,,,,,1,0,,,,", "C,C,0,0,0,1,2,3,,,,,0,0,,,,",
                                "C,C,0,0,0,1,2,3,,,,,10000000000000,0,,,,", "C,C,0,0,0,1,2,3,,,,,-1,0,,,,"}) {
    EXPECT_THAT(refused(row), HasSubstr("predictions.csv:2")) << row;
  }
}

/// Any other change gives an error or an answer. Sanitizers and valgrind find invalid reads.
TEST_F(HostileDomain, AChangedByteGivesAnErrorOrAnAnswer) {
  const auto names_files = [&](const json& found) {
    if (!found.is_object() || !found.contains("sha256") || found["sha256"].size() != 3) {
      return false;
    }
    for (const auto& sum : found["sha256"].items()) {
      std::error_code unknown;
      if (!std::filesystem::exists(path_ / sum.key(), unknown)) {
        return false;
      }
    }
    return true;
  };
  std::mt19937 random(3);
  for (const char* const name :
       {"domain.safetensors", "domain-manifest.json", "predictions.csv", "molecules.csv"}) {
    const std::string content = read_file(path_ / name);
    for (int i = 0; i < 60; ++i) {
      std::string changed = content;
      changed[random() % changed.size()] = static_cast<char>(random() % 256);
      std::ofstream(path_ / name, std::ios::binary) << changed;
      json found =
          json::parse(read_file(path_ / "domain-manifest.json"), nullptr, /*allow_exceptions=*/false);
      if (names_files(found)) {
        seal(found);
      }
      refusal();
      std::ofstream(path_ / name, std::ios::binary) << content;
      seal(manifest());
    }
  }
}

}  // namespace
}  // namespace molgauge::domain
