// Options of `molgauge encode`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using E = EncodeRequest;

constexpr auto kEncode = joined(
    std::array{
        molecules_row<E>(), smiles_column_row<E>(), encoder_row<E>(),
        Option{.name = "out",
               .field = field<E, &E::out>,
               .group = Group::output,
               .help = "Feature file: .npy, .safetensors or .h5. Failed molecules have NaN rows and are "
                       "listed in NAME.failed.csv",
               .is_common = true,
               .files = {.does = FileUse::Does::writes, .with = {".failed.csv"}, .folder_if = "shard"}},
        Option{.name = "atom-features",
               .field = field<E, &E::atom_features>,
               .group = Group::output,
               .help = "3D encoders: write features of all atoms to this .npz or .h5, molecule by molecule",
               .is_in_plan = true,
               .files = {.does = FileUse::Does::writes}},
        Option{.name = "pair-features",
               .field = field<E, &E::pair_features>,
               .group = Group::output,
               .help = "3D encoders: write features of all pairs of tokens (class token, atoms, separator) "
                       "to this .npz or .h5",
               .is_in_plan = true,
               .files = {.does = FileUse::Does::writes}},
        Option{.name = "shard",
               .field = field<E, &E::shard>,
               .group = Group::output,
               .help = "Encode one shard: 3/8 is the third of eight. --out is then the folder of all shards, "
                       "and the default store is on the local disk ($TMPDIR)",
               .is_common = true,
               .needs = {"out"},
               .excludes = {"atom-features", "pair-features"}},
        Option{.name = "part-rows",
               .field = field<E, &E::part_rows>,
               .group = Group::output,
               .help = "Maximum rows per part of a shard. A later run keeps finished parts",
               .range = whole(1, 100'000'000),
               .unit = "rows",
               .needs = {"shard"}},
        Option{.name = "part-type",
               .field = field<E, &E::part_type>,
               .group = Group::output,
               .help = "Number format of the parts of a shard",
               .needs = {"shard"}},
        strict_row<E>(), spreadsheet_row<E>({"out"}), store_row<E>(), weights_row<E>(),
        Option{.name = "batch-atoms",
               .field = field<E, &E::batch_atoms>,
               .group = Group::encoder,
               .help = "Atoms per batch. 0 selects the default of the encoder on this device",
               .is_in_plan = true,
               .range = whole(0, 100'000'000),
               .unit = "atoms"},
        precision_row<E>(), random_weights_row<E>()},
    placement_rows<E>(), compute_rows<E>({"threads", "precision", "batch-atoms"}));

}  // namespace

template <>
std::span<const Option> table<EncodeRequest>() {
  return kEncode;
}

}  // namespace molgauge::options
