#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "molecules/encoding/pipeline/encode_molecules.h"

namespace molgauge::pipeline {

enum class Stage : std::size_t { read, look_up, featurise, pack, encode, write };
inline constexpr std::size_t kStages = 6;

/// The time that each stage was busy. The time in which a stage waits for other stages does not count.
///
/// Thread safety: every method may be called from any thread.
class StageTimes {
 public:
  /// Adds the lifetime of the object to the time of a stage.
  class Busy {
   public:
    Busy(StageTimes& times, Stage stage)
        : times_(times), stage_(stage), start_(std::chrono::steady_clock::now()) {}
    ~Busy() { times_.add(stage_, std::chrono::steady_clock::now() - start_); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    StageTimes& times_;
    Stage stage_;
    std::chrono::steady_clock::time_point start_;
  };

  void add(Stage stage, std::chrono::nanoseconds time);
  double seconds(Stage stage) const;

  /// `wall_seconds`: duration of the run. `workers`: threads that featurise, pack and encode.
  std::vector<StageTime> report(double wall_seconds, std::size_t workers) const;
  /// Finds the busiest group of threads (input, workers, writer), and returns the stage of this group that
  /// took the most time.
  std::string bottleneck(double wall_seconds, std::size_t workers) const;

 private:
  std::array<std::atomic<std::int64_t>, kStages> nanoseconds_ = {};
};

}  // namespace molgauge::pipeline
