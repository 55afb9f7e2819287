#include "ops/device.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace headroom::ops {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    parse_device(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Device, NamesTheCpu) { EXPECT_TRUE(parse_device("cpu").is_cpu()); }

TEST(Device, PicksByItself) { EXPECT_EQ(parse_device("auto").is_cpu(), gpu_count() == 0); }

TEST(Device, RefusesWhatIsNoDevice) {
  EXPECT_THAT(refusal("gpu"), HasSubstr("there are auto, cpu, cuda and cuda:N"));
  EXPECT_THAT(refusal("cuda:"), HasSubstr("as in cuda:0"));
  EXPECT_THAT(refusal("cuda:1x"), HasSubstr("as in cuda:0"));
  EXPECT_THAT(refusal("cuda:-1"), HasSubstr("as in cuda:0"));
  EXPECT_THAT(refusal(""), HasSubstr("no such device"));
}

TEST(Device, SaysThatAGpuIsAbsent) {
  try {
    parse_device("cuda:250");
    FAIL() << "a GPU that cannot be here was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("--device cpu"));
  }
}

}  // namespace
}  // namespace headroom::ops
