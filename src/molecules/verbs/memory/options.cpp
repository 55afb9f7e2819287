// Options of `molgauge memory report` and `molgauge memory watch`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using R = ReportMemoryRequest;

constexpr std::array kReport = {Option{.name = "RUN",
                                       .field = field<R, &R::run>,
                                       .help = "Run folder of train, evaluate or baseline",
                                       .is_required = true,
                                       .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}}};

using W = WatchMemoryRequest;

constexpr std::array kWatch = {Option{.name = "TARGET",
                                      .field = field<W, &W::target>,
                                      .help = "Process ID or run folder",
                                      .is_required = true,
                                      .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}}};

}  // namespace

template <>
std::span<const Option> table<ReportMemoryRequest>() {
  return kReport;
}

template <>
std::span<const Option> table<WatchMemoryRequest>() {
  return kWatch;
}

}  // namespace molgauge::options
