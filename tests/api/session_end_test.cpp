// Ends a session while some calls of its engine run and other calls wait for their turn.

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "molgauge/engine.h"
#include "molgauge/error.h"
#include "molgauge/session.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

TEST(SessionEnd, RefusesCallsThatWaitForTheirTurn) {
  const test::TemporaryFolder folder;
  std::atomic<int> begun = 0, interrupted = 0, done = 0;
  std::vector<std::thread> callers;
  {
    Session session({.quiet = true});
    Engine& called = engine(session);
    std::vector<std::string> smiles;
    for (int i = 0; i < 3000; ++i) {
      smiles.push_back(std::string(static_cast<std::size_t>(i % 80 + 1), 'C') + "O" +
                       std::string(static_cast<std::size_t>(i / 80 + 1), 'N'));
    }
    for (int caller = 0; caller < 6; ++caller) {
      callers.emplace_back([&, smiles] {
        EncodeRequest request;
        request.encoder = "ecfp";
        request.store = (folder / "store").string();
        std::vector<float> rows(smiles.size() * 512);
        ++begun;
        try {
          called.encode(request, smiles, rows);
          ++done;
        } catch (const Interrupted&) {
          ++interrupted;
        }
      });
    }
    while (begun < 6) {
      std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  for (std::thread& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(interrupted + done, 6);
  EXPECT_GE(interrupted, 4) << "a call worked without a session";
  const Session next({.quiet = true});
}

}  // namespace
}  // namespace molgauge
