// Tests jobs and results on disks that fail, fill up or lose unsynced data. The tests repeat the work with a
// fault at each call that writes.

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "molgauge/engine.h"
#include "server/job.h"
#include "server/job_store.h"
#include "server/metrics.h"
#include "server/results.h"
#include "support/faulty_files.h"
#include "support/fixtures.h"

namespace molgauge::serve {
namespace {

namespace fs = std::filesystem;

const std::string kId = "0123456789abcdef0123456789abcdef";

JobOrder order() {
  return {.task = JobOrder::Task::domain, .model = "small", .input = "input.smi", .molecules = 40};
}

std::string rows(int first, int count) {
  std::string text;
  for (int row = first; row < first + count; ++row) {
    text += R"({"row":)" + std::to_string(row) + R"(,"name":"a","smiles":"CCO","verdict":"inside"})" + "\n";
  }
  return text;
}

/// Returns the state of the job after a server has started with the folder.
std::string state_of(const fs::path& folder) {
  if (!fs::exists(folder / "job.json")) {
    return "no job";
  }
  require_intact(folder / "job.json", "");
  const Job job(kId, folder, read_job_order(folder / "job.json"));
  if (!job.is_finished()) {
    return "unfinished";  // the work starts again
  }
  job.require_intact_rows();
  return to_string(job.status()) + " " + job.slice(0, 100) + job.summary();
}

TEST(JobFaults, AResultIsWholeOrTheJobIsUnfinished) {
  const auto prepare = [](const fs::path& folder) {
    keep_checksums(folder);
    replace_file(folder / "job.json", to_json(order()));
  };
  const auto write = [](const fs::path& folder) {
    Job job(kId, folder, read_job_order(folder / "job.json"));
    job.clear_rows();
    job.append_rows(rows(0, 20));
    job.append_rows(rows(20, 20));
    job.finish(R"({"model":"small"})");
  };
  test::expect_survives_every_fault({prepare, write, state_of});
}

/// An encoding continues after the existing rows.
TEST(JobFaults, RowsOfAnEncodingAreNeverTorn) {
  const auto prepare = [](const fs::path& folder) {
    RowLog log(folder / "rows.ndjson");
    log.append(rows(0, 3));
  };
  const auto write = [](const fs::path& folder) {
    RowLog log(folder / "rows.ndjson");
    if (log.rows() < 6) {
      log.append(rows(static_cast<int>(log.rows()), 6 - static_cast<int>(log.rows())));
    }
    log.seal();
  };
  const auto read = [](const fs::path& folder) { return RowLog(folder / "rows.ndjson").slice(0, 100).lines; };
  std::vector<std::string> beginnings;
  for (int count = 0; count < 6; ++count) {
    beginnings.push_back(rows(0, count));
  }
  test::expect_survives_every_fault({prepare, write, read}, beginnings);
}

TEST(JobFaults, AJobIsMadeAsAWholeOrNotAtAll) {
  // The store folder is prepared without faults, because a running server has already made it.
  const auto prepare = [](const fs::path& folder) { const JobStore store(folder / "work", 24); };
  const auto write = [](const fs::path& folder) {
    const auto jobs = folder / "work" / "jobs";
    if (fs::is_empty(jobs)) {
      JobStore store(folder / "work", 24);
      Body body(std::string("CCO\nCCN\n"));
      store.create(order(), body);
    }
  };
  const auto read = [](const fs::path& folder) {
    std::string found;
    for (const auto& entry : fs::directory_iterator(folder / "work" / "jobs")) {
      if (entry.path().filename().string().front() != '.') {
        found += state_of(entry.path()) + read_file(entry.path() / "input.smi");
      }
    }
    return found;
  };
  const test::TemporaryFolder undisturbed;
  prepare(undisturbed.path());
  write(undisturbed.path());
  const std::string after = read(undisturbed.path());
  ASSERT_EQ(after, "unfinishedCCO\nCCN\n");
  for (const test::Fault fault : {test::Fault::io_error, test::Fault::full_disk, test::Fault::crash}) {
    for (std::size_t call = 0; call < 60; ++call) {
      const test::TemporaryFolder folder;
      prepare(folder.path());
      bool struck = false, failed = false;
      {
        test::FaultyFiles files;
        files.arm(fault, call);
        try {
          write(folder.path());
        } catch (const test::SimulatedCrash&) {
        } catch (const Error&) {
          failed = true;
        }
        struck = files.struck();
      }
      const std::string found = read(folder.path());
      EXPECT_TRUE(found.empty() || found == after) << "call " << call << ": " << found;
      if (failed) {
        // The folder of a refused job is removed.
        EXPECT_TRUE(fs::is_empty(folder / "work" / "jobs")) << "call " << call;
      }
      // The next server removes only the files that a crash left.
      { const JobStore store(folder / "work", 24); }
      for (const auto& entry : fs::directory_iterator(folder / "work" / "jobs")) {
        EXPECT_NE(entry.path().filename().string().front(), '.') << entry.path();
      }
      if (!struck) {
        break;
      }
    }
  }
}

TEST(RowLogs, CutOffPartOfARowWhenTheyGoOn) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "rows.ndjson";
  replace_file(file, rows(0, 2) + "{\"row\":2,\"na");
  {
    const RowLog log(file);
    EXPECT_EQ(log.rows(), 2U);
    EXPECT_EQ(read_file(file), rows(0, 2) + "{\"row\":2,\"na") << "reading changes nothing";
  }
  RowLog log(file);
  log.append("{}\n");
  EXPECT_EQ(read_file(file), rows(0, 2) + "{}\n");
  const RowLog::Seal seal = log.seal();
  EXPECT_EQ(seal.rows, 3U);
  EXPECT_EQ(difference_from(seal, file), "");
  replace_file(file, rows(0, 2) + "[]\n");
  EXPECT_NE(difference_from(seal, file), "");
}

TEST(RowLogs, GiveSlicesOfBoundedSize) {
  const test::TemporaryFolder folder;
  RowLog log(folder / "rows.ndjson");
  const std::string line = std::string(std::size_t{1} << 20, 'x') + "\n";
  for (int i = 0; i < 40; ++i) {
    log.append(line);
  }
  std::size_t next = 0, pieces = 0;
  while (next < 40) {
    const RowLog::Slice slice = log.slice(next, 1000);
    EXPECT_LE(slice.lines.size(), std::size_t{17} << 20);
    ASSERT_GT(slice.next, next);
    EXPECT_EQ(slice.lines.size(), (slice.next - next) * line.size());
    next = slice.next;
    ++pieces;
  }
  EXPECT_GE(pieces, 3U);
  log.append(std::string(std::size_t{20} << 20, 'y') + "\n");
  EXPECT_EQ(log.slice(40, 10).next, 41U) << "one row that is longer than a slice";
}

TEST(JobAge, IsThatOfTheClockOfTheBoot) {
  const Moment then{"boot", 100, 1e9};
  EXPECT_EQ(seconds_between(then, {"boot", 160, 9e9}), 60) << "the time of day was set";
  EXPECT_EQ(seconds_between(then, {"other", 10, 1e9 + 500}), 500);
  EXPECT_EQ(seconds_between(then, {"other", 10, 0}), 0);
}

}  // namespace
}  // namespace molgauge::serve
