#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "molecules/store/features/feature_store.h"
#include "raw_store.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Access kBoth[] = {Access::read, Access::write};

TEST(ForeignFolder, AnotherProgramsDatabaseIsRefused) {
  for (const char* database : {"", "theirs"}) {
    const TemporaryFolder folder;
    test::put_raw(folder.path(), database, "key", "value");
    for (const Access access : kBoth) {
      EXPECT_THAT(
          [&] { FeatureStore::open(folder.path(), access); },
          ThrowsMessage<InputError>(AllOf(HasSubstr(folder.path().string()), HasSubstr("another folder"))));
    }
  }
}

TEST(ForeignFolder, AFileThatIsNoDatabaseIsRefused) {
  const TemporaryFolder folder;
  replace_file(folder / "data.mdb", std::string(20000, 'x'));
  for (const Access access : kBoth) {
    EXPECT_THAT([&] { FeatureStore::open(folder.path(), access); },
                ThrowsMessage<InputError>(HasSubstr(folder.path().string())));
  }
  EXPECT_EQ(read_file(folder / "data.mdb"), std::string(20000, 'x'));
}

TEST(ForeignFolder, ANewerFormatIsRefused) {
  const TemporaryFolder folder;
  FeatureStore::open(folder.path(), Access::write);
  test::put_raw(folder.path(), "catalogue", "format", "2");
  for (const Access access : kBoth) {
    EXPECT_THAT([&] { FeatureStore::open(folder.path(), access); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("format 2"), HasSubstr("Update Molgauge"))));
  }
}

TEST(ForeignFolder, ADamagedCatalogueIsNamed) {
  const TemporaryFolder folder;
  const std::string name = database_name(test::space_of(4));
  test::write_rows(FeatureStore::open(folder.path(), Access::write).table(test::space_of(4)), 0, 1);
  test::put_raw(folder.path(), "catalogue", "space:" + name, "{\"encoder\":");
  const FeatureStore store = FeatureStore::open(folder.path(), Access::write);
  EXPECT_THAT([&] { store.table(test::space_of(4)); },
              ThrowsMessage<InputError>(AllOf(HasSubstr(folder.path().string()), HasSubstr(name))));
  EXPECT_THROW(store.report(), InputError);
}

TEST(ForeignFolder, ThatCannotBeWrittenIsNamed) {
  EXPECT_THAT([] { FeatureStore::open("/proc/molgauge-store", Access::write); },
              ThrowsMessage<Error>(HasSubstr("/proc/molgauge-store")));
  EXPECT_THAT([] { FeatureStore::open("/proc/self", Access::write); },
              ThrowsMessage<Error>(HasSubstr("/proc/self")));
}

TEST(ForeignFolder, ThatIsAFileIsNamed) {
  const TemporaryFolder folder;
  replace_file(folder / "file", "x");
  for (const Access access : kBoth) {
    EXPECT_THAT([&] { FeatureStore::open(folder / "file", access); },
                ThrowsMessage<Error>(HasSubstr((folder / "file").string())));
  }
}

}  // namespace
}  // namespace molgauge::store
