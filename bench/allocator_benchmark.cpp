// Measures the allocator simulator and the trace writer. The figures are events per second.

#include <filesystem>
#include <random>

#include <benchmark/benchmark.h>

#include "base/memory/trace/trace_writer.h"
#include "memgauge/recordings/event_log.h"
#include "memgauge/recordings/replay.h"

namespace molgauge::allocator {
namespace {

/// Allocates and frees tensors as a training does. `live` tensors of 512 bytes to 64 MiB are allocated at a
/// time, on two streams. For each new tensor, one tensor is freed.
Recording workload(std::size_t events, std::size_t live) {
  std::mt19937_64 bits(7);
  EventLog log;
  std::vector<std::uint64_t> held;
  std::uint64_t next = 1;
  while (log.size() < events) {
    if (held.size() < live) {
      log.allocate(next, (std::uint64_t{512} << bits() % 17) + bits() % 5000, bits() % 2, 0);
      held.push_back(next++);
    } else {
      std::swap(held[bits() % held.size()], held.back());
      log.free(held.back(), 0, held.back() % 2);
      held.pop_back();
    }
  }
  return log.finish();
}

/// The argument is the number of live tensors. A pass has ten million events.
void replay_events(benchmark::State& state, const char* settings) {
  const Recording recording = workload(10'000'000, static_cast<std::size_t>(state.range(0)));
  ReplayOptions options;
  options.settings = parse_allocator_settings(settings);
  options.stretch_ends = even_stretches(recording.events.size(), 500);
  for (auto _ : state) {
    benchmark::DoNotOptimize(replay(recording, options));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(recording.events.size()));
}

BENCHMARK_CAPTURE(replay_events, defaults, "")->Arg(1000)->Arg(20'000)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(replay_events, expandable, "expandable_segments:True")
    ->Arg(1000)
    ->Arg(20'000)
    ->Unit(benchmark::kSecond);

void record_events(benchmark::State& state) {
  const auto path = std::filesystem::temp_directory_path() / "molgauge-bench.trace";
  {
    TraceWriter writer(path, {static_cast<std::uint64_t>(state.range(0)), 0, ""});
    std::uint64_t address = 0;
    for (auto _ : state) {
      address = (address + 4096) % (1 << 20);
      writer.allocate(address, 1 << 20, 0);
      writer.free(address, 1 << 20, 0);
    }
  }
  std::filesystem::remove(path);
  state.SetItemsProcessed(2 * state.iterations());
}

BENCHMARK(record_events)->Arg(0)->Arg(100'000)->ArgName("ring");

}  // namespace
}  // namespace molgauge::allocator

BENCHMARK_MAIN();
