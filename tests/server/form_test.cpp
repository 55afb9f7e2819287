#include "server/form.h"

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::serve {
namespace {

TEST(Form, IsDecoded) {
  const Query query = decoded_form("smiles=C%23N+name&empty=&flag&&a=1&a=2");
  EXPECT_EQ(query.at("smiles"), "C#N name");
  EXPECT_EQ(query.at("empty"), "");
  EXPECT_EQ(query.at("flag"), "");
  EXPECT_EQ(query.at("a"), "2");
  EXPECT_EQ(decoded("C+C%2B", false), "C+C+");
}

TEST(Form, RefusesWhatIsNoText) {
  for (const char* const text : {"a=%", "a=%4", "a=%zz", "a=%ff", "a=%c0%af", "%=1"}) {
    EXPECT_THROW(decoded_form(text), UsageError) << text;
  }
}

}  // namespace
}  // namespace molgauge::serve
