#include "molecules/experiments/matrix/matrix.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/core/session/progress.h"
#include "base/core/threads/worker_group.h"
#include "molecules/experiments/matrix/tables.h"

namespace molgauge::matrix {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIdentityFile = "identity.txt";

/// Whether a file of the run or of its checkpoints has changed since it was written. Logs the names.
bool is_damaged(const fs::path& run) {
  auto damaged = damaged_files(run);
  const auto checkpoints = damaged_files(run / "checkpoints");
  damaged.insert(damaged.end(), checkpoints.begin(), checkpoints.end());
  for (const fs::path& file : damaged) {
    log_warning("{}: is damaged. The run is computed again", file.string());
  }
  return !damaged.empty();
}

/// Prepares a folder for the cell. Removes all its files if one of them is damaged, or if they belong to a
/// cell with other options or another benchmark.
void prepare_folder(const fs::path& folder, const std::string& identity) {
  const fs::path mark = folder / kIdentityFile;
  if (fs::exists(folder) && (!(fs::exists(mark) && read_file(mark) == identity) || is_damaged(folder))) {
    fs::remove_all(folder);
  }
  make_folder(folder);
  keep_checksums(folder);
  replace_file(mark, identity);
}

/// The earlier result of the cell, if it finished with the same identity and its files are intact.
std::optional<EndedCell> finished_before(const Cell& cell, const std::string& identity,
                                         const fs::path& matrix) {
  const fs::path folder = matrix / cell.folder();
  auto earlier = read_cell(folder);
  const bool is_finished = earlier && earlier->result && earlier->identity == identity;
  return is_finished && damaged_files(folder).empty() ? std::move(earlier) : std::nullopt;
}

EndedCell run_cell(const Cell& cell, const std::string& identity, CellRunner& runner,
                   const fs::path& folder) {
  EndedCell ended;
  ended.identity = identity;
  try {
    prepare_folder(folder, identity);
    ended.result = runner.run(cell, folder);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& failure) {
    ended.error = failure.what();
    const auto* const error = dynamic_cast<const Error*>(&failure);
    ended.over_budget = error != nullptr && error->code() == ExitCode::over_budget;
    log_error("{}: {}", folder.string(), failure.what());
  }
  make_folder(folder);
  write_cell(folder, ended);
  return ended;
}

}  // namespace

std::vector<Cell> unfinished_cells(const std::vector<Cell>& cells, CellRunner& runner,
                                   const std::filesystem::path& folder) {
  std::vector<Cell> missing;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(missing),
               [&](const Cell& cell) { return !finished_before(cell, runner.identity(cell), folder); });
  return missing;
}

std::vector<CellOutcome> run_matrix(const std::vector<Cell>& cells, CellRunner& runner,
                                    const MatrixOptions& options) {
  std::vector<CellOutcome> outcomes(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    outcomes[i].cell = cells[i];
    outcomes[i].ended.identity = runner.identity(cells[i]);
  }
  make_folder(options.folder);
  keep_checksums(options.folder);
  write_plan(options.folder, outcomes);
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (const auto earlier = finished_before(cells[i], outcomes[i].ended.identity, options.folder)) {
      outcomes[i].ended = *earlier;
      outcomes[i].found = true;
    } else {
      missing.push_back(i);
    }
  }
  std::vector<Cell> to_run;
  to_run.reserve(missing.size());
  for (const std::size_t i : missing) {
    to_run.push_back(cells[i]);
  }
  runner.prepare(to_run, std::min(options.jobs, to_run.size()));
  Progress progress("experiment", "run", missing.size(), options.quiet);
  parallel_for(missing.size(), options.jobs, [&](std::size_t next) {
    throw_if_cancelled();
    CellOutcome& outcome = outcomes[missing[next]];
    outcome.ended =
        run_cell(outcome.cell, outcome.ended.identity, runner, options.folder / outcome.cell.folder());
    progress.advance(1);
  });
  return outcomes;
}

}  // namespace molgauge::matrix
