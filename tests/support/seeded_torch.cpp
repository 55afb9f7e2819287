// Seeds LibTorch's generator before each test, because its default seed is another one in each process. Every
// test program with LibTorch contains this file.

#include <ATen/Context.h>
#include <gtest/gtest.h>

namespace molgauge::test {
namespace {

class SeededTests final : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& /*test*/) override { at::manual_seed(1); }
};

[[maybe_unused]] const bool kIsRegistered = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new SeededTests);
  return true;
}();

}  // namespace
}  // namespace molgauge::test
