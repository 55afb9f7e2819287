#include <memory>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "molecules/experiments/specification/method_kinds.h"
#include "molecules/verbs/experiment/cell_kind.h"

namespace molgauge::verbs {
namespace {

/// Cells that compute nothing.
class Constants final : public CellKind {
 public:
  void require_valid(const experiment::Spec&, const matrix::Cell& cell) const override {
    if (!cell.options.contains("value")) {
      throw InputError("a constant has no value");
    }
  }
  std::string identity(const experiment::Spec&, const matrix::Cell& cell) const override {
    return "constant " + options::to_text(cell.options.at("value"));
  }
  std::string memory_identity(const CellOfMatrix&, const MatrixSizes&) const override { return "constant"; }
  CellPlan plan(const CellOfMatrix&, const MatrixSizes&, const CellRoom&) const override { return {}; }
  matrix::CellResult run(const CellOfMatrix& cell, const CellRun&) override {
    matrix::CellResult result;
    result.auroc = std::get<double>(cell.cell.options.at("value"));
    return result;
  }
};

matrix::Cell cell_of(const std::string& kind) {
  matrix::Cell cell;
  cell.kind = kind;
  return cell;
}

TEST(CellKinds, EveryMethodHasOne) {
  const CellKinds kinds;
  const experiment::Spec spec;
  EXPECT_TRUE(kinds.of(cell_of("energy-head")).identity(spec, cell_of("energy-head")).starts_with("energy "));
  EXPECT_TRUE(kinds.of(cell_of("knn")).identity(spec, cell_of("knn")).starts_with("knn "));
  EXPECT_EQ(kinds.of(cell_of("energy-head")).pair_beta(spec, cell_of("energy-head")), 0.1);
  EXPECT_FALSE(kinds.of(cell_of("knn")).pair_beta(spec, cell_of("knn")).has_value());
  EXPECT_THROW(kinds.of(cell_of("nonsense")).require_valid(spec, cell_of("nonsense")), InputError);
}

TEST(CellKinds, AnotherOneIsAddedByItsDescriptors) {
  experiment::MethodKind constants;
  constants.name = constants.section = "constants";
  constants.has = [](const std::string& kind) { return kind == "constant"; };
  constants.check_option = [](const std::string&, const std::string& option, const options::Value&) {
    if (option != "value") {
      throw UsageError("a constant has no option '" + option + "'");
    }
  };
  experiment::add_method_kind(constants);
  EXPECT_THROW(experiment::add_method_kind(constants), UsageError);
  EXPECT_THROW(CellKinds().of(cell_of("constant")), Error) << "nothing runs it yet";
  add_cell_kind("constants", [] { return std::unique_ptr<CellKind>(std::make_unique<Constants>()); });

  const CellKinds kinds;
  const experiment::Spec spec;
  matrix::Cell cell = cell_of("constant");
  EXPECT_THROW(kinds.of(cell).require_valid(spec, cell), InputError);
  cell.options["value"] = 0.75;
  EXPECT_NO_THROW(kinds.of(cell).require_valid(spec, cell));
  EXPECT_EQ(kinds.of(cell).identity(spec, cell), "constant 0.75");
  EXPECT_TRUE(kinds.of(cell_of("knn")).identity(spec, cell_of("knn")).starts_with("knn "));
}

}  // namespace
}  // namespace molgauge::verbs
