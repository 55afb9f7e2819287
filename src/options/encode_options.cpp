// `headroom encode`, `headroom conformers`, `headroom doctor --try`, and which molecules of a benchmark are
// drawn.

#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

using E = EncodeRequest;

constexpr auto kEncode = joined(
    std::array{
        molecules_row<E>(), smiles_column_row<E>(), encoder_row<E>(),
        Option{.name = "out",
               .field = field<E, &E::out>,
               .help = "Write the rows, NaN where a record failed, to .npy, .safetensors or .h5; failures to "
                       "NAME.failed.csv beside it",
               .is_common = true,
               .files = {.does = FileUse::Does::writes, .with = {".failed.csv"}, .folder_if = "shard"}},
        Option{.name = "atom-features",
               .field = field<E, &E::atom_features>,
               .help = "Encoders of atoms in space: write the features of every atom, one molecule after the "
                       "other, to .npz or .h5",
               .is_in_plan = true,
               .files = {.does = FileUse::Does::writes}},
        Option{.name = "pair-features",
               .field = field<E, &E::pair_features>,
               .help = "Likewise the features of every pair of tokens (class token, atoms, separator)",
               .is_in_plan = true,
               .files = {.does = FileUse::Does::writes}},
        Option{.name = "shard",
               .field = field<E, &E::shard>,
               .help =
                   "Encode only every Nth record, as 3/8: the third of eight shares. --out then names the "
                   "folder of all "
                   "shards, and the store is on this machine's own disk ($TMPDIR) unless --store names one",
               .is_common = true,
               .needs = {"out"},
               .excludes = {"atom-features", "pair-features"}},
        Option{.name = "part-rows",
               .field = field<E, &E::part_rows>,
               .help = "A shard is written in files of so many rows at most, which a later run keeps",
               .range = whole(1, 100'000'000),
               .unit = "rows",
               .needs = {"shard"}},
        Option{.name = "part-type",
               .field = field<E, &E::part_type>,
               .help = "Numbers of the files of a shard",
               .needs = {"shard"}},
        strict_row<E>(), spreadsheet_row<E>({"out"}), store_row<E>(), weights_row<E>(),
        Option{.name = "batch-atoms",
               .field = field<E, &E::batch_atoms>,
               .help = "Atoms per batch; 0: the encoder's choice",
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
           .help = "The .sdf to write: hydrogens included, in the order of the input",
           .is_common = true,
           .is_required = true,
           .files = {.does = FileUse::Does::writes}},
    conformer_fallback_row<C, &C::options, &ConformerOptions::fallback>(
        "A molecule that cannot be embedded: 2d takes the places of its drawing, fail leaves it out"),
    conformer_deadline_row<C, &C::options, &ConformerOptions::deadline_seconds>(
        "Seconds that a molecule may take; one that takes longer fails alone"),
    Option{.name = "max-atoms",
           .field = field<C, &C::options, &ConformerOptions::max_atoms>,
           .help = "Atoms that a molecule may have, hydrogens counted; a larger one fails",
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
           .help = "With --try: molecules to try, in any file that encode reads [a list that is built in]",
           .files = {.does = FileUse::Does::reads}},
    smiles_column_row<T>(),
    Option{.name = "encoder",
           .field = field<T, &T::encoder>,
           .help = "With --try: encoder [minimol where its weights are installed, else ecfp]",
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

}  // namespace headroom::options
