#include "io/tensors/hdf5.h"

#include <gmock/gmock.h>

#include "files.h"
#include "support/fixtures.h"

namespace headroom::io {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Hdf5, RoundTrip) {
  const test::TemporaryFolder folder;
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  write_hdf5_features(folder / "a.h5", 3, numbers, {"CCO", "\xc3\xa9"}, "smiles");
  const Hdf5Features features = read_hdf5_features(folder / "a.h5", "smiles");
  EXPECT_EQ(features.columns, 3u);
  EXPECT_EQ(features.numbers, numbers);
  EXPECT_THAT(features.keys, ElementsAre("CCO", "\xc3\xa9"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Hdf5, KeysAndRowsMayBeAbsent) {
  const test::TemporaryFolder folder;
  write_hdf5_features(folder / "a.h5", 3, {}, {});
  const Hdf5Features features = read_hdf5_features(folder / "a.h5");
  EXPECT_EQ(features.columns, 3u);
  EXPECT_TRUE(features.numbers.empty());
  EXPECT_TRUE(features.keys.empty());
}

TEST(Hdf5, ErrorsAreOursAndSilent) {
  const test::TemporaryFolder folder;
  test::write_text(folder / "junk.h5", "no HDF5 at all");
  testing::internal::CaptureStderr();
  EXPECT_THAT(error_of([&] { read_hdf5_features(folder / "junk.h5"); }), HasSubstr("junk.h5: cannot read"));
  EXPECT_THAT(
      error_of<Error>([&] { write_hdf5_features(folder / "absent/a.h5", 1, std::vector<float>{1}, {}); }),
      HasSubstr("a.h5: cannot write"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Hdf5, RefusesRowsAndKeysThatDiffer) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(write_hdf5_features(folder / "a.h5", 2, std::vector<float>{1}, {}), Error);
  EXPECT_THROW(write_hdf5_features(folder / "a.h5", 1, std::vector<float>{1}, {"a", "b"}), Error);
}

}  // namespace
}  // namespace headroom::io
