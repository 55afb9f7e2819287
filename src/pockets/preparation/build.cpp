#include "pockets/preparation/build.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/watched_inputs.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/progress.h"
#include "base/core/text/duration.h"
#include "base/core/threads/worker_group.h"
#include "base/io/tables/csv_writer.h"
#include "molgauge/pocket_build.h"
#include "pockets/graphs/graph_set_writer.h"
#include "pockets/graphs/manifest.h"
#include "pockets/preparation/input_files.h"
#include "pockets/preparation/pocket_source.h"
#include "pockets/preparation/size_filter.h"

namespace molgauge::pocket {
namespace {

/// An option, whether the user has set it, and the kinds of input that it applies to.
struct Given {
  const char* name;
  bool is_given, is_for_amber, is_for_structures, is_for_graphs;
};

/// Throws UsageError if the request sets an option that has no effect for input of this kind.
void require_fitting_options(PocketInput kind, const PocketBuildRequest& request) {
  const PocketBuildRequest defaults;
  const auto options = std::to_array<Given>({
      {"distance-cutoff", request.distance_cutoff != defaults.distance_cutoff, true, true, false},
      {"reference-compatible", request.reference_compatible, true, true, false},
      {"pocket-cutoff", request.pocket_cutoff != defaults.pocket_cutoff, false, true, false},
      {"force-field", !request.force_field.empty(), false, true, false},
      {"ligand", !request.ligand.empty(), false, true, false},
      {"hariboss-csv", !request.hariboss_csv.empty(), false, true, false},
      {"normalization", !request.normalization.empty(), false, false, true},
  });
  for (const Given& option : options) {
    const bool fits = kind == PocketInput::amber        ? option.is_for_amber
                      : kind == PocketInput::structures ? option.is_for_structures
                                                        : option.is_for_graphs;
    if (option.is_given && !fits) {
      const char* const what = kind == PocketInput::amber        ? "AMBER topologies"
                               : kind == PocketInput::structures ? "structures"
                                                                 : "graphs of the Python project";
      throw UsageError("--" + std::string(option.name) + " has no effect: " + request.input + " holds " +
                       what);
    }
  }
}

constexpr const char* kFailedFile = "failed_graph_construction.csv";
constexpr const char* kRemovedFile = "removed_samples.csv";
constexpr std::size_t kFailuresReported = 1000;
constexpr const char* kNoMemory =
    "the machine has not enough memory. Run fewer programs at the same time, or raise ulimit -v";

std::unique_ptr<PocketSource> open_source(const PocketBuildRequest& request) {
  const InputFiles input = find_input(request.input, request.from);
  require_fitting_options(input.kind, request);
  switch (input.kind) {
    case PocketInput::amber:
      return open_amber_pockets(input.files, request);
    case PocketInput::graphs:
      return open_python_graphs(input.files, request);
    case PocketInput::structures:
      break;
  }
  return open_structure_pockets(input.files, request);
}

void remove_file(const std::filesystem::path& file) {
  std::error_code failure;
  std::filesystem::remove(file, failure);
  if (failure) {
    throw system_error(file.string(), "remove", failure.value());
  }
}

class Build {
 public:
  Build(const PocketBuildRequest& request, const PocketSource& source)
      : request_(request),
        source_(source),
        out_(request.out),
        writer_(out_, source.origin()),
        progress_("pockets", "file", source.items(), request.quiet) {}

  PocketBuildReport run() {
    const Stopwatch watch;
    const std::size_t threads = request_.threads == 0 ? available_processors() : request_.threads;
    parallel_for(source_.items(), threads, [&](std::size_t item) {
      throw_if_cancelled();
      make_item(item);
      progress_.advance(1);
    });
    make_again();
    progress_.finish();
    leave_out_large();
    list_failures();
    require_graphs();
    writer_.commit();
    for (const GraphEntry& graph : graphs_) {
      count(graph.counts);
    }
    report_.manifest = (out_ / kManifestFile).string();
    report_.seconds = watch.seconds();
    return std::move(report_);
  }

 private:
  void make_item(std::size_t item) {
    std::vector<PlannedPocket> planned;
    try {
      planned = source_.plan(item);
    } catch (const ChangedInput&) {
      throw;
    } catch (const InputError& failure) {
      note_failure(source_.name_of(item), failure.what());
      return;
    } catch (const std::bad_alloc&) {
      note_failure(source_.name_of(item), kNoMemory);
      return;
    }
    for (PlannedPocket& pocket : planned) {
      throw_if_cancelled();
      try {
        make(pocket);
      } catch (const ChangedInput&) {
        throw;
      } catch (const InputError& failure) {
        note_failure(pocket.name, failure.what());
      } catch (const std::bad_alloc&) {
        const std::lock_guard lock(mutex_);
        without_memory_.push_back(std::move(pocket));
      }
    }
  }

  /// Repeats the pockets that ran out of memory, one at a time. They may have failed only because a large
  /// pocket was processed at the same time.
  void make_again() {
    for (const PlannedPocket& pocket : std::exchange(without_memory_, {})) {
      throw_if_cancelled();
      try {
        make(pocket);
      } catch (const ChangedInput&) {
        throw;
      } catch (const InputError& failure) {
        note_failure(pocket.name, failure.what());
      } catch (const std::bad_alloc&) {
        note_failure(pocket.name, kNoMemory);
      }
    }
  }

  void make(const PlannedPocket& pocket) {
    if (const auto entry = writer_.take_over(pocket.name, pocket.made_from)) {
      note(*entry, report_.taken_over);
      return;
    }
    note(writer_.add(pocket.name, pocket.made_from, pocket.make()), report_.built);
  }

  void note(const GraphEntry& entry, std::size_t& counter) {
    const std::lock_guard lock(mutex_);
    graphs_.push_back(entry);
    ++report_.pockets;
    ++counter;
  }

  void note_failure(const std::string& name, const std::string& reason) {
    const std::lock_guard lock(mutex_);
    failed_.emplace(name, reason);
    ++report_.pockets;
  }

  void leave_out_large() {
    std::sort(graphs_.begin(), graphs_.end(),
              [](const GraphEntry& a, const GraphEntry& b) { return a.name < b.name; });
    const std::vector<TooLarge> removed = find_too_large(graphs_, request_.limits);
    if (removed.empty()) {
      remove_file(out_ / kRemovedFile);
      return;
    }
    std::set<std::string> names;
    io::CsvWriter csv(out_ / kRemovedFile,
                      {"complex_id", "atoms", "bonds", "angles", "dihedrals", "pairs", "bytes", "reason"});
    for (const TooLarge& large : removed) {
      const GraphCounts& counts = large.graph.counts;
      csv.append({large.graph.name, std::to_string(counts.atoms), std::to_string(counts.bonds),
                  std::to_string(counts.angles), std::to_string(counts.dihedrals),
                  std::to_string(counts.pairs), std::to_string(bytes_in_memory(counts)), large.reason});
      names.insert(large.graph.name);
      writer_.drop(large.graph.name);
    }
    csv.finish();
    std::erase_if(graphs_, [&](const GraphEntry& graph) { return names.contains(graph.name); });
    report_.too_large = removed.size();
  }

  void list_failures() {
    report_.failed_pockets = failed_.size();
    if (failed_.empty()) {
      remove_file(out_ / kFailedFile);
      return;
    }
    io::CsvWriter csv(out_ / kFailedFile, {"complex_id", "reason"});
    for (const auto& [name, reason] : failed_) {
      csv.append({name, reason});
      if (report_.failed.size() < kFailuresReported) {
        report_.failed.push_back({name, reason});
      }
    }
    csv.finish();
  }

  void require_graphs() const {
    if (!graphs_.empty()) {
      return;
    }
    if (!failed_.empty()) {
      throw InputError(fmt::format("{}: none of its {} pockets has a graph. The first, {}: {}. {} lists all",
                                   request_.input, report_.pockets, failed_.begin()->first,
                                   failed_.begin()->second, (out_ / kFailedFile).string()));
    }
    if (report_.too_large > 0) {
      throw InputError(fmt::format("{}: the limits leave out all of its {} graphs. {} lists them",
                                   request_.input, report_.too_large, (out_ / kRemovedFile).string()));
    }
    throw InputError(request_.input + ": has no pockets");
  }

  void count(const GraphCounts& counts) {
    report_.atoms += static_cast<std::size_t>(counts.atoms);
    report_.bonds += static_cast<std::size_t>(counts.bonds);
    report_.angles += static_cast<std::size_t>(counts.angles);
    report_.dihedrals += static_cast<std::size_t>(counts.dihedrals);
    report_.pairs += static_cast<std::size_t>(counts.pairs);
  }

  const PocketBuildRequest& request_;
  const PocketSource& source_;
  std::filesystem::path out_;
  GraphSetWriter writer_;
  Progress progress_;
  std::mutex mutex_;
  std::vector<GraphEntry> graphs_;
  std::multimap<std::string, std::string> failed_;
  std::vector<PlannedPocket> without_memory_;  ///< pockets that ran out of memory
  PocketBuildReport report_;
};

}  // namespace

PocketBuildReport build(const PocketBuildRequest& request) {
  const std::unique_ptr<PocketSource> source = open_source(request);
  return Build(request, *source).run();
}

}  // namespace molgauge::pocket
