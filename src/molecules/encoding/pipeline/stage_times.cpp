#include "molecules/encoding/pipeline/stage_times.h"

#include <algorithm>
#include <span>

namespace molgauge::pipeline {
namespace {

constexpr std::array<const char*, kStages> kNames = {"read", "look up", "featurise",
                                                     "pack", "encode",  "write"};

/// Each array contains the stages that run in the same threads, one after the other.
constexpr std::array kInputStages = {Stage::read, Stage::look_up};
constexpr std::array kWorkerStages = {Stage::featurise, Stage::pack, Stage::encode};
constexpr std::array kWriterStages = {Stage::write};

bool runs_in_workers(Stage stage) {
  return std::find(kWorkerStages.begin(), kWorkerStages.end(), stage) != kWorkerStages.end();
}

std::string name(Stage stage) { return kNames[static_cast<std::size_t>(stage)]; }

}  // namespace

void StageTimes::add(Stage stage, std::chrono::nanoseconds time) {
  nanoseconds_[static_cast<std::size_t>(stage)] += time.count();
}

double StageTimes::seconds(Stage stage) const {
  return static_cast<double>(nanoseconds_[static_cast<std::size_t>(stage)]) * 1e-9;
}

std::vector<StageTime> StageTimes::report(double wall_seconds, std::size_t workers) const {
  std::vector<StageTime> times;
  for (std::size_t i = 0; i < kStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    const double threads = runs_in_workers(stage) ? static_cast<double>(workers) : 1.0;
    const double share = wall_seconds > 0 ? seconds(stage) / (wall_seconds * threads) : 0.0;
    times.push_back({name(stage), seconds(stage), share});
  }
  return times;
}

std::string StageTimes::bottleneck(double wall_seconds, std::size_t workers) const {
  const std::vector<StageTime> times = report(wall_seconds, workers);
  double busiest = -1;
  std::string slowest;
  const auto consider = [&](std::span<const Stage> stages) {
    double share = 0, largest = -1;
    std::string costliest;
    for (const Stage stage : stages) {
      const StageTime& time = times[static_cast<std::size_t>(stage)];
      share += time.share;
      if (time.share > largest) {
        largest = time.share;
        costliest = time.stage;
      }
    }
    if (share > busiest) {
      busiest = share;
      slowest = costliest;
    }
  };
  consider(kInputStages);
  consider(kWorkerStages);
  consider(kWriterStages);
  return slowest;
}

}  // namespace molgauge::pipeline
