#include "pockets/training/selection.h"

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

PocketSplit named_split(const PocketTrainRequest& request) {
  PocketSplit split = read_split(request.splits);
  const std::string shared = shared_complex(split);
  if (!shared.empty() && !request.allow_overlap) {
    throw InputError(
        fmt::format("{}: models of {} are in \"train\" and also in \"val\" or \"test\", so results would be "
                    "too good. Leave --splits out for a split by complex, or accept it with --allow-overlap",
                    request.splits, shared));
  }
  return split;
}

}  // namespace

std::optional<std::size_t> find_ligand(const io::KeyedRows& rows, const GraphEntry& pocket) {
  for (const std::string& key : {pocket.name, pocket.complex, unit_of(pocket.name, SplitUnit::ligand)}) {
    if (const auto found = rows.find(key)) {
      return found;
    }
  }
  return std::nullopt;
}

SelectedPockets select_pockets(const PocketTrainRequest& request, const GraphSet& graphs,
                               const io::KeyedRows& rows) {
  SelectedPockets selected;
  PocketSplit wanted;
  if (request.splits.empty()) {
    std::vector<std::string> usable;
    for (const GraphEntry& entry : graphs.graphs()) {
      if (find_ligand(rows, entry)) {
        usable.push_back(entry.name);
      } else {
        selected.left_out.push_back({entry.name, "no row of its ligand in " + request.ligands});
      }
    }
    if (usable.empty()) {
      throw InputError(fmt::format("{}: has no row for any ligand of the {} pockets, for example {}",
                                   request.ligands, graphs.graphs().size(),
                                   graphs.graphs().empty() ? "1aju_ARG" : graphs.graphs().front().complex));
    }
    wanted = draw_split(usable, request.split_by, request.train_ratio, request.val_ratio, request.seed);
  } else {
    wanted = named_split(request);
  }
  const auto take = [&](const std::vector<std::string>& names, std::vector<std::string>& used,
                        std::vector<TrainingPocket>* pockets) {
    for (const std::string& name : names) {
      const auto graph = graphs.find(name);
      const auto row = graph ? find_ligand(rows, graphs.graphs()[*graph]) : std::nullopt;
      if (!graph) {
        selected.left_out.push_back({name, "no graph in " + request.graphs});
      } else if (!row) {
        selected.left_out.push_back({name, "no row of its ligand in " + request.ligands});
      } else {
        used.push_back(name);
        if (pockets != nullptr) {
          pockets->push_back({*graph, *row});
        }
      }
    }
  };
  take(wanted.train, selected.split.train, &selected.train);
  take(wanted.validation, selected.split.validation, &selected.validation);
  take(wanted.test, selected.split.test, nullptr);
  if (selected.train.empty() || selected.validation.empty()) {
    throw InputError(fmt::format("{}: no pockets are left for {}: each needs a graph and a row of its ligand",
                                 request.splits.empty() ? request.graphs : request.splits,
                                 selected.train.empty() ? "training" : "validation"));
  }
  return selected;
}

}  // namespace molgauge::pocket
