#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/train/early_stopping.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

TEST(EarlyStoppingParity, FollowsTheReferenceRule) {
  REQUIRE_REFERENCE("ood/early_stopping.json");
  const auto cases = nlohmann::json::parse(read_file(test::reference_data("ood/early_stopping.json")));
  for (const auto& sequence : cases) {
    const auto patience = sequence["patience"].get<std::size_t>();
    SCOPED_TRACE(sequence["name"].get<std::string>() + ", patience " + std::to_string(patience));
    train::EarlyStopping stopping(EarlyStoppingRule::reference, patience);
    std::vector<std::size_t> epochs_with_gain;
    std::size_t epochs_run = 0;
    while (epochs_run < sequence["epochs"].get<std::size_t>() && !stopping.should_stop()) {
      const auto& auroc = sequence["val_auroc"][epochs_run];
      if (stopping.observe_epoch(auroc.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                                 : auroc.get<double>())) {
        epochs_with_gain.push_back(epochs_run);
      }
      ++epochs_run;
    }
    EXPECT_EQ(epochs_run, sequence["epochs_run"].get<std::size_t>());
    EXPECT_EQ(epochs_with_gain, sequence["epochs_with_best_saved"].get<std::vector<std::size_t>>());
    EXPECT_EQ(stopping.state().counter, sequence["counter_at_end"].get<std::size_t>());
    EXPECT_EQ(stopping.state().best, sequence["best"].get<double>());
  }
}

}  // namespace
}  // namespace molgauge::ood
