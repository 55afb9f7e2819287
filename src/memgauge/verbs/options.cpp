// Options of `molgauge memory simulate`, `explain` and `diff`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

constexpr NumericRange kDevice = whole(0, 1'023);
constexpr const char* kCard = "Memory of the GPU, for example 24GiB [as recorded, or unlimited]";

template <typename R, auto file>
constexpr Option recording_row(std::string_view name) {
  return {.name = name,
          .field = field<R, file>,
          .help =
              "Allocation trace of molgauge, or a PyTorch snapshot (torch.cuda.memory._dump_snapshot), "
              "optionally gzipped",
          .is_required = true,
          .files = {.does = FileUse::Does::reads}};
}

template <typename R>
constexpr Option recorded_device_row() {
  return {.name = "device",
          .field = field<R, &R::device>,
          .group = Group::input,
          .help =
              "Device in a snapshot of several devices [the device that ran out of memory, or the largest by "
              "reserved memory]",
          .is_common = true,
          .range = kDevice};
}

using S = SimulateMemoryRequest;

constexpr std::array kSimulate = {
    recording_row<S, &S::trace>("TRACE"), capacity_row<S>(kCard), recorded_device_row<S>(),
    Option{.name = "setting",
           .field = field<S, &S::settings>,
           .group = Group::allocator,
           .help = "Allocator settings as in PYTORCH_CUDA_ALLOC_CONF, for example expandable_segments:True, "
                   "or '' for the defaults. Repeat it to compare several [as recorded]",
           .is_common = true}};

using E = ExplainMemoryRequest;

constexpr std::array kExplain = {
    Option{.name = "FILE",
           .field = field<E, &E::file>,
           .help =
               "Memory trace of molgauge or PyTorch snapshot (torch.cuda.memory._dump_snapshot), optionally "
               "gzipped, or a folder with a snapshot of each rank, or - for standard input, which can also "
               "be the text of an error message",
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "message",
           .field = field<E, &E::message>,
           .group = Group::input,
           .help = "Explain only the text of an out-of-memory error of PyTorch in this file, or - for "
                   "standard input",
           .is_common = true,
           .excludes = {"FILE", "capacity", "device", "from", "to", "setting", "page"},
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "OTHER-RANKS",
           .field = field<E, &E::other_ranks>,
           .help = "Snapshots of other ranks of the same run, for comparison",
           .files = {.does = FileUse::Does::reads}},
    capacity_row<E>(kCard),
    Option{.name = "device",
           .field = field<E, &E::device>,
           .group = Group::input,
           .help = "Device in a snapshot of several devices: a number, all, or auto (the device that ran out "
                   "of memory, or the largest by reserved memory)",
           .is_common = true,
           .range = kDevice,
           .choices = {"auto", "all"}},
    Option{.name = "from",
           .field = field<E, &E::from>,
           .group = Group::input,
           .help = "First event of a PyTorch snapshot to explain: its number, for example 20000, or its time "
                   "after the first event, for example 300ms, 1.5s or 2min [the first event]"},
    Option{.name = "to",
           .field = field<E, &E::to>,
           .group = Group::input,
           .help = "Event of a PyTorch snapshot before which the explanation ends, as in --from [the last "
                   "event]"},
    Option{.name = "setting",
           .field = field<E, &E::settings>,
           .group = Group::allocator,
           .help = "Explain the run with these allocator settings, as in PYTORCH_CUDA_ALLOC_CONF, or '' for "
                   "the defaults [as recorded]",
           .is_common = true},
    Option{.name = "page",
           .field = field<E, &E::page>,
           .group = Group::output,
           .help = "Write an HTML page with holders over time, a map of segments, and the table of changes",
           .is_common = true,
           .files = {.does = FileUse::Does::writes}}};

using D = DiffMemoryRequest;

constexpr std::array kDiff = {recording_row<D, &D::before>("BEFORE"), recording_row<D, &D::after>("AFTER"),
                              recorded_device_row<D>()};

}  // namespace

template <>
std::span<const Option> table<SimulateMemoryRequest>() {
  return kSimulate;
}

template <>
std::span<const Option> table<ExplainMemoryRequest>() {
  return kExplain;
}

template <>
std::span<const Option> table<DiffMemoryRequest>() {
  return kDiff;
}

}  // namespace molgauge::options
