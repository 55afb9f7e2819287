#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/output_file.h"
#include "support/faulty_files.h"

namespace molgauge {
namespace {

using test::Fault;
using test::FaultyFiles;
using test::Loss;

std::string read_if_there(const std::filesystem::path& path) {
  return std::filesystem::exists(path) ? read_file(path) : "absent";
}

void append(OutputFile& file, std::string_view text) { file.append(std::as_bytes(std::span(text))); }

test::Writing replacing(const std::string& before, const std::string& after) {
  return {.prepare =
              [=](const auto& folder) {
                if (!before.empty()) {
                  replace_file(folder / "a.json", before);
                }
              },
          .write = [=](const auto& folder) { replace_file(folder / "a.json", after); },
          .read = [](const auto& folder) { return read_if_there(folder / "a.json"); }};
}

TEST(FileFaults, AFileIsReplacedWholeOrNotAtAll) {
  test::expect_survives_every_fault(replacing("old content", "what is new"));
}

TEST(FileFaults, ANewFileIsThereWholeOrNotAtAll) {
  test::expect_survives_every_fault(replacing("", "what is new"));
}

TEST(FileFaults, AFileOfManyPiecesIsReplacedWholeOrNotAtAll) {
  test::expect_survives_every_fault(replacing("old", std::string(600'000, 'n')));
}

TEST(FileFaults, WhatIsNotSyncedIsTornByACrash) {
  const test::TemporaryFolder folder;
  FaultyFiles files;
  {
    OutputFile file(folder / "careless", "careless");
    append(file, "0123456789");
    file.finish();
  }
  ASSERT_EQ(read_file(folder / "careless"), "0123456789");
  files.lose(Loss::unsynced_data);
  EXPECT_EQ(read_file(folder / "careless"), "01234");
}

TEST(FileFaults, ARenameThatIsNotSyncedIsTakenBackByACrash) {
  const test::TemporaryFolder folder;
  replace_file(folder / "a", "old");
  FaultyFiles files;
  files.arm(Fault::crash, 5);  // the crash comes after create, write, close, sync and rename
  EXPECT_THROW(replace_file(folder / "a", "new"), test::SimulatedCrash);
  ASSERT_EQ(read_file(folder / "a"), "new");
  files.lose(Loss::unsynced_data_and_names);
  EXPECT_EQ(read_file(folder / "a"), "old");
}

TEST(OutputFile, GoesOnAfterAShortWriteAndOverwritesWhatIsWritten) {
  const test::TemporaryFolder folder;
  FaultyFiles files;
  files.arm(Fault::short_write, 0);
  OutputFile file(folder / "a", "a");
  append(file, "0123456789");
  const std::string header = "ab";
  file.overwrite(1, std::as_bytes(std::span(header)));
  append(file, std::string(300'000, 'x'));
  append(file, "end");
  file.finish();
  EXPECT_TRUE(files.struck());
  EXPECT_EQ(read_file(folder / "a"), "0ab3456789" + std::string(300'000, 'x') + "end");
}

}  // namespace
}  // namespace molgauge
