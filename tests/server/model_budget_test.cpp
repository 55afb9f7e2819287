// The smallest budget that a refusal of the server names is sufficient for all of its models.

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "molgauge/budget_error.h"
#include "molgauge/engine.h"
#include "molgauge/session.h"
#include "server/models.h"
#include "support/fixtures.h"
#include "support/instrumented.h"

namespace molgauge::test {
namespace {

TEST(ModelBudget, IsSufficientForAllModels) {
  if (is_instrumented()) {
    GTEST_SKIP() << "resident memory is the sanitizer's";
  }
  const TemporaryFolder folder;
  std::string molecules;
  for (int i = 1; i <= 40; ++i) {
    for (const char* const end : {"O", "N", "Cl", "c1ccccc1", "C#N", "C(=O)O"}) {
      molecules += std::string(static_cast<std::size_t>(i), 'C') + end + "\n";
    }
  }
  replace_file(folder / "train.smi", molecules);
  Session session({.quiet = true});
  Engine& called = engine(session);
  ServeRequest request;
  request.store = (folder / "store").string();
  request.models.push_back((own_data("chemprop") / "v2_regression.pt").string());
  for (const char* const name : {"one", "two", "three"}) {
    DomainRequest domain;
    domain.training = domain.candidates = (folder / "train.smi").string();
    domain.encoder = "ecfp";
    domain.save = (folder / name).string();
    domain.out = (folder / "out.csv").string();
    domain.store = request.store;
    domain.compute.quiet = true;
    called.run(domain);
    request.models.push_back(domain.save);
  }
  request.compute.memory_budget = "1MiB";
  const auto open = [&] { return serve::Models(called, request, (folder / "").string()).all().size(); };
  std::uint64_t named = 0;
  try {
    open();
    FAIL() << "a budget of 1 MiB is sufficient";
  } catch (const BudgetError& refusal) {
    named = refusal.smallest_bytes();
    const std::string text = refusal.what();
    EXPECT_NE(text.find("3 more models, for which the budget below includes an upper bound"), text.npos)
        << text;
  }
  request.compute.memory_budget = std::to_string(named);
  EXPECT_EQ(open(), 4U);
}

}  // namespace
}  // namespace molgauge::test
