// Options of `molgauge serve`.

#include "base/options/rows.h"
#include "base/options/tables.h"
#include "molgauge/serve.h"

namespace molgauge::options {
namespace {

using R = ServeRequest;

constexpr NumericRange kBody = whole(1024, std::int64_t{1} << 40);

constexpr std::array kPlace = {
    Option{.name = "model",
           .field = field<R, &R::models>,
           .group = Group::input,
           .help = "Folder of molgauge domain --save, train or baseline, or a chemprop model (.pt, .ckpt, a "
                   "folder of "
                   ".pt files, or admet-ai). Repeat it for several models",
           .is_common = true,
           .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}},
    Option{.name = "port",
           .field = field<R, &R::port>,
           .group = Group::server,
           .help = "Port. 0 selects a free port",
           .is_common = true,
           .range = whole(0, 65'535)},
    Option{.name = "bind",
           .field = field<R, &R::bind>,
           .group = Group::server,
           .help = "Address to listen on. Only loopback addresses work without --token-file",
           .is_common = true},
    Option{.name = "host",
           .field = field<R, &R::hosts>,
           .group = Group::server,
           .help = "Host name of the server behind a proxy, for example models.example.org. Repeat it for "
                   "several names",
           .is_common = true},
    Option{
        .name = "token-file",
        .field = field<R, &R::token_file>,
        .group = Group::server,
        .help = "File with the bearer token in its first line. Requests need it (Authorization: Bearer ...)",
        .is_common = true,
        .files = {.does = FileUse::Does::reads}},
    Option{.name = "work",
           .field = field<R, &R::work>,
           .group = Group::server,
           .help = "Folder for uploads and results [$MOLGAUGE_HOME/serve]",
           .is_common = true,
           .files = {.does = FileUse::Does::writes, .folder = FolderKind::shared}},
    store_row<R>(),
    weights_row<R>()};

constexpr std::array kLimits = {
    Option{.name = "max-molecules",
           .field = field<R, &R::max_molecules>,
           .group = Group::limits,
           .help = "Maximum molecules per list",
           .is_common = true,
           .range = whole(1, 100'000'000),
           .unit = "molecules"},
    Option{.name = "max-body",
           .field = field<R, &R::max_body_bytes>,
           .group = Group::limits,
           .help = "Maximum size of a list, for example 64MiB",
           .range = kBody,
           .unit = kBytes},
    Option{.name = "max-snapshot",
           .field = field<R, &R::max_snapshot_bytes>,
           .group = Group::limits,
           .help = "Maximum size of a PyTorch snapshot, for example 1GiB",
           .range = kBody,
           .unit = kBytes},
    Option{.name = "max-waiting",
           .field = field<R, &R::max_waiting>,
           .group = Group::limits,
           .help = "Maximum waiting requests, and maximum waiting jobs. Further ones get status 503",
           .range = whole(1, 100'000)},
    Option{.name = "max-connections",
           .field = field<R, &R::max_connections>,
           .group = Group::limits,
           .help = "Maximum open connections",
           .range = whole(1, 100'000)},
    Option{.name = "max-seconds",
           .field = field<R, &R::max_seconds>,
           .group = Group::limits,
           .help = "Time limit for a request or job",
           .is_common = true,
           .range = above(0, 1e9),
           .unit = "seconds"},
    Option{.name = "keep-hours",
           .field = field<R, &R::keep_hours>,
           .group = Group::limits,
           .help = "Time to keep a finished job and its files",
           .range = above(0, 1e6),
           .unit = "hours"},
    Option{.name = "shutdown-seconds",
           .field = field<R, &R::shutdown_seconds>,
           .group = Group::limits,
           .help = "Time limit for running computations after SIGTERM or Ctrl-C",
           .range = above(0, 1e9),
           .unit = "seconds"}};

constexpr std::array kCompute = {device_row<R>(), threads_row<R, &R::compute, &ComputeOptions::threads>(),
                                 memory_budget_row<R>()};

constexpr auto kTable = joined(kPlace, kLimits, kCompute);

}  // namespace

template <>
std::span<const Option> table<ServeRequest>() {
  return kTable;
}

}  // namespace molgauge::options
