#include "molecules/datasets/split_cache.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SplitCacheFile : public testing::Test {
 protected:
  SplitCacheFile() {
    replace_file(folder_ / "lbap_general_ec50_size.json", "{}");
    cache_ = {{"metadata",
               {{"dataset_name", "drugood"},
                {"data_seed", 42},
                {"max_samples", nullptr},
                {"drugood_subset", "lbap_general_ec50_size"}}},
              {"target_sizes", {{"train_id", 2}}},
              {"splits",
               {{"train_id", {"CC ", "CCC"}},
                {"train_ood", {"CCO"}},
                {"val_id", {"CCN"}},
                {"val_ood", {"CCF"}},
                {"test_id", {"CCCl"}},
                {"test_ood", {"CCBr"}}}},
              {"timestamp", "2025-11-02T10:00:00"}};
  }
  SplitCache read(std::uint64_t data_seed = 42) {
    replace_file(path_, cache_.dump(2));
    return read_split_cache(path_, {.benchmark_file = (folder_ / "lbap_general_ec50_size.json").string(),
                                    .data_seed = data_seed});
  }
  std::string refusal() {
    try {
      read();
    } catch (const InputError& failure) {
      return failure.what();
    }
    return "";
  }
  test::TemporaryFolder folder_;
  std::string path_ = (folder_ / "splits.json").string();
  json cache_;
};

TEST_F(SplitCacheFile, GivesItsListsInTheirOrder) {
  const SplitCache cache = read();
  ASSERT_EQ(cache.benchmark.train_id.size(), 2u);
  EXPECT_EQ(cache.benchmark.train_id[0].smiles, "CC");
  EXPECT_EQ(cache.benchmark.train_id[1].smiles, "CCC");
  EXPECT_EQ(cache.benchmark.val_ood[0].smiles, "CCF");
  EXPECT_EQ(cache.benchmark.test_ood[0].smiles, "CCBr");
  EXPECT_THAT(cache.mismatches, IsEmpty());
}

TEST_F(SplitCacheFile, KnowsTheLinesOfItsMolecules) {
  const SplitCache cache = read();
  const std::string text = read_file(path_);
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("CCC\"")), '\n');
  EXPECT_EQ(cache.benchmark.train_id[1].line, static_cast<std::size_t>(line));
}

TEST_F(SplitCacheFile, SaysWhatDoesNotFit) {
  EXPECT_THAT(read(7).mismatches, ElementsAre(HasSubstr("data seed 42, not 7")));
  cache_["metadata"]["drugood_subset"] = "lbap_general_ic50_size";
  cache_["metadata"]["data_file_mtime"] = 1.5;
  EXPECT_THAT(read().mismatches,
              ElementsAre(HasSubstr("from lbap_general_ic50_size"), HasSubstr("another modification time")));
  cache_.erase("metadata");
  EXPECT_THAT(read().mismatches, ElementsAre(HasSubstr("does not describe itself")));
}

TEST_F(SplitCacheFile, WhatIsNoSplitCacheIsRefused) {
  cache_["splits"]["val_id"] = json::array();
  EXPECT_THAT(refusal(), HasSubstr("splits.val_id is missing or empty"));
  cache_["splits"]["val_id"] = {"C", 1};
  EXPECT_THAT(refusal(), HasSubstr("splits.val_id[1] is not a SMILES text"));
  cache_ = {{"metadata", json::object()}, {"labels", json::object()}};
  EXPECT_THAT(refusal(), HasSubstr("labels come from the benchmark"));
  cache_ = json::array();
  EXPECT_THAT(refusal(), HasSubstr("not a split cache"));
  replace_file(path_, "{\n\"splits\": [");
  EXPECT_THROW(read_split_cache(path_, {}), InputError);
  EXPECT_THROW(read_split_cache((folder_ / "absent.json").string(), {}), InputError);
}

}  // namespace
}  // namespace molgauge::datasets
