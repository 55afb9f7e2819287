// Tests how a store opens after an orderly end and after any other end. After an orderly end, its trees count
// as complete.

#include "molecules/store/lmdb/clean_end.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "child_process.h"
#include "molecules/store/features/feature_store.h"
#include "molecules/store/lmdb/lmdb_pages.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

constexpr std::size_t kWidth = 512, kRows = 2000, kPage = 4096;

class CleanEnd : public testing::Test {
 protected:
  void SetUp() override { write(0); }

  std::filesystem::path file() const { return folder_ / "data.mdb"; }
  void write(std::size_t first) const {
    const FeatureStore store = FeatureStore::open(folder_.path(), Access::write);
    test::write_rows(store.table(test::space_of(kWidth)), first, kRows);
  }
  void open(Access access = Access::read) const { FeatureStore::open(folder_.path(), access); }

  /// Damages the last leaf of the file. It belongs to the tree of the rows, which opening the store does not
  /// read.
  void damage() const {
    std::string bytes = read_file(file());
    for (std::size_t page = bytes.size() / kPage; page-- > 0;) {
      auto header = pages::load<pages::Header>(std::as_bytes(std::span(bytes)), page * kPage);
      if (header.number == page && header.flags == pages::kLeaf && header.lower > 100) {
        std::fstream stream(file(), std::ios::binary | std::ios::in | std::ios::out);
        stream.seekp(static_cast<std::streamoff>(page * kPage + offsetof(pages::Header, flags)));
        stream.put('\x40');
        return;
      }
    }
    FAIL() << "there is no leaf to damage";
  }

  /// Like damage(), but as a disk with flipped bits would do it. The modification time of the file does not
  /// change.
  void damage_unseen() const {
    struct stat before {};
    ASSERT_EQ(stat(file().c_str(), &before), 0);
    damage();
    const timespec times[] = {before.st_atim, before.st_mtim};
    ASSERT_EQ(utimensat(AT_FDCWD, file().c_str(), times, 0), 0);
  }

  molgauge::test::TemporaryFolder folder_;
};

TEST_F(CleanEnd, TreesAreNotLookedAtAfterAnOrderlyEnd) {
  damage_unseen();
  EXPECT_NO_THROW(open());
}

TEST_F(CleanEnd, VerifyLooksAtThemInAnyCase) {
  damage_unseen();
  EXPECT_THROW(FeatureStore::open(folder_.path(), Access::read).verify(), InputError);
}

TEST_F(CleanEnd, AChangeOfTheFileIsSeen) {
  damage();
  EXPECT_THROW(open(), InputError);
}

TEST_F(CleanEnd, ACopyIsLookedAt) {
  const molgauge::test::TemporaryFolder elsewhere;
  std::filesystem::copy(folder_.path(), elsewhere.path(), std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(folder_.path());
  std::filesystem::copy(elsewhere.path(), folder_.path(), std::filesystem::copy_options::recursive);
  damage_unseen();
  EXPECT_THROW(open(), InputError);
}

TEST_F(CleanEnd, AWriterThatWasKilledIsNoOrderlyEnd) {
  ASSERT_EQ(test::run_in_child([&] {
              const FeatureStore store = FeatureStore::open(folder_.path(), Access::write);
              test::write_rows(store.table(test::space_of(kWidth)), kRows, 5);
              std::_Exit(0);
              return true;
            }),
            "exit 0");
  damage_unseen();
  EXPECT_THROW(open(), InputError);
}

TEST_F(CleanEnd, TheNextWriterNotesItAgain) {
  write(kRows);
  damage_unseen();
  EXPECT_NO_THROW(open());
}

TEST_F(CleanEnd, ANoteThatIsNoneHasNoEffect) {
  for (const char* const note : {"", "1", "1 transaction 2 bytes 3 changed 4.5", "\xff\xfe\n\n"}) {
    std::ofstream(folder_ / "checked", std::ios::binary | std::ios::trunc) << note;
    EXPECT_FALSE(ended_cleanly(folder_.path(), 2)) << note;
    EXPECT_NO_THROW(open()) << note;
  }
}

}  // namespace
}  // namespace molgauge::store
