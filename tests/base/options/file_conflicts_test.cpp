#include "base/options/file_conflicts.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/call_outputs.h"
#include "base/options/own_folder.h"
#include "base/options/tables.h"
#include "support/fixtures.h"

namespace molgauge::options {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

void write(const fs::path& file, const std::string& text = "content") { std::ofstream(file) << text; }

class FileConflicts : public testing::Test {
 protected:
  FileConflicts() {
    for (const char* const name : {"t.csv", "c.csv", "molecules.csv", "f.failed.csv"}) {
      write(folder_ / name);
    }
  }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  /// Returns the refusal of a call, or an empty text.
  template <typename Request>
  std::string refusal(const Request& request) const {
    try {
      require_no_conflicts(view(request));
    } catch (const UsageError& problem) {
      return problem.what();
    }
    return "";
  }

  DomainRequest domain(const std::string& out) const {
    DomainRequest request;
    request.training = at("t.csv");
    request.candidates = at("c.csv");
    request.out = at(out);
    request.store = at("store");
    return request;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(FileConflicts, NameTheOptionTheFileAndAWayOut) {
  EXPECT_EQ(refusal(domain("o.csv")), "");
  EXPECT_THAT(refusal(domain("t.csv")), AllOf(HasSubstr("--out " + at("t.csv")), HasSubstr("TRAIN"),
                                              HasSubstr("Name another file with --out")));
}

TEST_F(FileConflicts, TheFolderOfAnOutputMustExist) {
  EXPECT_THAT(refusal(domain("no/o.csv")),
              AllOf(HasSubstr("--out " + at("no/o.csv") + ": the folder " + at("no") + " does not exist"),
                    HasSubstr("Create it, or name another file with --out")));
  EXPECT_THAT(refusal(domain("t.csv/o.csv")), HasSubstr("the folder " + at("t.csv") + " is a file"));
  DomainRequest request = domain("store/o.csv");
  EXPECT_EQ(refusal(request), "") << "the same call creates the store";
  request.store = at("other");
  EXPECT_NE(refusal(request), "");
}

TEST_F(FileConflicts, AnOutputIsNotAFolder) {
  fs::create_directory(folder_ / "o.csv");
  EXPECT_THAT(refusal(domain("o.csv")), HasSubstr("--out " + at("o.csv") + ": is a folder. Name a file"));
}

TEST_F(FileConflicts, AreFoundInDerivedFiles) {
  DomainRequest request = domain("t.csv");
  fs::rename(folder_ / "t.csv", folder_ / "t.json");
  request.training = at("t.json");
  EXPECT_THAT(refusal(request), AllOf(HasSubstr("also writes " + at("t.json")), HasSubstr("TRAIN")));

  EncodeRequest encode;
  encode.molecules = at("f.failed.csv");
  encode.out = at("f.npy");
  EXPECT_THAT(refusal(encode), HasSubstr("also writes " + at("f.failed.csv")));
}

TEST_F(FileConflicts, AreFoundByAnyName) {
  fs::create_symlink("c.csv", folder_ / "l.csv");
  fs::create_hard_link(folder_ / "c.csv", folder_ / "h.csv");
  fs::create_directory_symlink(".", folder_ / "here");
  for (const char* const name : {"l.csv", "h.csv", "./no/../c.csv", "here/c.csv", "here/here/l.csv"}) {
    EXPECT_THAT(refusal(domain(name)), HasSubstr("CANDIDATES")) << name;
  }
  // A link to a missing file. Through it, an input would be created.
  fs::create_symlink("o.csv", folder_ / "later.csv");
  EXPECT_EQ(refusal(domain("later.csv")), "");
}

TEST_F(FileConflicts, AreFoundAmongOutputs) {
  DomainRequest request = domain("o.csv");
  request.compute.memory_trace = at("o.json");
  EXPECT_NE(refusal(request), "");
  request.compute.memory_trace = at("o.csv.parts/00000000.block");
  EXPECT_NE(refusal(request), "");
  request.compute.memory_trace = at("store/data.mdb");
  EXPECT_NE(refusal(request), "");
  request.compute.memory_trace = at("t.csv");
  EXPECT_THAT(refusal(request), HasSubstr("--memory-trace"));
  request.compute.memory_trace = at("o.trace");
  EXPECT_EQ(refusal(request), "");
  request.save = at("o.csv.parts");
  EXPECT_NE(refusal(request), "");
}

TEST_F(FileConflicts, AFolderOfOthersIsNotWritten) {
  DomainRequest request = domain("o.csv");
  fs::create_directory(folder_ / "mine");
  request.save = at("mine");
  EXPECT_EQ(refusal(request), "") << "an empty folder";
  fs::create_directory(folder_ / "mine" / "graphs");
  write(folder_ / "mine" / ".molecules.csv.4711-0f3a9c5e.tmp");
  EXPECT_EQ(refusal(request), "") << "a command that was killed before its first result";
  write(folder_ / "mine" / "molecules.csv");
  EXPECT_THAT(refusal(request), AllOf(HasSubstr("--save"), HasSubstr("It contains molecules.csv")));
  write(folder_ / "mine" / ".lock", "4711");
  EXPECT_EQ(refusal(request), "") << "files of an interrupted call";
  write(folder_ / "mine" / "notes.txt");
  EXPECT_THAT(refusal(request), HasSubstr("It contains notes.txt"));
  write(folder_ / "mine" / "domain-manifest.json", R"({"encoder_identity": "ecfp"})");
  EXPECT_EQ(refusal(request), "") << "a saved domain";
  request.save = at(".");
  EXPECT_THAT(refusal(request), HasSubstr("would write into the folder that holds TRAIN"));
}

TEST_F(FileConflicts, FilesOfASavedDomainAreProtected) {
  const fs::path saved = folder_ / "saved";
  fs::create_directory(saved);
  write(saved / "domain-manifest.json", R"({"encoder_identity": "ecfp"})");
  for (const char* const name : {"predictions.csv", "molecules.csv", "model_0000.pt", "model_0012.pt"}) {
    write(saved / name);
    fs::create_symlink(saved / name, folder_ / (std::string("to-") + name));
    for (const bool is_read : {true, false}) {
      DomainRequest request = domain("o.csv");
      request.training = is_read ? saved.string() : at("t.csv");
      EXPECT_EQ(refusal(request), "");
      for (const std::string& path : {std::string("saved/") + name, std::string("to-") + name}) {
        request.compute.memory_trace = at(path);
        EXPECT_THAT(refusal(request), HasSubstr("would replace a file")) << path;
      }
    }
    ScoreRequest score;
    score.run = saved.string();
    score.molecules = at("c.csv");
    score.out = at(std::string("saved/") + name);
    EXPECT_THAT(refusal(score), HasSubstr("would replace a file")) << name;
  }
  // The file in the domain is a link to the output.
  fs::remove(saved / "predictions.csv");
  fs::create_symlink("../elsewhere.csv", saved / "predictions.csv");
  write(folder_ / "elsewhere.csv");
  DomainRequest request = domain("elsewhere.csv");
  request.training = saved.string();
  EXPECT_THAT(refusal(request), HasSubstr("would replace a file"));
  request.out = at("saved/own.csv");
  EXPECT_EQ(refusal(request), "");
}

TEST_F(FileConflicts, FilesOfOthersInAFolderOfUnfinishedWorkAreNotTouched) {
  fs::create_directory(folder_ / "o.csv.parts");
  write(folder_ / "o.csv.parts" / "notes.txt");
  EXPECT_THAT(refusal(domain("o.csv")), HasSubstr("It contains notes.txt"));
  fs::remove(folder_ / "o.csv.parts" / "notes.txt");
  write(folder_ / "o.csv.parts" / ".lock", "4711");
  write(folder_ / "o.csv.parts" / "00000000.block");
  EXPECT_EQ(refusal(domain("o.csv")), "");
  write(folder_ / "o.csv.parts" / "notes.txt");
  remove_own_files(folder_ / "o.csv.parts", FolderKind::unfinished);
  EXPECT_TRUE(fs::exists(folder_ / "o.csv.parts" / "notes.txt"));
  EXPECT_FALSE(fs::exists(folder_ / "o.csv.parts" / "00000000.block"));
  fs::remove(folder_ / "o.csv.parts" / "notes.txt");
  remove_own_files(folder_ / "o.csv.parts", FolderKind::unfinished);
  EXPECT_FALSE(fs::exists(folder_ / "o.csv.parts"));
}

TEST_F(FileConflicts, AFolderThatIsReadKeepsItsFiles) {
  fs::create_directory(folder_ / "saved");
  write(folder_ / "saved" / "molecules.csv");
  write(folder_ / "saved" / "domain-manifest.json");
  DomainRequest request = domain("saved/molecules.csv");
  request.training = at("saved");
  EXPECT_THAT(refusal(request), HasSubstr("would replace a file in the folder that is read as TRAIN"));
  request.out = at("saved/result.csv");
  write(folder_ / "saved" / "result.csv");
  EXPECT_EQ(refusal(request), "") << "a result next to the files of the domain can be written again";

  PocketBuildRequest build;
  build.input = at(".");
  build.out = at(".");
  EXPECT_NE(refusal(build), "");
  build.out = at("set");
  EXPECT_EQ(refusal(build), "");
}

TEST_F(FileConflicts, AreFoundForFilesThatAnotherFileNames) {
  DomainRequest request = domain("o.csv");
  write(folder_ / "o.json");
  fs::create_hard_link(folder_ / "o.json", folder_ / "benchmark.json");
  EXPECT_EQ(refusal(request), "");
  EXPECT_NO_THROW(require_no_output(folder_ / "c.csv", "the benchmark"));
  EXPECT_THROW(require_no_output(folder_ / "benchmark.json", "the benchmark"), UsageError);
  EXPECT_THROW(require_no_output(folder_ / "no" / ".." / "o.html", "the benchmark"), UsageError);
  EXPECT_EQ(refusal(VerifyShardsRequest{at("shards")}), "") << "a later call without outputs";
  EXPECT_NO_THROW(require_no_output(folder_ / "benchmark.json", "the benchmark"));
}

TEST_F(FileConflicts, OfAListAreFoundInEachElement) {
  ExplainMemoryRequest request;
  request.file = at("a.pickle");
  request.other_ranks = {at("b.pickle"), at("c.csv")};
  request.page = at("c.csv");
  EXPECT_THAT(refusal(request), HasSubstr("OTHER-RANKS " + at("c.csv")));
  request.page = at("a.pickle");
  EXPECT_NE(refusal(request), "");
  request.page = at("page.html");
  EXPECT_EQ(refusal(request), "");
}

TEST_F(FileConflicts, ARepeatedCallIsNoConflict) {
  for (const char* const name : {"o.csv", "o.json", "o.html"}) {
    write(folder_ / name);
  }
  EXPECT_EQ(refusal(domain("o.csv")), "");
  ReportRequest report;
  report.folder = at("run");
  fs::create_directory(folder_ / "run");
  for (const char* const name : {"report.html", "report.md", "report.tex", "report.csv", "config.json"}) {
    write(folder_ / "run" / name);
  }
  EXPECT_EQ(refusal(report), "");
  report.out = at("run/config.json");
  EXPECT_NE(refusal(report), "");
}

TEST_F(FileConflicts, ARunFolderIsOurs) {
  TrainRequest request;
  request.benchmark = at("t.csv");
  request.run = at("run");
  EXPECT_EQ(refusal(request), "");
  fs::create_directory(folder_ / "run");
  write(folder_ / "run" / "config.json", R"({"name": "of another program"})");
  EXPECT_THAT(refusal(request), HasSubstr("It contains config.json"));
  write(folder_ / "run" / "config.json", R"({"foundation_model": "ecfp"})");
  EXPECT_EQ(refusal(request), "");
  write(folder_ / "run" / "benchmark.json");
  request.benchmark = at("run/benchmark.json");
  EXPECT_THAT(refusal(request), HasSubstr("would write into the folder that holds BENCHMARK"));
}

}  // namespace
}  // namespace molgauge::options
