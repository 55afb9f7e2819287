// Tests damaged results on the disk. The server writes them again or refuses the request, and never returns
// them with status 200.

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "served.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DamagedResults : public testing::Test {
 protected:
  void SetUp() override {
    job_ = served_.post("/api/v1/domain?job=1", many_molecules(100)).json().at("job");
    ASSERT_EQ(served_.finished(job_).at("state"), "done");
  }
  HttpAnswer result(const std::string& as) const {
    return served_.get("/api/v1/jobs/" + job_ + "/result?as=" + as);
  }
  fs::path file(const std::string& name) const {
    return fs::path(served_.path("work")) / "jobs" / job_ / name;
  }
  /// Truncates a file after the line in its middle.
  void halve(const std::string& name) const {
    const std::string text = read_file(file(name));
    fs::resize_file(file(name), text.find('\n', text.size() / 2) + 1);
  }
  void flip_a_bit(const std::string& name) const {
    std::string text = read_file(file(name));
    text[text.size() / 2] ^= 1;
    std::ofstream(file(name), std::ios::binary) << text;
  }
  void restart() {
    served_.end(SIGKILL);
    served_.start();
  }

  Served served_;
  std::string job_;
};

TEST_F(DamagedResults, ThatAreMadeOfTheRowsAreMadeAgain) {
  for (const auto& [as, name] : {std::pair("json", "rows.json"), std::pair("sdf", "result.sdf")}) {
    const std::string whole = result(as).body;
    halve(name);
    EXPECT_EQ(result(as).body, whole) << as;
    halve(name);
    restart();
    const HttpAnswer answer = result(as);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, whole) << as << " after a restart";
    flip_a_bit(name);
    EXPECT_EQ(result(as).body, whole) << as;
  }
}

TEST_F(DamagedResults, OfTheRowsAreRefused) {
  halve("rows.ndjson");
  for (const bool restarts : {false, true}) {
    if (restarts) {
      restart();
    }
    for (const char* const as : {"ndjson", "json", "sdf"}) {
      const HttpAnswer answer = result(as);
      EXPECT_EQ(answer.status, 500) << as;
      EXPECT_THAT(answer.body, HasSubstr("damaged"));
    }
    EXPECT_EQ(served_.get("/api/v1/jobs/" + job_ + "/result?from=0&count=10").status, 500);
  }
  EXPECT_EQ(result("csv").status, 200) << "this file is undamaged";
}

TEST_F(DamagedResults, ThatWereRemovedAreDamaged) {
  for (const char* const as : {"csv", "html"}) {
    ASSERT_TRUE(fs::remove(file(std::string("result.") + as)));
    const HttpAnswer answer = result(as);
    EXPECT_EQ(answer.status, 500) << as;
    EXPECT_THAT(answer.body, HasSubstr("is missing. Send the list again"));
  }
  EXPECT_EQ(result("json").status, 200);
}

TEST_F(DamagedResults, OfTheEngineAreRefused) {
  for (const auto& [as, name] : {std::pair("csv", "result.csv"), std::pair("html", "result.html")}) {
    EXPECT_EQ(result(as).status, 200);
    flip_a_bit(name);
    EXPECT_EQ(result(as).status, 500) << as;
    halve(name);
    restart();
    EXPECT_EQ(result(as).status, 500) << as;
  }
}

}  // namespace
}  // namespace molgauge::test
