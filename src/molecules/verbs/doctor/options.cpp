// Options of `molgauge doctor --try`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

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

}  // namespace

template <>
std::span<const Option> table<TryRequest>() {
  return kTry;
}

}  // namespace molgauge::options
