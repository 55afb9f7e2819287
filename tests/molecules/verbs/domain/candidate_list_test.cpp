#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/runtime/budget_scope.h"
#include "base/runtime/device_choice.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molgauge/session.h"
#include "support/fixtures.h"

namespace molgauge::verbs {
namespace {

using testing::HasSubstr;

/// Candidates are read once to encode them, and again for each pass over the results.
class ChangedCandidates : public testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(file_) << text; }

  /// Returns the error of a pass over candidates. The file contained `before` when the candidates were
  /// encoded, and contains `after` during the pass.
  std::string refusal(const std::string& before, const std::string& after) {
    write(before);
    DomainRequest request;
    request.candidates = file_;
    request.compute.quiet = true;
    runtime::BudgetScope memory(request.compute, runtime::parse_device("cpu"));
    session::EncodingSession encoding(
        {.encoder = "ecfp", .store = folder_ / "store", .weights = "", .compute = request.compute}, memory);
    pipeline::FailureLog failed(folder_.path(), pipeline::FailureLog::Order::as_appended);
    CandidateList candidates(request, Standardize::none, file_, file_,
                             session::list_molecules(file_, "smiles"), encoding, failed,
                             /*predicted=*/nullptr);
    write(after);
    try {
      candidates.for_each_block(2, [](std::size_t, std::vector<CandidateRow>&) {});
    } catch (const InputError& problem) {
      return problem.what();
    }
    return "";
  }

  Session session_;
  const test::TemporaryFolder folder_;
  const std::string file_ = folder_ / "candidates.smi";
};

TEST_F(ChangedCandidates, AreRefusedInAnotherOrder) {
  EXPECT_EQ(refusal("CCO\nCCN\nCCC\n", "CCO\nCCN\nCCC\n"), "");
  EXPECT_THAT(
      refusal("CCO\nCCN\nCCC\n", "CCN\nCCO\nCCC\n"),
      testing::AllOf(HasSubstr(file_), HasSubstr("record 1 changed"), HasSubstr("Run the same command")));
  EXPECT_THAT(refusal("CCO\nCCN\nnonsense\n", "CCO\nCCN\nother nonsense\n"), HasSubstr("record 3 changed"));
}

TEST_F(ChangedCandidates, AreRefusedIfThereAreMoreOrFewer) {
  EXPECT_THAT(refusal("CCO\nCCN\nCCC\n", "CCO\nCCN\n"), HasSubstr("the number of records changed"));
  EXPECT_THAT(refusal("CCO\nCCN\n", "CCO\nCCN\nCCC\n"), HasSubstr("the number of records changed"));
}

}  // namespace
}  // namespace molgauge::verbs
