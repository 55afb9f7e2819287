#include "base/core/files/regular_file.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/checksum_list.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/session/log.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class RegularFile : public testing::Test {
 protected:
  RegularFile() {
    EXPECT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", folder_ / "zero");
    replace_file(folder_ / "file", "content");
    std::filesystem::create_symlink("file", folder_ / "link");
  }

  const test::TemporaryFolder folder_;
};

TEST_F(RegularFile, PipesAndDevicesAreRefused) {
  for (const char* const name : {"pipe", "zero"}) {
    EXPECT_THAT([&] { require_regular_file(folder_ / name); }, ThrowsMessage<InputError>(HasSubstr(name)));
    EXPECT_THAT([&] { read_file(folder_ / name); },
                ThrowsMessage<InputError>(HasSubstr("not a regular file")));
    EXPECT_EQ(checksum_of_content(folder_ / name), std::nullopt);
    EXPECT_THROW(require_intact(folder_ / name, "make it again"), InputError);
    LogFile log;
    EXPECT_THROW(log.open(folder_ / name), InputError);
  }
  EXPECT_THROW(require_regular_file(folder_.path()), InputError);
}

TEST_F(RegularFile, FilesLinksAndMissingFilesPass) {
  EXPECT_NO_THROW(require_regular_file(folder_ / "file"));
  EXPECT_NO_THROW(require_regular_file(folder_ / "link"));
  EXPECT_NO_THROW(require_regular_file(folder_ / "none"));
  EXPECT_EQ(read_file(folder_ / "link"), "content");
}

TEST_F(RegularFile, SizesAreLimited) {
  EXPECT_NO_THROW(require_regular_file(folder_ / "file", 7));
  EXPECT_THAT([&] { require_regular_file(folder_ / "file", 6); },
              ThrowsMessage<InputError>(HasSubstr("is damaged")));
  std::filesystem::resize_file(folder_ / "file", kLargestOwnFile + 1);  // the file is sparse, so it takes no
                                                                        // space on the disk
  EXPECT_THROW(read_file(folder_ / "file"), InputError);
}

}  // namespace
}  // namespace molgauge
