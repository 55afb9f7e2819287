// Options of `molgauge pocket ligands`.

#include "base/options/rows.h"
#include "base/options/tables.h"
#include "molgauge/pocket_ligands.h"

namespace molgauge::options {
namespace {

using R = PocketLigandsRequest;

constexpr auto kTable = joined(
    std::array{
        Option{.name = "COMPOUNDS",
               .field = field<R, &R::compounds>,
               .help = "CSV or TSV with the code and the SMILES of each ligand (compounds.csv of HARIBOSS)",
               .is_required = true,
               .files = {.does = FileUse::Does::reads}},
        Option{.name = "out",
               .field = field<R, &R::out>,
               .group = Group::output,
               .help = "Output ligand library, a row for each key: .h5 or .npz",
               .is_common = true,
               .is_required = true,
               .files = {.does = FileUse::Does::writes, .with = {"ligand_embedding_norm_params.npz"}}},
        Option{
            .name = "hariboss-csv",
            .field = field<R, &R::hariboss_csv>,
            .group = Group::input,
            .help = "Table of complexes. Keys are then complexes such as 1aju_ARG [ligand codes such as ARG]",
            .is_common = true,
            .files = {.does = FileUse::Does::reads}},
        Option{.name = "id-column",
               .field = field<R, &R::id_column>,
               .group = Group::input,
               .help = "Column with the code of a ligand",
               .is_common = true},
        Option{.name = "smiles-column",
               .field = field<R, &R::smiles_column>,
               .group = Group::input,
               .help = "Column with the SMILES of a ligand, in the charge state to encode",
               .is_common = true},
        Option{.name = "normalize",
               .field = field<R, &R::normalize>,
               .group = Group::encoder,
               .help = "Scale each feature to mean 0 and standard deviation 1 over all keys, as in the "
                       "Python project. ligand_embedding_norm_params.npz keeps both, next to the rows",
               .is_common = true},
        encoder_row<R>(), store_row<R>(), weights_row<R>(), precision_row<R>(), random_weights_row<R>()},
    placement_rows<R>(), compute_rows<R>());

}  // namespace

template <>
std::span<const Option> table<PocketLigandsRequest>() {
  return kTable;
}

}  // namespace molgauge::options
