// Compares coordinates with the Uni-Mol tools (RDKit 2022.09.3) if the reference data is installed.

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/io/tensors/npz.h"
#include "molecules/chem/conformers/worker_process.h"
#include "records.h"
#include "support/fixtures.h"

namespace molgauge::chem {
namespace {

constexpr double kTolerance = 1e-3;

class ConformersParity : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = molgauge::test::reference_data("unimol");
    if (!std::filesystem::exists(folder_ / "preprocess_ref.txt")) {
      GTEST_SKIP() << "reference fixture " << folder_ << " is not here";
    }
    if (conformer_recipe(ConformerEngine::exact).find("rdkit=2022.09.3") == std::string::npos) {
      GTEST_SKIP() << "the reference coordinates come from RDKit 2022.09.3, this is "
                   << conformer_recipe(ConformerEngine::exact);
    }
  }

  /// Returns the lines of a table as lists of cells, without the header.
  std::vector<std::vector<std::string>> lines_of(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::vector<std::vector<std::string>> lines;
    std::string line;
    for (std::getline(file, line); std::getline(file, line);) {
      std::istringstream columns(line);
      auto& fields = lines.emplace_back();
      for (std::string field; std::getline(columns, field, '\t');) {
        fields.push_back(field);
      }
    }
    return lines;
  }

  static void expect_refinement(const MadeConformer& made, const std::string& mmff_return) {
    if (mmff_return == "0") {
      EXPECT_EQ(made.refinement, Refinement::converged);
    } else if (mmff_return == "1") {
      EXPECT_EQ(made.refinement, Refinement::not_converged);
    } else if (mmff_return == "-1") {
      EXPECT_EQ(made.refinement, Refinement::no_parameters);
    } else {
      EXPECT_EQ(made.refinement, Refinement::none);
    }
  }

  std::filesystem::path folder_;
  WorkerProcess worker_;
  const ConformerLimits limits_{.deadline = std::chrono::duration<double>(300)};
};

TEST_F(ConformersParity, MoleculesOfTheReference) {
  const io::TensorMap arrays = io::read_npz(folder_ / "preprocess_ref.npz");
  for (const auto& fields : lines_of("preprocess_ref.txt")) {
    SCOPED_TRACE(fields.back());
    const MadeConformer made = worker_.make(molgauge::test::smiles_record(fields.back()), limits_);
    EXPECT_EQ(made.embedding == Embedding::flat, fields[4] == "-1");
    expect_refinement(made, fields[5]);
    const auto expected = arrays.at(fmt::format("m{:02}_raw_coord_all_h", std::stoi(fields[0]))).to_float32();
    ASSERT_EQ(made.conformer.positions.size() * 3, expected.size());
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      worst = std::max(worst, std::abs(double{made.conformer.positions[i / 3][i % 3]} - double{expected[i]}));
    }
    EXPECT_LE(worst, kTolerance);
  }
}

/// Centres coordinates as the reference does: subtracts the mean from the positions of a molecule, without
/// CLS and SEP at the ends.
TEST_F(ConformersParity, MoleculesThatFallBack) {
  const io::TensorMap arrays = io::read_npz(folder_ / "preprocess_fallback.npz");
  for (const auto& fields : lines_of("preprocess_fallback.txt")) {
    SCOPED_TRACE(fields.back());
    const MadeConformer made = worker_.make(molgauge::test::smiles_record(fields.back()), limits_);
    EXPECT_EQ(made.conformer.elements.size(), std::stoul(fields[1]));
    EXPECT_EQ(made.embedding == Embedding::flat, fields[3] == "-1");
    expect_refinement(made, fields[4]);
    const Conformer heavy = without_hydrogens(made.conformer);
    EXPECT_EQ(heavy.elements.size(), std::stoul(fields[2]));
    const auto expected = arrays.at(fmt::format("m{:02}_no_h_src_coord", std::stoi(fields[0]))).to_float32();
    ASSERT_EQ(expected.size(), (heavy.positions.size() + 2) * 3);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double mean = 0;
      for (const auto& place : heavy.positions) {
        mean += place[axis] / static_cast<double>(heavy.positions.size());
      }
      for (std::size_t i = 0; i < heavy.positions.size(); ++i) {
        EXPECT_NEAR(heavy.positions[i][axis] - mean, expected[(i + 1) * 3 + axis], kTolerance);
      }
    }
  }
}

}  // namespace
}  // namespace molgauge::chem
