#include "base/io/bytes/byte_source.h"

#include <array>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/io/bytes/gzip_source.h"
#include "base/io/bytes/line_reader.h"
#include "files.h"
#include "gzip.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;
using testing::HasSubstr;

std::string read_whole(const std::filesystem::path& path) {
  const auto source = open_byte_source(path.string());
  std::array<char, 7> piece;
  std::string text;
  while (const std::size_t count = source->read(piece)) {
    text.append(piece.data(), count);
  }
  return text;
}

std::size_t count_lines(const std::filesystem::path& path) {
  LineReader reader(path.string());
  while (reader.next()) {
  }
  return reader.line();
}

std::string many_lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "line " + std::to_string(i * 7919) + "\n";
  }
  return text;
}

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}
  std::size_t read(std::span<char> target) override {
    const std::size_t count = text_.copy(target.data(), std::min<std::size_t>(target.size(), 10));
    text_.erase(0, count);
    return count;
  }

 private:
  std::string text_;
};

std::size_t unpacked_within(const UnpackLimit& limit, const std::string& text) {
  const auto source = unpack_gzip(std::make_unique<TextSource>(test::gzip(text)), limit);
  std::array<char, 100> piece;
  std::size_t bytes = 0;
  while (const std::size_t count = source->read(piece)) {
    bytes += count;
  }
  return bytes;
}

TEST(ByteSource, GzipUnpacksWithinALimitAndItsRatio) {
  const std::string blanks(20'000, ' '), numbers = many_lines(3000);
  EXPECT_EQ(unpacked_within({.bytes = 20'000, .ratio = 1}, blanks), blanks.size());
  EXPECT_EQ(unpacked_within({.bytes = 100, .ratio = 50}, numbers), numbers.size());
  EXPECT_THAT(error_of([&] { unpacked_within({.bytes = 10'000, .ratio = 50}, blanks); }),
              testing::AllOf(HasSubstr("50 times"), HasSubstr("gunzip")));
}

TEST(ByteSource, GzipOfBlanksIsRefusedWhereItIsHeldWhole) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "blanks.json.gz";
  test::write_text(file, test::gzip(std::string(std::size_t{80} << 20, ' ')));
  EXPECT_THAT(error_of([&] { read_all(file.string()); }),
              testing::AllOf(HasSubstr(file.string()), HasSubstr("64.0 MiB")));
}

TEST(ByteSource, RecognisesGzipByItsContent) {
  const test::TemporaryFolder folder;
  test::write_text(folder / "plain.gz", "not packed");
  test::write_text(folder / "packed.txt", test::gzip("packed"));
  test::write_text(folder / "one", "1");
  test::write_text(folder / "none", "");
  EXPECT_EQ(read_whole(folder / "plain.gz"), "not packed");
  EXPECT_EQ(read_whole(folder / "packed.txt"), "packed");
  EXPECT_EQ(read_whole(folder / "one"), "1");
  EXPECT_EQ(read_whole(folder / "none"), "");
}

TEST(ByteSource, UnpacksSeveralMembersAndPadding) {
  const test::TemporaryFolder folder;
  test::write_text(folder / "x.gz",
                   test::gzip("first,") + test::gzip("") + test::gzip("second") + std::string(9, '\0'));
  EXPECT_EQ(read_whole(folder / "x.gz"), "first,second");
}

TEST(ByteSource, RefusesTruncatedGzipAtEveryByte) {
  const test::TemporaryFolder folder;
  const std::string packed = test::gzip(many_lines(20));
  for (std::size_t length = 2; length < packed.size(); ++length) {
    test::write_text(folder / "x.gz", packed.substr(0, length));
    EXPECT_THROW(read_whole(folder / "x.gz"), InputError) << length;
  }
}

TEST(ByteSource, RefusesDamagedGzipAndGarbageAfterIt) {
  const test::TemporaryFolder folder;
  std::string packed = test::gzip(many_lines(50));
  test::write_text(folder / "garbage.gz", packed + "garbage");
  EXPECT_THROW(read_whole(folder / "garbage.gz"), InputError);
  packed[packed.size() - 8] ^= 1;  // a byte of the checksum
  test::write_text(folder / "x.gz", packed);
  EXPECT_THAT(error_of([&] { read_whole(folder / "x.gz"); }), HasSubstr("damaged"));
}

TEST(ByteSource, RefusesMissingFilesAndFolders) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { open_byte_source((folder / "absent").string()); }),
              HasSubstr("absent: cannot read"));
  EXPECT_THAT(error_of([&] { open_byte_source(folder.path().string()); }), HasSubstr("folder"));
}

TEST(LineReader, NamesTheLineReachedInTruncatedGzip) {
  const test::TemporaryFolder folder;
  const std::string packed = test::gzip(many_lines(100'000));
  test::write_text(folder / "x.smi.gz", packed.substr(0, packed.size() / 2));
  const std::string text = error_of([&] { count_lines(folder / "x.smi.gz"); });
  EXPECT_THAT(text, HasSubstr("truncated"));
  const std::size_t colon = text.find("x.smi.gz:");
  ASSERT_NE(colon, std::string::npos) << text;
  EXPECT_GT(std::stoul(text.substr(colon + 9)), 1000u) << text;
}

TEST(LineReader, CountsLinesWithAndWithoutAnEndOfLine) {
  const test::TemporaryFolder folder;
  test::write_text(folder / "a", "x\n\ny");
  EXPECT_EQ(count_lines(folder / "a"), 3u);
  test::write_text(folder / "a", "x\ny\n");
  EXPECT_EQ(count_lines(folder / "a"), 2u);
  test::write_text(folder / "a", many_lines(100'000));
  EXPECT_EQ(count_lines(folder / "a"), 100'000u);
}

TEST(LineReader, RefusesLinesWithoutEnd) {
  const test::TemporaryFolder folder;
  test::write_text(folder / "a", "x\n" + std::string((64u << 20) + 1, 'C'));
  EXPECT_THAT(error_of([&] { count_lines(folder / "a"); }), HasSubstr("a:2: "));
}

TEST(ByteSource, AnEmptyPipeIsLeftWhenTheUserAsksToStop) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  std::thread user([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    request_cancellation();
  });
  EXPECT_THROW(open_byte_source("/dev/fd/" + std::to_string(ends[0])), Interrupted);
  user.join();
  request_cancellation(false);
  close(ends[0]);
  close(ends[1]);
}

TEST(ByteSource, AReadErrorNamesTheFile) {
  EXPECT_THAT(error_of([] { open_byte_source(std::string("/proc/self/mem")); }),
              HasSubstr("/proc/self/mem: cannot read"));
}

}  // namespace
}  // namespace molgauge::io
