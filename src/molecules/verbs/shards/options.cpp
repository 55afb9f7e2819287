// Options of `molgauge shards`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

template <typename R>
constexpr Option folder_row() {
  return {.name = "FOLDER",
          .field = field<R, &R::folder>,
          .help = "Folder of the shards (--out of molgauge encode --shard)",
          .is_required = true,
          .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}};
}

using V = VerifyShardsRequest;

constexpr std::array kVerify = {folder_row<V>()};

using J = JoinShardsRequest;

constexpr std::array kJoin = {
    folder_row<J>(),
    Option{.name = "out",
           .field = field<J, &J::out>,
           .group = Group::output,
           .help =
               "Output .npy in input order. Failed molecules have NaN rows and are listed in NAME.failed.csv",
           .is_common = true,
           .is_required = true,
           .files = {.does = FileUse::Does::writes, .with = {".failed.csv"}}}};

}  // namespace

template <>
std::span<const Option> table<VerifyShardsRequest>() {
  return kVerify;
}

template <>
std::span<const Option> table<JoinShardsRequest>() {
  return kJoin;
}

}  // namespace molgauge::options
