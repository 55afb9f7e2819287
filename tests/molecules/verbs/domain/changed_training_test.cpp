#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/runtime/budget_scope.h"
#include "base/runtime/device_choice.h"
#include "molecules/encoders/registry.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molgauge/session.h"
#include "support/fixtures.h"

namespace molgauge::verbs {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Rows in memory. Calls a function before the first row is written. By then the complete small file has been
/// read.
class TableWithHook : public pipeline::RowTable {
 public:
  explicit TableWithHook(std::function<void()> before_first) : before_first_(std::move(before_first)) {}
  std::vector<bool> find(std::span<const Hash128> keys) override {
    std::vector<bool> found;
    for (const Hash128& key : keys) {
      found.push_back(rows_.contains(key));
    }
    return found;
  }
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override {
    const std::size_t width = keys.empty() ? 0 : rows.size() / keys.size();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (const auto row = rows_.find(keys[i]); row != rows_.end()) {
        std::ranges::copy(row->second, rows.subspan(i * width, width).begin());
      }
    }
    return find(keys);
  }
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    if (rows_.empty()) {
      before_first_();
    }
    const std::size_t width = rows.size() / keys.size();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = rows.subspan(i * width, width);
      rows_[keys[i]].assign(row.begin(), row.end());
    }
  }

 private:
  std::function<void()> before_first_;
  std::map<Hash128, std::vector<float>> rows_;
};

/// Training molecules are read once to encode them, and once more to describe them.
class ChangedTraining : public testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(file_) << text; }

  /// Returns the error for a training file that contains `before` while its molecules are encoded, and
  /// `after` later.
  std::string refusal(const std::string& before, const std::string& after) {
    write(before);
    DomainRequest request;
    request.training = file_;
    request.label_column = "y";
    request.compute.quiet = true;
    request.compute.threads = 1;
    runtime::BudgetScope memory(request.compute, runtime::parse_device("cpu"));
    session::EncodingSession encoding(
        {.encoder = "ecfp", .store = folder_ / "store", .weights = "", .compute = request.compute}, memory,
        encoders::make_encoder("ecfp", {}), std::make_unique<TableWithHook>([&] { write(after); }));
    pipeline::FailureLog failed(folder_.path(), pipeline::FailureLog::Order::as_appended);
    try {
      read_training(request, Standardize::none, session::list_molecules(file_, "smiles"), encoding, 1,
                    memory.phases(), failed);
    } catch (const InputError& problem) {
      return problem.what();
    }
    return "";
  }

  Session session_;
  const test::TemporaryFolder folder_;
  const std::string file_ = folder_ / "training.csv";
};

TEST_F(ChangedTraining, IsRefusedInAnotherOrder) {
  const std::string before = "smiles,y\nCCO,1\nCCN,2\nCCC,3\n";
  EXPECT_EQ(refusal(before, before), "");
  EXPECT_THAT(refusal(before, "smiles,y\nCCN,2\nCCO,1\nCCC,3\n"),
              AllOf(HasSubstr(file_), HasSubstr("record 1 changed"), HasSubstr("Run the same command")));
}

TEST_F(ChangedTraining, IsRefusedIfItHasMoreOrFewerRecords) {
  const std::string before = "smiles,y\nCCO,1\nCCN,2\n";
  EXPECT_THAT(refusal(before, "smiles,y\nCCO,1\n"), HasSubstr("the number of records changed"));
  EXPECT_THAT(refusal(before, before + "CCC,3\n"), HasSubstr("the number of records changed"));
}

}  // namespace
}  // namespace molgauge::verbs
