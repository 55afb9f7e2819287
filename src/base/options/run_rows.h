#pragma once

#include <array>
#include <string>

#include "base/options/rows.h"

/// Rows that the option tables of verbs share that train, or that use a trained model.
namespace molgauge::options {

/// The argument BENCHMARK of verbs that train.
template <typename R>
constexpr Option benchmark_row() {
  return {.name = "BENCHMARK",
          .field = field<R, &R::benchmark>,
          .help = "Benchmark in DrugOOD JSON, for example from molgauge split, or a name in --data-path",
          .is_required = true,
          .is_in_plan = true,
          .files = {.does = FileUse::Does::reads},
          .config = {"data_file"}};
}

template <typename R>
constexpr Option data_path_row(const Conditions& conditions = {}) {
  return {.name = "data-path",
          .field = field<R, &R::data_path>,
          .group = Group::input,
          .help = "Folder of named benchmarks such as lbap_general_ec50_assay",
          .is_in_plan = true,
          .conditions = conditions,
          .files = {.does = FileUse::Does::looks_up}};
}

/// The run folder of verbs that train. `help` describes what happens to an earlier run in the folder.
template <typename R>
constexpr auto run_rows(std::string_view help = "Run folder. An unfinished run is resumed") {
  return std::array{Option{.name = "run",
                           .field = field<R, &R::run>,
                           .group = Group::output,
                           .help = help,
                           .is_common = true,
                           .is_required = true,
                           .files = {.does = FileUse::Does::writes, .folder = FolderKind::run}},
                    Option{.name = "restart",
                           .field = field<R, &R::resume>,
                           .group = Group::output,
                           .help = "Start from scratch even if the run folder contains a run",
                           .is_common = true,
                           .clears = true}};
}

template <typename R>
constexpr Option data_seed_row() {
  return {.name = "data-seed",
          .field = field<R, &R::data_seed>,
          .group = Group::data,
          .help = "Seed for drawing molecules from the benchmark",
          .is_in_plan = true,
          .range = kSeed,
          .config = {"data_seed"}};
}

/// `conditions`: conditions under which the verb draws molecules.
template <typename R>
constexpr Option dataset_type_row(const Conditions& conditions = {}) {
  return {.name = "dataset-type",
          .field = field<R, &R::dataset_type>,
          .group = Group::data,
          .help = "Rules for drawing molecules: drugood, good or auto (as stated in the benchmark)",
          .is_in_plan = true,
          .conditions = conditions,
          .specification = {Section::matrix},
          .config = {.name = "dataset_type", .may_be_missing = true},
          .identity = {Part::draw, "drawn by"}};
}

template <typename R>
constexpr auto size_rows(const Conditions& conditions = {}) {
  return std::array{Option{.name = "train-size",
                           .field = field<R, &R::train_size>,
                           .group = Group::data,
                           .help = "Training molecules per side. 0 selects all [2000, or 5000 with good]",
                           .is_in_plan = true,
                           .range = kMoleculeCount,
                           .unit = "molecules",
                           .excludes = {"debug-dataset-size"},
                           .conditions = conditions,
                           .specification = {Section::matrix},
                           .config = {"train_size"},
                           .identity = {Part::draw, "sizes"}},
                    Option{.name = "val-size",
                           .field = field<R, &R::val_size>,
                           .group = Group::data,
                           .help = "Validation molecules per side. 0 selects all [600, or 1500 with good]",
                           .is_in_plan = true,
                           .range = kMoleculeCount,
                           .unit = "molecules",
                           .excludes = {"debug-dataset-size"},
                           .conditions = conditions,
                           .specification = {Section::matrix},
                           .config = {"val_size"},
                           .identity = {Part::draw, ""}},
                    Option{.name = "test-size",
                           .field = field<R, &R::test_size>,
                           .group = Group::data,
                           .help = "Test molecules per side. 0 selects all [1000, or 2000 with good]",
                           .is_in_plan = true,
                           .range = kMoleculeCount,
                           .unit = "molecules",
                           .excludes = {"debug-dataset-size"},
                           .conditions = conditions,
                           .specification = {Section::matrix},
                           .config = {"test_size"},
                           .identity = {Part::draw, ""}},
                    Option{.name = "debug-dataset-size",
                           .field = field<R, &R::debug_dataset_size>,
                           .group = Group::data,
                           .help = "For a quick trial: training molecules per side. Every part is cut to "
                                   "this number and the other sizes are scaled. 0 turns it off",
                           .is_in_plan = true,
                           .range = kMoleculeCount,
                           .unit = "molecules",
                           .conditions = conditions,
                           .config = {.name = "debug_dataset_size", .may_be_missing = true}},
                    Option{.name = "held-out-seed",
                           .field = field<R, &R::held_out_seed>,
                           .group = Group::data,
                           .help = "drugood: seed for held-out training molecules if the benchmark has no "
                                   "iid_val, and for cuts to a debug size",
                           .is_in_plan = true,
                           .range = kSeed,
                           .conditions = conditions,
                           .config = {.name = "held_out_seed", .may_be_missing = true}}};
}

template <typename R>
constexpr Option allow_overlap_row(const Conditions& conditions = {}) {
  return {.name = "allow-overlap",
          .field = field<R, &R::allow_overlap>,
          .group = Group::data,
          .help =
              "Accept molecules that occur in several parts, such as training and test, also with different "
              "SMILES. The results count them",
          .is_in_plan = true,
          .conditions = conditions,
          .config = {.name = "allow_overlap", .may_be_missing = true, .is_remark = true}};
}

/// The run folder, and options for facts that the run folder may lack. `R` has the fields of a ModelChoice.
template <typename R>
constexpr std::array<Option, 6> model_rows() {
  return {{{.name = "RUN",
            .field = field<R, &R::run>,
            .help = "Run folder, or a folder or .pth file of the Python project",
            .is_required = true,
            .files = {.does = FileUse::Does::reads, .folder = FolderKind::run, .with = {"config.json"}}},
           {.name = "encoder",
            .field = field<R, &R::encoder>,
            .group = Group::encoder,
            .help = "For a Python run without this entry: the encoder [the encoder of the run]"},
           {.name = "features",
            .field = field<R, &R::features>,
            .group = Group::encoder,
            .help = "For a Python run: native (encode the molecules) or imported:NAME (rows from store "
                    "import) [as in the run]"},
           store_row<R>(),
           weights_row<R>(),
           encoders_deadline_row<R, &R::conformer_deadline>()}};
}

}  // namespace molgauge::options
