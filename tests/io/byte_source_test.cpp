#include "io/byte_source.h"

#include <array>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <unistd.h>

#include "core/cancellation.h"
#include "core/error.h"
#include "files.h"
#include "gzip.h"
#include "io/line_reader.h"
#include "support/fixtures.h"

namespace headroom::io {
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
  packed[packed.size() - 8] ^= 1;  // the checksum
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
  EXPECT_THAT(error_of([] { open_byte_source("/proc/self/mem"); }), HasSubstr("/proc/self/mem: cannot read"));
}

}  // namespace
}  // namespace headroom::io
