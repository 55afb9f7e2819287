#include "base/core/json/format_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InputError& refused) {
    return refused.what();
  }
  return "";
}

TEST(FormatVersion, AFileWithoutTheFieldHasVersionOne) {
  require_format_version({{"epochs", 3}}, "config.json");
  require_format_version({{"format_version", 1}}, "config.json");
}

TEST(FormatVersion, AnotherVersionIsRefusedWithTheFile) {
  for (const nlohmann::json& version : {nlohmann::json(2), nlohmann::json(0), nlohmann::json("1")}) {
    EXPECT_THAT(refusal([&] {
                  require_format_version({{"format_version", version}}, "run/config.json");
                }),
                AllOf(HasSubstr("run/config.json"), HasSubstr(version.dump())));
  }
}

TEST(FormatVersion, FormatsOfOtherProgramsPass) {
  require_format({}, "molgauge energy head 1", "model.safetensors");
  require_format({{"format", "pt"}}, "molgauge energy head 1", "model.safetensors");
  require_format({{"format", "molgauge energy head 1"}}, "molgauge energy head 1", "model.safetensors");
}

TEST(FormatVersion, AnotherFormatOfMolgaugeIsRefused) {
  for (const char* const format : {"molgauge energy head 2", "molgauge pocket encoder 1"}) {
    EXPECT_THAT(refusal([&] {
                  require_format({{"format", format}}, "molgauge energy head 1", "model.safetensors");
                }),
                AllOf(HasSubstr("model.safetensors"), HasSubstr(format)));
  }
}

}  // namespace
}  // namespace molgauge
