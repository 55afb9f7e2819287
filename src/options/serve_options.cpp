// `headroom serve`.

#include "headroom/serve.h"
#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

using R = ServeRequest;

constexpr NumericRange kBody = whole(1024, std::int64_t{1} << 40);

constexpr std::array kPlace = {
    Option{.name = "model",
           .field = field<R, &R::models>,
           .help = "Folder of headroom domain --save, train or baseline; may be given several times",
           .is_common = true,
           .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}},
    Option{.name = "port",
           .field = field<R, &R::port>,
           .help = "Port; 0: any that is free",
           .is_common = true,
           .range = whole(0, 65'535)},
    Option{.name = "bind",
           .field = field<R, &R::bind>,
           .help = "Address to listen on; any but a loopback address needs --token-file",
           .is_common = true},
    Option{.name = "host",
           .field = field<R, &R::hosts>,
           .help =
               "Name by which browsers may reach the server through a proxy, as models.example.org; may be "
               "given several times",
           .is_common = true},
    Option{.name = "token-file",
           .field = field<R, &R::token_file>,
           .help = "File whose first line requests must bear (Authorization: Bearer ...)",
           .is_common = true,
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "work",
           .field = field<R, &R::work>,
           .help = "Folder of uploads and results [$HEADROOM_HOME/serve]",
           .is_common = true,
           .files = {.does = FileUse::Does::writes, .folder = FolderKind::shared}},
    store_row<R>(),
    weights_row<R>()};

constexpr std::array kLimits = {
    Option{.name = "max-molecules",
           .field = field<R, &R::max_molecules>,
           .help = "Most molecules of a list",
           .former_name = "most-molecules",
           .is_common = true,
           .range = whole(1, 100'000'000),
           .unit = "molecules"},
    Option{.name = "max-body",
           .field = field<R, &R::max_body_bytes>,
           .help = "Largest list, as 64MiB",
           .former_name = "most-body",
           .range = kBody,
           .unit = kBytes},
    Option{.name = "max-snapshot",
           .field = field<R, &R::max_snapshot_bytes>,
           .help = "Largest PyTorch snapshot, as 1GiB",
           .former_name = "most-snapshot",
           .range = kBody,
           .unit = kBytes},
    Option{.name = "max-waiting",
           .field = field<R, &R::max_waiting>,
           .help = "Short requests that wait for their turn, and as many jobs; one more is answered with 503",
           .former_name = "most-waiting",
           .range = whole(1, 100'000)},
    Option{.name = "max-connections",
           .field = field<R, &R::max_connections>,
           .help = "Open connections",
           .former_name = "most-connections",
           .range = whole(1, 100'000)},
    Option{.name = "max-seconds",
           .field = field<R, &R::max_seconds>,
           .help = "Longest computation of a request or job",
           .former_name = "most-seconds",
           .is_common = true,
           .range = above(0, 1e9),
           .unit = "seconds"},
    Option{.name = "keep-hours",
           .field = field<R, &R::keep_hours>,
           .help = "How long a finished job and its files are kept",
           .range = above(0, 1e6),
           .unit = "hours"},
    Option{.name = "shutdown-seconds",
           .field = field<R, &R::shutdown_seconds>,
           .help = "How long a computation may go on after SIGTERM or Ctrl-C",
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

}  // namespace headroom::options
