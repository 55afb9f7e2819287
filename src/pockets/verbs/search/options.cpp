// Options of `molgauge pocket embed`, `search` and `evaluate`.

#include "base/options/rows.h"
#include "base/options/tables.h"
#include "molgauge/pocket_search.h"

namespace molgauge::options {
namespace {

template <typename R>
constexpr auto encoder_rows() {
  return std::array{Option{.name = "ENCODER",
                           .field = field<R, &R::encoder>,
                           .help = "Run folder of molgauge pocket train, or a checkpoint (.safetensors, or "
                                   ".pt of the Python project)",
                           .is_required = true,
                           .files = {.does = FileUse::Does::reads,
                                     .folder = FolderKind::run,
                                     .with = {"config.json", "training_history.json"}}},
                    Option{.name = "GRAPHS",
                           .field = field<R, &R::graphs>,
                           .help = "Graph set of molgauge pocket build",
                           .is_required = true,
                           .files = {.does = FileUse::Does::reads, .folder = FolderKind::graph_set}},
                    Option{.name = "reference-compatible",
                           .field = field<R, &R::reference_compatible>,
                           .group = Group::input,
                           .help = "Use the layer norm of the Python project, for its checkpoints. The rows "
                                   "change if a pocket is rotated"}};
}

template <typename R>
constexpr auto library_rows() {
  return std::array{
      Option{.name = "ligands",
             .field = field<R, &R::ligands>,
             .group = Group::input,
             .help = "Ligand library with a row for each ligand code (ARG): .h5, .npz or .safetensors",
             .is_common = true,
             .is_required = true,
             .files = {.does = FileUse::Does::reads}},
      Option{.name = "metric",
             .field = field<R, &R::metric>,
             .group = Group::search,
             .help = "Distance between pocket and ligand: cosine (1 - cosine) or euclidean",
             .is_common = true},
      Option{.name = "page",
             .field = field<R, &R::page>,
             .group = Group::output,
             .help = "Write a page (HTML) with tables, a projection and training curves",
             .is_common = true,
             .files = {.does = FileUse::Does::writes}}};
}

using Embed = PocketEmbedRequest;
constexpr std::array kEmbed = {Option{.name = "out",
                                      .field = field<Embed, &Embed::out>,
                                      .group = Group::output,
                                      .help = "A row for each pocket by its name: .h5 or .npz",
                                      .is_common = true,
                                      .is_required = true,
                                      .files = {.does = FileUse::Does::writes}}};

using Search = PocketSearchRequest;
constexpr std::array kSearch = {Option{.name = "out",
                                       .field = field<Search, &Search::out>,
                                       .group = Group::output,
                                       .help = "JSON with the matches, as the Python project writes it",
                                       .is_common = true,
                                       .is_required = true,
                                       .files = {.does = FileUse::Does::writes}},
                                Option{.name = "pocket",
                                       .field = field<Search, &Search::pocket>,
                                       .group = Group::search,
                                       .help = "Name of a pocket of the set. Repeat it for several [all]",
                                       .is_common = true},
                                Option{.name = "top-k",
                                       .field = field<Search, &Search::top_k>,
                                       .group = Group::search,
                                       .help = "Ligands for each pocket",
                                       .is_common = true,
                                       .range = whole(1, 10'000'000),
                                       .unit = "ligands"}};

using Evaluate = PocketEvaluateRequest;
constexpr std::array kEvaluate = {
    Option{.name = "out",
           .field = field<Evaluate, &Evaluate::out>,
           .group = Group::output,
           .help = "JSON with ranks, recall and hit rates",
           .is_common = true,
           .is_required = true,
           .files = {.does = FileUse::Does::writes}},
    Option{.name = "splits",
           .field = field<Evaluate, &Evaluate::splits>,
           .group = Group::data,
           .help = "JSON with the parts [splits.json of the run folder]",
           .is_common = true,
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "part",
           .field = field<Evaluate, &Evaluate::part>,
           .group = Group::data,
           .help = "Pockets that are evaluated: train, val, test, or all of the set",
           .is_common = true},
    Option{.name = "recall-k",
           .field = field<Evaluate, &Evaluate::recall_k>,
           .group = Group::search,
           .help = "Numbers of ligands for recall",
           .is_common = true},
    Option{.name = "top-percentages",
           .field = field<Evaluate, &Evaluate::top_percentages>,
           .group = Group::search,
           .help = "Percentages of the library for hit rates and enrichment",
           .is_common = true}};

constexpr auto kEmbedTable = joined(encoder_rows<Embed>(), kEmbed, pocket_compute_rows<Embed>({"threads"}));
constexpr auto kSearchTable =
    joined(encoder_rows<Search>(), library_rows<Search>(), kSearch, pocket_compute_rows<Search>({"threads"}));
constexpr auto kEvaluateTable = joined(encoder_rows<Evaluate>(), library_rows<Evaluate>(), kEvaluate,
                                       pocket_compute_rows<Evaluate>({"threads"}));

}  // namespace

template <>
std::span<const Option> table<PocketEmbedRequest>() {
  return kEmbedTable;
}

template <>
std::span<const Option> table<PocketSearchRequest>() {
  return kSearchTable;
}

template <>
std::span<const Option> table<PocketEvaluateRequest>() {
  return kEvaluateTable;
}

}  // namespace molgauge::options
