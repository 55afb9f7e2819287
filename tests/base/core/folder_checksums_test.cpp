#include "base/core/files/folder_checksums.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "support/faulty_files.h"

namespace molgauge {
namespace {

using testing::HasSubstr;

constexpr const char* kList = "checksums.xxh128";

void overwrite(const std::filesystem::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

std::string refusal(const std::filesystem::path& file) {
  try {
    require_intact(file, "Train again");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// Returns damaged versions of the content of a file. Each version differs from the original.
std::vector<std::string> damages(const std::string& content) {
  std::vector<std::string> damaged = {"", "junk", content + "\n", content.substr(0, content.size() / 2)};
  for (const std::size_t place :
       {std::size_t{0}, content.size() / 3, content.size() / 2, content.size() - 1}) {
    for (const int bit : {0, 3, 7}) {
      damaged.push_back(content);
      damaged.back()[place] = static_cast<char>(damaged.back()[place] ^ (1 << bit));
    }
  }
  return damaged;
}

TEST(FolderChecksums, AFileThatDoesNotHoldWhatWasWrittenIsRefusedByName) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "model";
  const std::string content = "numbers and more numbers";
  keep_checksums(folder.path());
  replace_file(file, content);
  EXPECT_EQ(refusal(file), "");
  EXPECT_TRUE(damaged_files(folder.path()).empty());
  for (const std::string& damage : damages(content)) {
    overwrite(file, damage);
    EXPECT_THAT(refusal(file), testing::AllOf(HasSubstr(file.string()), HasSubstr("Train again"))) << damage;
    EXPECT_THAT(damaged_files(folder.path()), testing::ElementsAre(file));
  }
}

TEST(FolderChecksums, ADamagedListIsRefusedAndSaysWhatToDo) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "model", list = folder.path() / kList;
  keep_checksums(folder.path());
  replace_file(file, "numbers");
  const std::string content = read_file(list);
  for (const std::string& damage : damages(content)) {
    overwrite(list, damage);
    EXPECT_THAT(refusal(file), testing::AllOf(HasSubstr(list.string()), HasSubstr("remove this list")))
        << damage;
    EXPECT_THAT(damaged_files(folder.path()), testing::ElementsAre(list));
  }
  std::filesystem::remove(list);
  EXPECT_EQ(refusal(file), "");
}

TEST(FolderChecksums, AFileThatIsNotListedIsTakenAsItIsUntilItIsReplaced) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "model";
  replace_file(file, "old");
  keep_checksums(folder.path());
  overwrite(file, "changed");
  EXPECT_EQ(refusal(file), "");
  replace_file(file, "new");
  EXPECT_EQ(refusal(file), "");
  overwrite(file, "damage");
  EXPECT_NE(refusal(file), "");
}

TEST(FolderChecksums, DamageDoesNotBecomeAnAllowedContentByAWriteThatFails) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "model";
  keep_checksums(folder.path());
  replace_file(file, "whole");
  overwrite(file, "damage");
  test::FaultyFiles counted;
  std::size_t calls = 0;
  {
    const test::TemporaryFolder other;
    keep_checksums(other.path());
    const std::size_t before = counted.calls();
    replace_file(other.path() / "model", "next");
    calls = counted.calls() - before;
  }
  counted.arm(test::Fault::io_error, counted.calls() + calls - 2);  // this call renames the new file
  EXPECT_THROW(replace_file(file, "next"), Error);
  EXPECT_EQ(read_file(file), "damage");
  EXPECT_NE(refusal(file), "");
}

/// The output is a link into the folder that contains it. The link spells the folder name differently.
TEST(FolderChecksums, ALinkIntoItsOwnFolderByAnotherNameDoesNotWaitForItself) {
  const test::TemporaryFolder folder;
  const auto run = folder.path() / "run", link = run / "link", target = run / "target";
  std::filesystem::create_directory(run);
  std::filesystem::create_directory_symlink(run, folder.path() / "other-name");
  keep_checksums(run);
  replace_file(target, "old");
  std::filesystem::create_symlink(folder.path() / "other-name" / "." / "target", link);
  auto written = std::async(std::launch::async, [&] { replace_file(link, "new"); });
  if (written.wait_for(std::chrono::seconds(20)) != std::future_status::ready) {
    ADD_FAILURE() << "replace_file() waits for a lock that it holds itself";
    std::_Exit(EXIT_FAILURE);  // otherwise the thread would wait for ever
  }
  EXPECT_NO_THROW(written.get());
  EXPECT_EQ(read_file(target), "new");
  EXPECT_EQ(refusal(link), "");
  EXPECT_EQ(refusal(target), "");
  overwrite(target, "damage");
  EXPECT_NE(refusal(target), "");
}

TEST(FolderChecksums, NeverContradictTheFileWhateverCallFails) {
  const auto write = [](const auto& folder, const std::string& content) {
    keep_checksums(folder);
    replace_file(folder / "a.json", content);
  };
  const auto read = [](const auto& folder) {
    require_intact(folder / "a.json", "Train again");
    return std::filesystem::exists(folder / "a.json") ? read_file(folder / "a.json") : "absent";
  };
  test::expect_survives_every_fault({.prepare = [&](const auto& folder) { write(folder, "old"); },
                                     .write = [&](const auto& folder) { write(folder, "what is new"); },
                                     .read = read});
  test::expect_survives_every_fault(
      {.prepare = [](const auto& folder) { replace_file(folder / "a.json", "old"); },
       .write = [&](const auto& folder) { write(folder, "what is new"); },
       .read = read});
}

TEST(FolderChecksums, SurviveManyCrashesInARow) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "model";
  keep_checksums(folder.path());
  replace_file(file, "whole");
  for (std::size_t call = 0; call < 12; ++call) {
    try {
      test::FaultyFiles files;
      files.arm(test::Fault::crash, call);
      replace_file(file, "attempt " + std::to_string(call));
    } catch (const test::SimulatedCrash&) {
    }
    EXPECT_EQ(refusal(file), "") << "after a crash at call " << call;
  }
}

TEST(FolderChecksums, AFileThatIsReachedThroughALinkIsRecordedWhereverItIsListed) {
  const test::TemporaryFolder run, other;
  keep_checksums(run.path());
  replace_file(run.path() / "config", "old");
  std::filesystem::create_symlink(run.path() / "config", other.path() / "link");
  replace_file(other.path() / "link", "new");
  EXPECT_EQ(read_file(run.path() / "config"), "new");
  EXPECT_EQ(refusal(run.path() / "config"), "");
}

TEST(FolderChecksums, FilesThatAreGoneAreNoDamageAndAreForgotten) {
  const test::TemporaryFolder folder;
  keep_checksums(folder.path());
  replace_file(folder.path() / "gone", "1");
  std::filesystem::remove(folder.path() / "gone");
  EXPECT_TRUE(damaged_files(folder.path()).empty());
  replace_file(folder.path() / "kept", "2");
  EXPECT_THAT(read_file(folder.path() / kList), testing::Not(HasSubstr("gone")));
}

}  // namespace
}  // namespace molgauge
