// Options of `molgauge conformers`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

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

}  // namespace

template <>
std::span<const Option> table<ConformersRequest>() {
  return kConformers;
}

}  // namespace molgauge::options
