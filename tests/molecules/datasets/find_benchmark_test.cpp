#include "molecules/datasets/find_benchmark.h"

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

using testing::HasSubstr;

class FindBenchmark : public testing::Test {
 protected:
  std::string make(const std::string& name) {
    make_folder((folder_ / name).parent_path());
    replace_file(folder_ / name, "{}");
    return (folder_ / name).string();
  }
  std::string refusal(const std::string& name, const std::string& data_path) {
    try {
      find_benchmark(name, data_path);
    } catch (const InputError& failure) {
      return failure.what();
    }
    return "";
  }
  test::TemporaryFolder folder_;
  std::string data_ = folder_.path().string();
};

TEST_F(FindBenchmark, APathIsItself) {
  const std::string path = make("a.json");
  EXPECT_EQ(find_benchmark(path, ""), path);
  EXPECT_EQ(find_benchmark(path, data_ + "/elsewhere"), path);
}

TEST_F(FindBenchmark, NamesAreLookedUpInTheFoldersOfThePythonProject) {
  const std::string raw = make("raw/lbap_general_ec50_size.json");
  EXPECT_EQ(find_benchmark("lbap_general_ec50_size", data_), raw);
  EXPECT_EQ(find_benchmark("drugood_lbap_general_ec50_size", data_), raw);
  const std::string first = make("lbap_general_ec50_size.json");
  EXPECT_EQ(find_benchmark("lbap_general_ec50_size", data_), first);
}

TEST_F(FindBenchmark, SaysWhereItLookedAndWhatToDo) {
  EXPECT_THAT(refusal("lbap", data_), HasSubstr("raw/lbap.json"));
  EXPECT_THAT(refusal("lbap", ""), HasSubstr("--data-path"));
  EXPECT_THAT(refusal("GOOD_HIV", data_), HasSubstr("molgauge split"));
}

}  // namespace
}  // namespace molgauge::datasets
