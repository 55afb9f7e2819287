#include "base/io/tensors/hdf5.h"

#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/keyed_hdf5.h"
#include "files.h"
#include "support/fixtures.h"

namespace molgauge::io {
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

TEST(Hdf5, FilesOfEqualContentHaveEqualBytes) {
  const test::TemporaryFolder folder;
  const std::vector<float> numbers = {1, 2, 3};
  for (const std::string name : {"a", "b"}) {
    write_hdf5_features(folder / (name + ".h5"), 3, numbers, {"CCO"}, "smiles");
    write_hdf5_rows(folder / (name + "-rows.h5"), {{"ARG", numbers}});
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // time stamps have seconds
  }
  EXPECT_EQ(read_file(folder / "a.h5"), read_file(folder / "b.h5"));
  EXPECT_EQ(read_file(folder / "a-rows.h5"), read_file(folder / "b-rows.h5"));
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
  EXPECT_THAT(error_of([&] { read_hdf5_features(folder / "junk.h5"); }),
              HasSubstr("junk.h5: is not an HDF5 file"));
  EXPECT_THAT(
      error_of<Error>([&] { write_hdf5_features(folder / "absent/a.h5", 1, std::vector<float>{1}, {}); }),
      HasSubstr("a.h5: cannot write"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Hdf5, MessagesDoNotNameInternalsOfTheLibrary) {
  const test::TemporaryFolder folder;
  write_hdf5_features(folder / "a.h5", 3, std::vector<float>(30, 1), {}, "keys", {{"weights", "seed 7"}});
  const std::string whole = read_file(folder / "a.h5");
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 61) {
    const std::string damaged = whole.substr(0, bytes);
    test::write_text(folder / "b.h5", damaged);
    try {
      read_hdf5_features(folder / "b.h5");
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::AnyOf(HasSubstr("file is damaged"), HasSubstr("is not an HDF5 file"),
                                               HasSubstr("does not hold real numbers"),
                                               HasSubstr("another number of dimensions")));
    }
  }
}

TEST(Hdf5, DoesNotWaitForThePipeInPlaceOfAFile) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "a.h5").c_str(), 0600), 0);
  EXPECT_THAT(error_of([&] { read_hdf5_features(folder / "a.h5"); }), HasSubstr("regular file"));
}

TEST(Hdf5, RefusesRowsAndKeysThatDiffer) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(write_hdf5_features(folder / "a.h5", 2, std::vector<float>{1}, {}), Error);
  EXPECT_THROW(write_hdf5_features(folder / "a.h5", 1, std::vector<float>{1}, {"a", "b"}), Error);
}

}  // namespace
}  // namespace molgauge::io
