#include "base/core/files/input_descriptor.h"

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/cancellation.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

class NamedPipe : public testing::Test {
 protected:
  NamedPipe() { EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0); }
  ~NamedPipe() override { request_cancellation(false); }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "pipe";
};

TEST_F(NamedPipe, WithoutAWriterIsWaitedForUntilTheUserAsksToStop) {
  request_cancellation();
  EXPECT_THROW(open_for_reading(path_), Interrupted);
  EXPECT_THROW(read_input_file(path_), Interrupted);
}

TEST_F(NamedPipe, IsReadToItsEnd) {
  std::thread writer([this] {
    const int descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    for (const std::string_view part : {"one ", "two"}) {
      EXPECT_EQ(write(descriptor, part.data(), part.size()), static_cast<ssize_t>(part.size()));
    }
    close(descriptor);
  });
  EXPECT_EQ(read_input_file(path_), "one two");
  writer.join();
}

TEST(OpenForReading, SaysWhyAFileCannotBeOpened) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(open_for_reading(folder / "absent"), -1);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace molgauge
