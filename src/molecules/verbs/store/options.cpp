// Options of `molgauge store`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

/// Marks the row as a common option, which --help shows.
constexpr Option common(Option row) {
  row.is_common = true;
  return row;
}

using S = StoreRequest;

constexpr std::array kStore = {common(store_row<S>())};

constexpr std::array kVerify = {common(store_row<VerifyStoreRequest>())};

using E = ExportStoreRequest;

constexpr std::array kExport = {common(store_row<E>()),
                                Option{.name = "database",
                                       .field = field<E, &E::database>,
                                       .group = Group::input,
                                       .help = "Name of a database from store info [the only one]",
                                       .is_common = true},
                                Option{.name = "out",
                                       .field = field<E, &E::out>,
                                       .group = Group::output,
                                       .help = "Output file: .npy (keys in NAME.keys.txt), .safetensors or "
                                               ".h5. Values of varying size need .safetensors",
                                       .is_common = true,
                                       .is_required = true,
                                       .files = {.does = FileUse::Does::writes, .with = {".keys.txt"}}}};

using P = PruneStoreRequest;

constexpr std::array kPrune = {common(store_row<P>()),
                               Option{.name = "database",
                                      .field = field<P, &P::database>,
                                      .group = Group::input,
                                      .help = "Remove this database",
                                      .is_common = true,
                                      .excludes = {"damaged"}},
                               Option{.name = "damaged",
                                      .field = field<P, &P::damaged>,
                                      .group = Group::input,
                                      .help = "Remove rows that fail their checksum",
                                      .is_common = true,
                                      .excludes = {"database"}}};

using I = ImportFeaturesRequest;

constexpr std::array kImport = {
    Option{.name = "FILE",
           .field = field<I, &I::file>,
           .help = "Pickle of {smiles: array}. Molgauge reads it as data and runs no code from it",
           .is_required = true,
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "name",
           .field = field<I, &I::name>,
           .group = Group::output,
           .help = "Name for the features [the file name]",
           .is_common = true},
    Option{.name = "encoder",
           .field = field<I, &I::encoder>,
           .group = Group::encoder,
           .help = "Encoder of the features [as stated in the file, or minimol]",
           .is_common = true},
    Option{.name = "replace",
           .field = field<I, &I::replace>,
           .group = Group::output,
           .help = "Overwrite different rows of this name",
           .is_common = true},
    Option{.name = "strict",
           .field = field<I, &I::strict>,
           .group = Group::input,
           .help = "Stop at the first invalid entry",
           .is_common = true},
    common(store_row<I>()),
    threads_row<I, &I::threads>()};

}  // namespace

template <>
std::span<const Option> table<StoreRequest>() {
  return kStore;
}

template <>
std::span<const Option> table<VerifyStoreRequest>() {
  return kVerify;
}

template <>
std::span<const Option> table<ExportStoreRequest>() {
  return kExport;
}

template <>
std::span<const Option> table<PruneStoreRequest>() {
  return kPrune;
}

template <>
std::span<const Option> table<ImportFeaturesRequest>() {
  return kImport;
}

}  // namespace molgauge::options
