// Options of `molgauge evaluate`.

#include "base/options/run_rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using E = EvaluateRequest;

constexpr auto kEvaluate =
    joined(model_rows<E>(),
           std::array{Option{.name = "data",
                             .field = field<E, &E::data>,
                             .group = Group::input,
                             .help = "Evaluate on iid_test and ood_test of another benchmark",
                             .is_common = true,
                             .files = {.does = FileUse::Does::reads}},
                      data_path_row<E>(),
                      Option{.name = "allow-overlap",
                             .field = field<E, &E::allow_overlap>,
                             .group = Group::data,
                             .help = "Accept molecules that occur in several parts, such as training and "
                                     "test, also with different SMILES. The results count them"},
                      Option{.name = "out",
                             .field = field<E, &E::out>,
                             .group = Group::output,
                             .help = "Folder for the results [the run folder, or none for a Python run]",
                             .is_common = true,
                             .files = {.does = FileUse::Does::writes, .folder = FolderKind::evaluation}},
                      spreadsheet_row<E>(), precision_row<E>(), random_weights_row<E>()},
           compute_rows<E>());

}  // namespace

template <>
std::span<const Option> table<EvaluateRequest>() {
  return kEvaluate;
}

}  // namespace molgauge::options
