#include "pocket_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "prmtop_writer.h"

namespace molgauge::test {
namespace {

constexpr double kAmberCharge = 18.2223;  ///< elementary charge in the units of an AMBER topology

/// Returns an AMBER topology. The charges differ between complexes.
std::string topology(int complex) {
  PrmtopWriter topology;
  const double shift = 0.05 * complex;
  topology.numbers("CHARGE",
                   {0.4 * kAmberCharge, (-0.6 - shift) * kAmberCharge, (0.5 + 2 * shift) * kAmberCharge,
                    0.1 * kAmberCharge, (-0.4 - shift) * kAmberCharge});
  return topology.text();
}

/// Returns atom coordinates. The second oxygen rotates about the carbon, by a large angle between complexes
/// and by a small angle between models.
std::string coordinates(int complex, int model) {
  const double angle = 0.25 * complex + 0.05 * model;
  const std::array<double, 15> numbers = {0,
                                          0,
                                          0,
                                          0.96,
                                          0,
                                          0,
                                          1.43,
                                          1.33,
                                          0,
                                          2.52,
                                          1.33,
                                          0,
                                          0.96,
                                          1.33 + 1.3 * std::cos(angle),
                                          1.3 * std::sin(angle)};
  std::string text = "made by a test\n    5\n";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text +=
        fmt::format("{:12.7f}", numbers.at(i)) + ((i + 1) % 6 == 0 || i + 1 == numbers.size() ? "\n" : "");
  }
  return text;
}

}  // namespace

PocketSet::PocketSet() {
  std::filesystem::create_directories(path("amber"));
  rows_.width = kWidth;
  for (int complex = 0; complex < kComplexes; ++complex) {
    const std::string name = fmt::format("{}abc_L{:02}", complex, complex);
    for (int model = 0; model < kModels; ++model) {
      const std::string stem = fmt::format("amber/{}_model{}_rna", name, model);
      file(stem + ".prmtop", topology(complex));
      file(stem + ".inpcrd", coordinates(complex, model));
    }
    rows_.keys.push_back(name);
    for (std::int64_t k = 0; k < kWidth; ++k) {
      rows_.numbers.push_back(static_cast<float>(
          std::sin(0.3 * complex * static_cast<double>(1 + k % 3) + static_cast<double>(k))));
    }
  }
  io::write_keyed_rows(ligands(), rows_);
  const Outcome built = molgauge({"pocket", "build", path("amber"), "--out", graphs(), "--quiet"});
  EXPECT_EQ(built.exit_code, 0) << built.err;
}

Outcome PocketSet::train(const std::string& run, const std::vector<std::string>& more,
                         const CommandOptions& options) const {
  std::vector<std::string> words = {"pocket",
                                    "train",
                                    graphs(),
                                    "--ligands",
                                    ligands(),
                                    "--run",
                                    path(run),
                                    "--hidden-irreps",
                                    "4x0e + 2x1o + 2x2e",
                                    "--num-layers",
                                    "1",
                                    "--batch-size",
                                    "4",
                                    "--threads",
                                    "2"};
  if (std::find(more.begin(), more.end(), "--epochs") == more.end()) {
    words.insert(words.end(), {"--epochs", "2"});
  }
  words.insert(words.end(), more.begin(), more.end());
  return molgauge(words, options);
}

}  // namespace molgauge::test
