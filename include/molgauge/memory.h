#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "molgauge/memory_explanation.h"
#include "molgauge/types.h"

namespace molgauge {

struct MemoryOfRun;
struct WatchedMemory;

/// `molgauge memory report`: compares the phases of a finished run with its plan and budget.
struct ReportMemoryRequest {
  using Report = MemoryOfRun;

  std::string run;  ///< run folder of train, evaluate or baseline
};

/// The measured phases of a finished command, and its budget.
struct MemoryOfCommand {
  std::string command;  ///< train, evaluate
  std::string device;
  /// Budget of the device, or of the process on a CPU. 0 if it was not recorded.
  std::uint64_t memory_budget_bytes = 0;
  std::uint64_t host_memory_budget_bytes = 0;  ///< budget of the process if a GPU is used. 0 if there is none
  std::size_t batch_size_planned = 0, batch_size_used = 0, oom_recoveries = 0;
  std::vector<PhaseReport> phases;
};

struct MemoryOfRun {
  std::string run;
  std::vector<MemoryOfCommand> commands;
  std::string json;  ///< the whole report as JSON
};

/// `molgauge memory watch`: measures the memory of a running process.
struct WatchMemoryRequest {
  using Report = WatchedMemory;

  std::string target;  ///< process ID, or a run folder
};

struct WatchedMemory {
  long pid = 0;
  std::string name;  ///< name of the program
  bool running = false;
  std::uint64_t resident_bytes = 0, peak_bytes = 0, threads = 0;
  // The fields below are set only if `target` is a run folder.
  std::uint64_t budget_bytes = 0;  ///< 0 means unknown
  std::string phase, batch;
};

}  // namespace molgauge
