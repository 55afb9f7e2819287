// `headroom memory`. A plan takes most of its options from the verb that it plans.

#include <cstdint>
#include <limits>

#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

constexpr NumericRange kDevice = whole(0, 1'023);
constexpr const char* kCard = "Memory of the card, such as 24GiB [as recorded, else without limit]";

/// Memory of a graphics card.
template <typename R>
constexpr Option capacity_row(std::string_view help) {
  return {.name = "capacity",
          .field = field<R, &R::capacity_bytes>,
          .help = help,
          .is_common = true,
          .range = whole(1, std::numeric_limits<std::int64_t>::max()),
          .unit = kBytes};
}

template <typename R, auto file>
constexpr Option recording_row(std::string_view name) {
  return {.name = name,
          .field = field<R, file>,
          .help =
              "Allocation trace of headroom, or a PyTorch snapshot (torch.cuda.memory._dump_snapshot); each "
              "may be gzipped",
          .is_required = true,
          .files = {.does = FileUse::Does::reads}};
}

template <typename R>
constexpr Option recorded_device_row() {
  return {
      .name = "device",
      .field = field<R, &R::device>,
      .help = "Device of a snapshot of several [where memory ran out, else the one that reserved the most]",
      .is_common = true,
      .range = kDevice};
}

using P = PlanMemoryRequest;

/// What a plan takes beside the options of the verb that it plans.
constexpr std::array kPlan = {
    capacity_row<P>("Plan for a device with so much memory of its own, as 80GiB, instead of this computer")};

using S = SimulateMemoryRequest;

constexpr std::array kSimulate = {
    recording_row<S, &S::trace>("TRACE"), capacity_row<S>(kCard), recorded_device_row<S>(),
    Option{.name = "setting",
           .field = field<S, &S::settings>,
           .help =
               "As PYTORCH_CUDA_ALLOC_CONF, such as expandable_segments:True; '' for the defaults; may be "
               "given several times [as recorded]",
           .is_common = true}};

using E = ExplainMemoryRequest;

constexpr std::array kExplain = {
    Option{.name = "FILE",
           .field = field<E, &E::file>,
           .help =
               "Allocation trace of headroom, or a PyTorch snapshot (torch.cuda.memory._dump_snapshot); each "
               "may be gzipped. - reads standard input, which may be the text of an error message",
           .files = {.does = FileUse::Does::reads}},
    Option{
        .name = "message",
        .field = field<E, &E::message>,
        .help =
            "File with the text of an out-of-memory error of PyTorch, or - for standard input: explain the "
            "message alone",
        .is_common = true,
        .excludes = {"FILE", "capacity", "device", "setting", "page"},
        .files = {.does = FileUse::Does::reads}},
    Option{.name = "OTHER-RANKS",
           .field = field<E, &E::other_ranks>,
           .help = "Snapshots of the other ranks of the same run, which are compared",
           .files = {.does = FileUse::Does::reads}},
    capacity_row<E>(kCard),
    Option{
        .name = "device",
        .field = field<E, &E::device>,
        .help =
            "Device of a snapshot of several: its number, all, or auto: where memory ran out, else the one "
            "that reserved the most",
        .is_common = true,
        .range = kDevice,
        .choices = {"auto", "all"}},
    Option{.name = "setting",
           .field = field<E, &E::settings>,
           .help = "As PYTORCH_CUDA_ALLOC_CONF: explain the run under it; '' for the defaults [as recorded]",
           .is_common = true},
    Option{.name = "page",
           .field = field<E, &E::page>,
           .help = "Page to write: who held memory over time, the segments at any moment, the table of "
                   "changes",
           .former_name = "html",
           .is_common = true,
           .files = {.does = FileUse::Does::writes}}};

using D = DiffMemoryRequest;

constexpr std::array kDiff = {recording_row<D, &D::before>("BEFORE"), recording_row<D, &D::after>("AFTER"),
                              recorded_device_row<D>()};

using R = ReportMemoryRequest;

constexpr std::array kReport = {Option{.name = "RUN",
                                       .field = field<R, &R::run>,
                                       .help = "Run folder of train, evaluate or baseline",
                                       .is_required = true,
                                       .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}}};

using W = WatchMemoryRequest;

constexpr std::array kWatch = {Option{.name = "TARGET",
                                      .field = field<W, &W::target>,
                                      .help = "Number of a process, or a run folder",
                                      .is_required = true,
                                      .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}}};

}  // namespace

template <>
std::span<const Option> table<PlanMemoryRequest>() {
  return kPlan;
}

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

template <>
std::span<const Option> table<ReportMemoryRequest>() {
  return kReport;
}

template <>
std::span<const Option> table<WatchMemoryRequest>() {
  return kWatch;
}

}  // namespace headroom::options
