#include "molecules/judging/judge.h"

#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/session/cancellation.h"
#include "made_up_molecules.h"
#include "molgauge/error.h"

namespace molgauge::domain {
namespace {

/// Requests a stop during its lifetime.
class Cancellation {
 public:
  Cancellation() { request_cancellation(); }
  ~Cancellation() { request_cancellation(false); }
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;
};

class JudgeOfABlock : public testing::Test {
 protected:
  JudgeOfABlock() {
    std::mt19937 random(1);
    saved_.settings = {.method = DomainMethod::combined, .level = 0.05, .threads = 1};
    saved_.standardize = Standardize::parent;
    for (int i = 0; i < 120; ++i) {
      saved_.notes.names.push_back(std::to_string(i));
      saved_.notes.smiles.push_back("C");
      saved_.notes.canonical_smiles.push_back("C");
      saved_.notes.scaffolds.push_back(std::to_string(i % 20));
      saved_.notes.keys.push_back({hash128(std::to_string(i)), hash128("parent"), hash128("flat")});
    }
    saved_.domain = std::make_shared<const CalibratedDomain>(
        made_up_molecules(120, random), saved_.notes.scaffolds, std::vector<Hash128>(), saved_.settings);
    for (std::size_t i = 0; i < 4096; ++i) {
      JudgedRecord record;
      record.record.text = std::string(i % 60 + 1, 'C') + "N" + std::string(i / 60 + 1, 'C');
      record.features.assign(saved_.domain->training().width, 1.0F);
      records_.push_back(std::move(record));
    }
  }

  SavedDomain saved_;
  std::vector<JudgedRecord> records_;
};

TEST_F(JudgeOfABlock, StopsInTheMiddle) {
  const Judge judge(saved_, 1);
  std::chrono::steady_clock::time_point asked;
  std::thread stop([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    asked = std::chrono::steady_clock::now();
    request_cancellation();
  });
  EXPECT_THROW(judge.judge(records_), Interrupted);
  stop.join();
  request_cancellation(false);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::milliseconds(500));
}

TEST_F(JudgeOfABlock, StopsBeforeItBegins) {
  const Judge judge(saved_, 1);
  const Cancellation stop;
  EXPECT_THROW(judge.judge({records_.front()}), Interrupted);
}

TEST_F(JudgeOfABlock, ScoresStop) {
  std::mt19937 random(2);
  const Molecules others = made_up_molecules(30, random);
  const Cancellation stop;
  EXPECT_THROW(saved_.domain->score(others), Interrupted);
}

}  // namespace
}  // namespace molgauge::domain
