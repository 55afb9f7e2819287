// Tests that calls that follow each other quickly use the encoder and the store of earlier calls.

#include "molecules/encoding/session/encoder_cache.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "molecules/verbs/domain/domain_cache.h"
#include "molecules/verbs/verbs.h"
#include "molgauge/session.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

class ShortCalls : public testing::Test {
 protected:
  ShortCalls() {
    std::string training = "smiles,name\n";
    for (const char* const ring : {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1"}) {
      for (std::size_t length = 1; length <= 20; ++length) {
        training += ring + std::string(length, 'C') + "O,m\n";
      }
    }
    replace_file(folder_ / "train.csv", training);
    replace_file(folder_ / "list.smi", "CCO\n");
    DomainRequest request;
    request.training = (folder_ / "train.csv").string();
    request.candidates = (folder_ / "list.smi").string();
    request.save = (folder_ / "domain").string();
    request.out = (folder_ / "list.csv").string();
    request.encoder = "ecfp";
    request.store = (folder_ / "store").string();
    verbs::judge_domain(request);
  }

  ScoreRequest score_request() const {
    ScoreRequest request;
    request.run = (folder_ / "domain").string();
    request.molecules = (folder_ / "list.smi").string();
    request.store = (folder_ / "store").string();
    return request;
  }

  const test::TemporaryFolder folder_;
  const Session session_{{.quiet = true}};
  session::EncoderCache kept_;
};

TEST_F(ShortCalls, ScoreWithOneEncoder) {
  const ScoreReport alone = verbs::score(score_request());
  for (int call = 0; call < 4; ++call) {
    const ScoreReport report = verbs::score(score_request(), &kept_);
    ASSERT_EQ(report.molecules.size(), 1U);
    EXPECT_EQ(report.molecules[0].score, alone.molecules[0].score);
  }
  EXPECT_EQ(kept_.opened(), 1U);
  // A request with different settings needs a different encoder.
  ScoreRequest other = score_request();
  other.compute.threads = 1;
  verbs::score(other, &kept_);
  EXPECT_EQ(kept_.opened(), 2U);
  verbs::score(score_request(), &kept_);
  EXPECT_EQ(kept_.opened(), 2U) << "several are kept";
  // If another store replaces the store of an earlier call, the next call opens the new store.
  std::filesystem::rename(folder_ / "store", folder_ / "former");
  verbs::score(score_request(), &kept_);
  EXPECT_EQ(kept_.opened(), 3U);
}

TEST_F(ShortCalls, JudgeWithOneEncoderForAllDomains) {
  std::filesystem::copy(folder_ / "domain", folder_ / "other", std::filesystem::copy_options::recursive);
  verbs::DomainCache domains;
  const std::vector<std::string> smiles{"CCO", "CCN"};
  DomainRequest request;
  request.store = (folder_ / "store").string();
  for (const char* const name : {"domain", "other", "domain"}) {
    request.training = (folder_ / name).string();
    EXPECT_EQ(verbs::judge_molecules(request, smiles, {}, domains, kept_).molecules.size(), 2U);
  }
  EXPECT_EQ(kept_.opened(), 1U);
}

}  // namespace
}  // namespace molgauge
