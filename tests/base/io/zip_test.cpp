#include "base/io/bytes/zip.h"

#include <gmock/gmock.h>

#include "base/io/bytes/zip_writer.h"
#include "damage.h"
#include "files.h"
#include "hand_made_zip.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;
using test::make_zip;

ZipArchive open_bytes(std::vector<std::byte> bytes, const ZipLimits& limits = {}) {
  return ZipArchive(random_access_in_memory("x.zip", std::move(bytes)), limits);
}

ZipArchive open_text(const std::string& text, const ZipLimits& limits = {}) {
  return open_bytes(test::bytes_of(text), limits);
}

void read_everything(std::vector<std::byte> bytes) {
  const ZipArchive archive = open_bytes(std::move(bytes));
  for (const std::string& name : archive.names()) {
    archive.read(name);
  }
}

TEST(Crc32, MatchesTheStandardCheckValue) {
  EXPECT_EQ(crc32(test::bytes_of("123456789")), 0xcbf43926u);
  EXPECT_EQ(crc32({}), 0u);
  EXPECT_EQ(crc32(test::bytes_of("56789"), crc32(test::bytes_of("1234"))), 0xcbf43926u);
}

TEST(Zip, ReadsStoredEntries) {
  const ZipArchive archive = open_text(make_zip({{"b", "second"}, {"a", "first"}}));
  EXPECT_THAT(archive.names(), testing::ElementsAre("a", "b"));
  EXPECT_EQ(archive.read("b"), test::bytes_of("second"));
  EXPECT_TRUE(archive.contains("a"));
  EXPECT_FALSE(archive.contains("c"));
  EXPECT_THAT(error_of([&] { archive.read("c"); }), testing::HasSubstr("no entry named c"));
}

TEST(Zip, ReadsDeflatedEntries) {
  const ZipArchive archive(test::own_data("io/arrays.npz"));
  EXPECT_EQ(archive.read("zeros.npy").size(), archive.size("zeros.npy"));
}

TEST(Zip, RefusesDamageAndMalice) {
  EXPECT_THAT(error_of([] {
                open_text(make_zip({{"a", "x"}, {"a", "y"}}));
              }),
              testing::HasSubstr("two entries"));
  EXPECT_THAT(error_of([] {
                open_text(make_zip({{"a", "x"}, {"b", "y"}}, true));
              }),
              testing::HasSubstr("another name"));
  EXPECT_THAT(error_of([] { open_text(make_zip({{"a", "x", 0, 1}})); }), testing::HasSubstr("encrypted"));
  EXPECT_THAT(error_of([] {
                open_text(make_zip({{"a", "x", 8, 0, 100'000'000}}));
              }),
              testing::HasSubstr("claims to unpack"));
  EXPECT_THAT(error_of([] {
                open_text(make_zip({{"a", "x", 0, 0, 2}}));
              }),
              testing::HasSubstr("claims to unpack"));
  EXPECT_THAT(error_of([] {
                open_text(make_zip({{"a", "x", 0, 0, 1, 7}})).read("a");
              }),
              testing::HasSubstr("checksum"));
  EXPECT_THAT(error_of([] {
                open_text(make_zip({{"a", "x", 12}})).read("a");
              }),
              testing::HasSubstr("method 12"));
  EXPECT_THAT(error_of([] {
                open_text(make_zip({{"a", "four"}}), {10, 3});
              }),
              testing::HasSubstr("more than"));
  EXPECT_THAT(error_of([] {
                open_text(make_zip({{"a", ""}, {"b", ""}}), {1, 3});
              }),
              testing::HasSubstr("entries"));
}

// The ratio is possible with deflate, but is far above the ratio of files with numbers.
TEST(Zip, RefusesPackedEntriesThatWouldFillTheMemory) {
  constexpr std::uint32_t kMiB = 1 << 20;
  const auto bomb = [](const std::string& name, std::size_t packed, std::uint32_t claimed) {
    return test::StoredEntry{name, std::string(packed, 'x'), 8, 0, claimed};
  };
  const std::string refusal = error_of([&] { open_text(make_zip({bomb("a/data/0", kMiB, 1000 * kMiB)})); });
  EXPECT_THAT(refusal, testing::HasSubstr("x.zip"));
  EXPECT_THAT(refusal, testing::HasSubstr("unpack to 1000 MiB"));
  EXPECT_THAT(refusal, testing::HasSubstr("without compression"));
  EXPECT_THAT(error_of([&] {
                open_text(make_zip({bomb("a", kMiB / 20, 40 * kMiB), bomb("b", kMiB / 20, 40 * kMiB)}));
              }),
              testing::HasSubstr("unpack to 80.0 MiB"))
      << "together";
  EXPECT_NO_THROW(open_text(make_zip({bomb("a", kMiB / 20, 40 * kMiB)}))) << "little";
  EXPECT_NO_THROW(open_text(make_zip({bomb("a", 2 * kMiB, 90 * kMiB)}))) << "as files of numbers are";
}

// One entry in the directory of the archive points to a header inside the data of another entry.
TEST(Zip, RefusesAnEntryInsideAnother) {
  const std::string inner = make_zip({{"b", "y"}});
  const std::string inner_header = inner.substr(0, 32);
  std::string file = make_zip({{"a", inner_header}, {"b", "y"}});
  const std::size_t b_entry = file.rfind("PK\x01\x02");
  const std::size_t inside = file.find(inner_header);
  file[b_entry + 42] = static_cast<char>(inside);
  EXPECT_THAT(error_of([&] { open_text(file); }), testing::HasSubstr("overlap"));
}

TEST(Zip, SurvivesDamage) {
  const auto packed = test::bytes_of_file(test::own_data("io/arrays.npz"));
  test::expect_refused_when_truncated(packed, read_everything);
  EXPECT_GT(test::expect_survives_bit_flips(packed, read_everything), packed.size());
}

/// Sizes and offsets above a limit are written as zip64. A low limit makes all of them zip64.
TEST(Zip, ReadsWhatIsWrittenAsZip64) {
  const test::TemporaryFolder folder;
  for (const std::uint64_t largest : {std::uint64_t{1}, std::uint64_t{40}, std::uint64_t{1} << 32}) {
    ZipWriter writer(folder / "a.zip", largest);
    writer.add("first", test::bytes_of(std::string(50, 'a')));
    writer.begin("second", 6);
    writer.append(test::bytes_of("sec"));
    writer.append(test::bytes_of("ond"));
    writer.end();
    writer.finish();
    const ZipArchive archive(folder / "a.zip");
    EXPECT_THAT(archive.names(), testing::ElementsAre("first", "second"));
    EXPECT_EQ(archive.read("first"), test::bytes_of(std::string(50, 'a')));
    EXPECT_EQ(archive.read("second"), test::bytes_of("second"));
  }
  ZipWriter writer(folder / "b.zip");
  writer.begin("short", 6);
  writer.append(test::bytes_of("five5"));
  EXPECT_THAT(error_of<Error>([&] { writer.end(); }), testing::HasSubstr("6 were announced"));
}

TEST(Zip, RefusesMissingFilesAndFolders) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { ZipArchive(folder / "absent.zip"); }), testing::HasSubstr("absent.zip"));
  EXPECT_THAT(error_of([&] { ZipArchive{folder.path()}; }), testing::HasSubstr("folder"));
}

}  // namespace
}  // namespace molgauge::io
