#include "base/core/files/home.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge {
namespace {

/// Sets an environment variable during the lifetime of the object.
class WithVariable {
 public:
  WithVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) {
      old_ = old;
      had_ = true;
    }
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  ~WithVariable() { had_ ? setenv(name_, old_.c_str(), 1) : unsetenv(name_); }
  WithVariable(const WithVariable&) = delete;
  WithVariable& operator=(const WithVariable&) = delete;

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

TEST(HomeFolder, IsWhatTheEnvironmentSays) {
  const WithVariable home("MOLGAUGE_HOME", "/data/molgauge");
  EXPECT_EQ(home_folder(), "/data/molgauge");
}

TEST(HomeFolder, IsInTheUsersCacheByDefault) {
  const WithVariable unset("MOLGAUGE_HOME", nullptr);
  const WithVariable user("HOME", "/home/somebody");
  EXPECT_EQ(home_folder(), "/home/somebody/.cache/molgauge");
}

TEST(TemporaryFolder, IsNamedIfItDoesNotExist) {
  {
    const WithVariable unset("TMPDIR", nullptr);
    EXPECT_EQ(temporary_folder(), "/tmp");
  }
  const WithVariable absent("TMPDIR", "/no/such/folder");
  try {
    temporary_folder();
    FAIL() << "the folder does not exist";
  } catch (const Error& problem) {
    EXPECT_EQ(std::string(problem.what()).find("/no/such/folder: is not a folder"), 0U) << problem.what();
  }
}

}  // namespace
}  // namespace molgauge
