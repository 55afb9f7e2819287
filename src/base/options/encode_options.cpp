// Options of `molgauge encode`, `molgauge conformers` and `molgauge doctor --try`, and the options that
// choose the molecules drawn from a benchmark.

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

using C = ConformersRequest;

constexpr std::array kConformers = {
    molecules_row<C>(),
    smiles_column_row<C>(),
    Option{.name = "out",
           .field = field<C, &C::out>,
           .group = Group::output,
           .help = "Output .sdf with hydrogens, in input order",
           .is_common = true,
           .is_required = true,
           .files = {.does = FileUse::Does::writes}},
    conformer_fallback_row<C, &C::options, &ConformerOptions::fallback>(
        "If 3D embedding fails: use 2D coordinates (2d), or reject the molecule (fail)"),
    conformer_engine_row<C, &C::options, &ConformerOptions::engine>(
        "Generate conformers with RDKit (exact) or with a vectorised engine that is several times as fast "
        "(fast)"),
    conformer_deadline_row<C, &C::options, &ConformerOptions::deadline_seconds>(
        "Time limit per molecule. A slower molecule fails and the others continue"),
    Option{.name = "max-atoms",
           .field = field<C, &C::options, &ConformerOptions::max_atoms>,
           .group = Group::conformers,
           .help = "Maximum number of atoms with hydrogens. A larger molecule fails",
           .range = whole(1, 100'000),
           .unit = "atoms"},
    strict_row<C>(),
    store_row<C>(),
    threads_row<C, &C::threads>(),
    conservative_row<C, &C::conservative>({"threads"})};

using T = TryRequest;

constexpr std::array kTry = {
    Option{.name = "MOLECULES",
           .field = field<T, &T::molecules>,
           .help = "With --try: molecule file, as for encode [a built-in list]",
           .files = {.does = FileUse::Does::reads}},
    smiles_column_row<T>(),
    Option{.name = "encoder",
           .field = field<T, &T::encoder>,
           .group = Group::encoder,
           .help = "With --try: encoder [minimol if its weights are installed, otherwise ecfp]",
           .is_common = true},
    store_row<T>(),
    weights_row<T>(),
    device_row<T>(),
    threads_row<T, &T::compute, &ComputeOptions::threads>(),
    memory_budget_row<T>()};

using D = BenchmarkDraw;

constexpr auto kDraw = joined(std::array{data_seed_row<D>(), dataset_type_row<D>()}, size_rows<D>(),
                              std::array{allow_overlap_row<D>()});

}  // namespace

template <>
std::span<const Option> table<EncodeRequest>() {
  return kEncode;
}

template <>
std::span<const Option> table<TryRequest>() {
  return kTry;
}

template <>
std::span<const Option> table<ConformersRequest>() {
  return kConformers;
}

template <>
std::span<const Option> table<BenchmarkDraw>() {
  return kDraw;
}

}  // namespace molgauge::options
