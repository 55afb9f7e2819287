// Tests every option and every script in the documentation of the Python project. The commands that `molgauge
// migrate` prints must run on small data and write the files of the old command.

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "pickle_writer.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A command line of the Python project, and the files that the migrated commands must write. If the list is
/// empty, the commands must print numbers.
struct OldLine {
  std::string text;
  std::vector<std::string> files = {};
};

const std::vector<OldLine>& energy_lines() {
  static const std::vector<OldLine> lines = {
      {"python main.py --mode train --dataset drugood --drugood_subset lbap_general_ec50_size --data_path "
       "data "
       "--seed 1 --device cpu --data_seed 7 --foundation_model minimol --hidden_dim 16 --loss_type dpo "
       "--dpo_beta 0.5 --lambda_reg 0.1 --epochs 1 --batch_size 64 --eval_batch_size 32 --lr 1e-3 "
       "--weight_decay 0 --eval_steps 2 --save_steps 5 --early_stopping_patience 2 --grad_clip 2 "
       "--precompute_features --force_recompute_cache --cache_root caches --encoding_batch_size 10 "
       "--output_dir runs/full --exp_name e --log_level WARNING --debug --debug_dataset_size 40 "
       "--num_workers 0 --graph_cache_workers 2 --dataset_type drugood",
       {"runs/full/training_stats.json"}},
      {"python3 -u main.py --mode=train --dataset lbap_general_ec50_scaffold --epochs=1",
       {"runs/first/training_stats.json"}},
      {"python main.py --mode train --dataset a --data_file data/raw/lbap_general_ec50_assay.json --epochs 1 "
       "--exp_name hinge --loss_type hinge --hinge_margin .5 --hinge_topk .5 --hinge_squared --dpo_beta 2",
       {"runs/hinge/training_stats.json"}},
      {"python main.py --mode train --dataset lbap_general_ec50_size --epochs 1 --loss_type bce --dpo_beta 2 "
       "--hinge_margin 2 --output_dir runs/bce --finetune_encoder --encoder_lr 1e-6 --freeze_layers 0-12",
       {"runs/bce/training_stats.json"}},
      {"python main.py --mode train --dataset lbap_general_ec50_size --foundation_model unimol --loss_type "
       "mse "
       "--epochs 1 --output_dir runs/mse",
       {"runs/mse/training_stats.json"}},
      {"python main.py --mode train --dataset lbap_general_ec50_size --splits_cache_file splits.json "
       "--epochs 1 "
       "--debug_dataset_size 20 --output_dir runs/drawn",
       {"runs/drawn/training_stats.json"}},
      {"python main.py --mode train --dataset lbap_general_ec50_size --feature_cache_file features.pkl "
       "--epochs 1 --output_dir runs/imported",
       {"runs/imported/training_stats.json"}},
      {"python main.py --mode eval --dataset drugood --drugood_subset lbap_general_ec50_size --output_dir "
       "runs/full --model_path runs/full/best_model.pth --seed 1 --foundation_model minimol",
       {"runs/full/ood_evaluation_results.json"}},
      {"python main.py --mode eval --dataset lbap_general_ec50_scaffold", {"runs/first/test_metrics.json"}},
      {"python main.py --mode predict --dataset a --model_path runs/hinge/best_model.pth --test_smiles CCO "
       "'C1=CC=CC=C1C(=O)O'"},
      {"python main.py --mode predict --dataset a --output_dir runs/bce --test_file new.csv"},
      {"python main_generalization.py --mode train --dataset lbap_general_ec50_assay --epochs 1 --output_dir "
       "runs/general",
       {"runs/general/training_stats.json"}},
      {"python main_generalization.py --mode eval --dataset a --output_dir runs/general "
       "--test_drugood_subset "
       "lbap_general_ec50_size"},
      {"python main_generalization.py --mode eval --dataset a --output_dir runs/general --test_data_file "
       "data/raw/lbap_general_ec50_scaffold.json"},
      {"python prediction.py --model_path runs/full/best_model.pth --hidden_dim 16 --dpo_beta 0.5 "
       "--input_file "
       "new.csv --output_file scores.csv --smiles_column smiles --threshold 0.5 --batch_size 3 --device cpu "
       "--seed 1",
       {"scores.csv"}},
      {"python prediction.py --model_path runs/full/best_model.pth --smiles CCO c1ccccc1 --threshold 0"},
      {"python prediction.py --model_path runs/full/best_model.pth --threshold 0"}};
  return lines;
}

const std::vector<OldLine>& good_lines() {
  static const std::vector<OldLine> lines = {
      {"python main.py --mode train --dataset good_hiv --epochs 1 --output_dir runs/hiv",
       {"data/good_hiv_scaffold_covariate.json", "runs/hiv/training_stats.json"}},
      {"python main.py --mode train --dataset GOOD_ZINC --good_domain size --good_shift covariate "
       "--data_path "
       "data/raw --epochs 1 --output_dir runs/zinc --dataset_type good",
       {"data/raw/good_zinc_size_covariate.json", "runs/zinc/training_stats.json"}},
      {"python main.py --mode train --dataset good_pcba --good_domain scaffold --good_shift no_shift "
       "--epochs 1 "
       "--output_dir runs/pcba",
       {"data/good_pcba_scaffold_none.json", "runs/pcba/training_stats.json"}},
      {"python baselines.py --dataset good_hiv --good_domain size --good_shift covariate --data_path data "
       "--method msp --epochs 1 --output_dir baselines/hiv",
       {"baselines/hiv/msp_results.json"}}};
  return lines;
}

const std::vector<OldLine>& baseline_lines() {
  static const std::vector<OldLine> lines = {
      {"python baselines.py --dataset lbap_general_ec50_size --method all --foundation_model minimol "
       "--data_path data/raw --cache_root caches --debug_dataset_size 60 --data_seed 3 --precompute_features "
       "--force_recompute_cache --encoding_batch_size 8 --hidden_channels 8 --num_layers 2 --dropout .1 --lr "
       ".02 --weight_decay 0 --epochs 1 --patience 2 --batch_size 16 --eval_batch_size 8 --T 1000 --noise "
       ".001 "
       "--knn_k 5 --lof_neighbors 5 --mc_dropout_samples 3 --mc_dropout_metric variance --dam_lr .05 "
       "--dam_margin .5 --output_dir baselines/all --device cpu --num_workers 1 --seed 4 --verbose",
       {"baselines/all/msp_results.json", "baselines/all/conformal_scores.npz",
        "baselines/all/dam_energy_results.json"}},
      {"python baselines.py --dataset lbap_general_ec50_assay --method msp --T 1000 --knn_k 5 "
       "--lof_neighbors 5 "
       "--mc_dropout_samples 3 --dam_lr .1 --noise .1 --epochs 1",
       {"baseline_results/msp_results.json"}},
      {"python baselines.py --dataset x --drugood_subset lbap_general_ec50_scaffold --method dam_msp --lr .1 "
       "--epochs 1 --output_dir baselines/dam",
       {"baselines/dam/dam_msp_results.json"}},
      {"python baselines.py --dataset x --data_file data/raw/lbap_general_ec50_size.json --method knn --T 5 "
       "--epochs 1 --output_dir baselines/knn",
       {"baselines/knn/knn_results.json"}}};
  return lines;
}

const std::vector<OldLine>& script_lines() {
  static const std::vector<OldLine> lines = {
      {"./run_experiments.sh --datasets lbap_general_ec50_size --seeds 1 2 --epochs 1 --batch_size 64",
       {"outputs/summary.csv", "outputs/ecfp_experiment_results.json", "outputs/ablation_summary.json"}},
      {"bash scripts/run_good_experiments.sh --datasets zinc hiv --domains size --shifts covariate --seeds 1 "
       "--foundation_models minimol --data_seed 3 --epochs 1 --lr 1e-3 --output_dir good",
       {"good/summary.csv"}},
      {"bash run_baselines.sh --methods msp odin dam_msp energy --datasets lbap_general_ec50_assay --seeds 1 "
       "--foundation_models minimol unimol --epochs 1 --data_path data/raw --output_dir matrix "
       "--only_loss_types "
       "dpo",
       {"matrix/summary.csv"}},
      {"bash run_baselines.sh --quick --methods knn --datasets good_hiv --good_domain size --good_shift "
       "covariate "
       "--output_dir quick",
       {"quick/summary.csv"}},
      {"./run_cross_dataset_experiments.sh --seeds 1 --epochs 1 --output_dir cross",
       {"cross/summary.csv", "cross/cross_dataset_summary.json"}},
      {"./run_ablation.sh --only_loss_types bce --seeds 1 --epochs 1 --output_dir one --skip_training",
       {"one/summary.csv"}},
      {"python run_ablation_study.py --seeds 1 --epochs 1 --output_dir ablation",
       {"ablation/summary.csv", "ablation/runs/ecfp/lbap_general_ec50_scaffold/hinge_metrics.json"}}};
  return lines;
}

/// No weights are installed for these tests, so ecfp replaces the encoders that need weights.
std::string without_weights(std::string text) {
  text = std::regex_replace(text, std::regex("encoders = \\[[^\\]]*\\]"), "encoders = [\"ecfp\"]");
  text = std::regex_replace(text, std::regex("--encoder (minimol|unimol)"), "--encoder ecfp");
  std::string lines, line;
  for (std::istringstream stream(text); std::getline(stream, line);) {
    const bool has_choice = line.find("--encoder") != std::string::npos ||
                            line.find("--features") != std::string::npos || line.starts_with("#");
    lines += has_choice
                 ? line
                 : std::regex_replace(line, std::regex("molgauge train "), "molgauge train --encoder ecfp ");
    lines += '\n';
  }
  return lines;
}

class MigratedLines : public testing::Test {
 protected:
  MigratedLines() {
    std::filesystem::create_directories(place_.path("data/raw"));
    make_tables();
    make_benchmarks();
    make_caches();
    place_.file("new.csv", "smiles,name\nCCO,ethanol\nc1ccccc1,benzene\n");
  }

  /// Returns `count` molecules of Debian's rdkit-data, starting at line `first`.
  static std::vector<std::string> molecules(std::size_t first, std::size_t count) {
    std::ifstream file("/usr/share/RDKit/Data/NCI/first_5K.smi");
    std::vector<std::string> found;
    std::string line;
    for (std::size_t i = 0; i < first + count && std::getline(file, line); ++i) {
      if (i >= first) {
        found.push_back(line.substr(0, line.find_first_of(" \t")));
      }
    }
    return found;
  }

  /// The tables of GOOD with their published columns.
  void make_tables() {
    std::string hiv = "smiles,HIV_active\n", zinc = "smiles,logp\n",
                pcba = "mol_id,smiles,PCBA-1030,PCBA-1379\n";
    std::size_t row = 0;
    for (const std::string& smiles : molecules(0, 200)) {
      hiv += fmt::format("{},{}\n", smiles, row % 3 == 0 ? 1 : 0);
      zinc += fmt::format("{},{}\n", smiles, 0.25 * static_cast<double>(row % 17));
      pcba += fmt::format("m{},{},{},{}\n", row, smiles, row % 2, row % 5 == 0 ? "" : "1");
      ++row;
    }
    for (const char* const folder : {"data/", "data/raw/"}) {
      place_.file(folder + std::string("hiv.csv"), hiv);
      place_.file(folder + std::string("zinc.csv"), zinc);
      place_.file(folder + std::string("pcba.csv"), pcba);
    }
  }

  /// Files of DrugOOD that share no molecules.
  void make_benchmarks() {
    std::size_t first = 200;
    for (const char* const name : {"assay", "scaffold", "size"}) {
      std::string table;
      for (const std::string& smiles : molecules(first, 150)) {
        table += smiles + '\n';
      }
      first += 150;
      const std::string file = place_.path(fmt::format("data/raw/lbap_general_ec50_{}.json", name));
      const Outcome split = place_.split(place_.file("table.smi", table), file);
      ASSERT_EQ(split.exit_code, 0) << split.err;
      place_.label_alternately(file);
    }
  }

  void make_caches() {
    const auto parts =
        nlohmann::json::parse(read_file(place_.path("data/raw/lbap_general_ec50_size.json"))).at("split");
    std::map<std::string, std::vector<float>> rows;
    float number = 0;
    for (const auto& part : parts) {
      for (const auto& item : part) {
        rows[item.at("smiles").get<std::string>()] = {number, 1 - number, 0.5F};
        number += 0.01F;
      }
    }
    place_.file("features.pkl", feature_cache(rows));
    const auto texts = [&](const char* part, std::size_t begin, std::size_t count) {
      nlohmann::json list = nlohmann::json::array();
      for (std::size_t i = begin; i < begin + count; ++i) {
        list.push_back(parts.at(part).at(i).at("smiles"));
      }
      return list;
    };
    const nlohmann::json cache = {{"metadata", {{"data_seed", 42}}},
                                  {"splits",
                                   {{"train_id", texts("train", 0, 8)},
                                    {"train_ood", texts("ood_val", 0, 4)},
                                    {"val_id", texts("iid_val", 0, 3)},
                                    {"val_ood", texts("ood_val", 4, 3)},
                                    {"test_id", texts("iid_test", 0, 3)},
                                    {"test_ood", texts("ood_test", 0, 3)}}}};
    place_.file("splits.json", cache.dump());
  }

  Outcome run_shell(const std::string& script, const std::string& name = "script",
                    const std::string& interpreter = "/bin/bash", const std::string& arguments = "") {
    const std::string file = place_.file(name, script);
    const std::string path = std::filesystem::path(MOLGAUGE_PROGRAM).parent_path().string();
    CommandOptions options;
    options.program = "/bin/bash";
    options.environment = {{"MOLGAUGE_HOME", place_.path("home")},
                           {"PATH", path + ":/usr/local/bin:/usr/bin:/bin"}};
    options.stdin_text = "CCO\nCCN\n";
    return molgauge({"-c", fmt::format("cd '{}' && {} {} {}", place_.path(""), interpreter, file, arguments)},
                    options);
  }

  /// The output of `molgauge migrate` for a script.
  std::string migrated_script(const std::string& name, const std::string& script) {
    const Outcome migrated = molgauge({"migrate", place_.file(name, script)});
    EXPECT_EQ(migrated.exit_code, 0) << migrated.err;
    return migrated.out;
  }

  void expect_that_all_run(const std::vector<OldLine>& lines) {
    for (const OldLine& line : lines) {
      SCOPED_TRACE(line.text);
      const Outcome migrated = molgauge({"migrate", line.text});
      ASSERT_EQ(migrated.exit_code, 0) << migrated.err;
      const Outcome done = run_shell("set -e\n" + without_weights(migrated.out));
      EXPECT_EQ(done.exit_code, 0) << migrated.out << done.err;
      for (const std::string& file : line.files) {
        EXPECT_TRUE(std::filesystem::exists(place_.path(file))) << file << '\n' << migrated.out << done.err;
      }
      if (line.files.empty()) {
        EXPECT_THAT(done.out, testing::MatchesRegex("(.|\n)*[0-9](.|\n)*")) << migrated.out;
      }
    }
  }

  Workplace place_;
};

TEST_F(MigratedLines, OfMainAndPredictionRun) { expect_that_all_run(energy_lines()); }

TEST_F(MigratedLines, OfGoodDataSetsRun) {
  expect_that_all_run(good_lines());
  const auto zinc = nlohmann::json::parse(read_file(place_.path("data/raw/good_zinc_size_covariate.json")));
  const auto heavy = [&](const char* part) {
    double sum = 0;
    for (const auto& item : zinc.at("split").at(part)) {
      sum += item.at("smiles").get<std::string>().size();
    }
    return sum / static_cast<double>(zinc.at("split").at(part).size());
  };
  EXPECT_GT(heavy("train"), heavy("ood_test")) << "GOOD trains on the large molecules of ZINC";
}

TEST_F(MigratedLines, OfBaselinesRun) { expect_that_all_run(baseline_lines()); }

TEST_F(MigratedLines, OfExperimentScriptsRun) { expect_that_all_run(script_lines()); }

TEST(MigratedLinesAll, HaveEveryOptionOfThePythonProject) {
  std::set<std::string> used;
  for (const auto& lines : {energy_lines(), good_lines(), baseline_lines(), script_lines()}) {
    for (const OldLine& line : lines) {
      const std::regex option("--[a-zA-Z_]+");
      for (std::sregex_iterator match(line.text.begin(), line.text.end(), option), last; match != last;
           ++match) {
        used.insert(match->str());
      }
    }
  }
  std::istringstream table(molgauge({"migrate", "--options"}).out);
  std::size_t known = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with("| `--")) {
      const std::string option = line.substr(3, line.find('`', 3) - 3);
      EXPECT_TRUE(used.contains(option)) << option;
      ++known;
    }
  }
  EXPECT_GE(known, 110U);
}

// The scripts below contain the constructs of the scripts of the Python project: loops, arrays, variables,
// forwarded arguments, eval, redirections and tests.

constexpr const char* kBaselines = R"(#!/bin/bash
set -e
DATASETS=(lbap_general_ec50_size)
METHODS=("msp" "odin"
         "knn")   # three of the ten
SEEDS=(1)
OUTPUT="matrix out"
EXTRA_ARGS="--epochs 1"
for dataset in "${DATASETS[@]}"; do
  for method in "${METHODS[@]}"; do
    for seed in "${SEEDS[@]}"; do
      folder="$OUTPUT/${dataset}/$method"_s
      mkdir -p "$OUTPUT"
      if ! python -u baselines.py --dataset "$dataset" --method "$method" --foundation_model ecfp \
          --T 1000 --knn_k 5 --seed $seed $EXTRA_ARGS --output_dir "$OUTPUT/${dataset}/$method"_s "$@" \
          > "$OUTPUT/log.txt" 2>&1; then
        echo "failed: $dataset $method"; cat "$OUTPUT/log.txt"; exit 1
      fi
      test -f "$folder/${method}_results.json"
    done
  done
done
)";

TEST_F(MigratedLines, AShellScriptKeepsItsLoopsAndArgumentsAndRuns) {
  const std::string script = migrated_script("old_baselines.sh", kBaselines);
  EXPECT_THAT(script, HasSubstr("molgauge migrate --run baselines.py --dataset \"$dataset\""));
  EXPECT_THAT(script, Not(HasSubstr("python -u")));
  const Outcome done = run_shell(script, "run_baselines.sh", "/bin/bash", "--device cpu --batch_size 16");
  EXPECT_EQ(done.exit_code, 0) << script << done.out << done.err;
  for (const char* const method : {"msp", "odin", "knn"}) {
    EXPECT_TRUE(std::filesystem::exists(
        place_.path(fmt::format("matrix out/lbap_general_ec50_size/{0}_s/{0}_results.json", method))));
  }
}

constexpr const char* kAblation = R"(#!/usr/bin/env bash
LOSSES=("dpo" "hinge")
OUT=ablation
declare -a COMMON=(--foundation_model ecfp
  --epochs 1)
run() {
  local loss="$1"; shift
  CMD="python main.py --mode train --dataset lbap_general_ec50_scaffold --loss_type $loss --output_dir $OUT/${loss}_seed_1"
  CMD="$CMD --foundation_model ecfp --epochs 1 --dpo_beta 0.2 --hinge_margin 0.3"
  echo "$CMD"
  eval $CMD || exit 1
}
for loss in ${LOSSES[@]}; do
  run "$loss"
  A="$OUT/$loss"
  nohup python main.py --mode eval --dataset lbap_general_ec50_scaffold --output_dir "$A"_seed_1 | tee "$OUT/$loss.log" || exit 1
done
python main.py --mode train --dataset lbap_general_ec50_size "${COMMON[@]}" --output_dir $OUT/array || exit 1
python main.py --mode train --dataset good_hiv --good_domain size --foundation_model ecfp --epochs 1 --output_dir $OUT/good || exit 1
python prediction.py --model_path "$OUT/dpo_seed_1/best_model.pth" --smiles CCO --threshold 0 > "$OUT/scores.csv" || exit 1
)";

TEST_F(MigratedLines, AScriptWithTextsThatAreExecutedRuns) {
  const std::string script = migrated_script("old_ablation.sh", kAblation);
  const Outcome done = run_shell(script, "run_ablation.sh");
  EXPECT_EQ(done.exit_code, 0) << script << done.out << done.err;
  for (const char* const file :
       {"ablation/dpo_seed_1/test_metrics.json", "ablation/hinge_seed_1/test_metrics.json",
        "ablation/array/training_stats.json", "ablation/good/training_stats.json", "ablation/scores.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(place_.path(file))) << file << script << done.out << done.err;
  }
}

constexpr const char* kStudy = R"(#!/usr/bin/env python3
"""Trains each loss, and reads what it left."""
import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(".")


def run(loss, seed, out, args):
    command = [
        sys.executable, str(ROOT / "main.py"),   # the program
        "--mode", "train", "--dataset", "lbap_general_ec50_size",
        "--loss_type", loss, "--seed", str(seed), "--epochs", str(args.epochs),
        "--foundation_model", "ecfp", "--output_dir", str(out),
    ]
    if loss == "dpo":
        command += ["--dpo_beta", "0.1"]
    subprocess.run(command, check=True)
    subprocess.run(f"python main.py --mode eval --dataset x --output_dir {out}", shell=True, check=True)
    return json.loads((out / "test_metrics.json").read_text())


parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=50)
parser.add_argument("--only_loss_types", nargs="*", default=["dpo", "bce"])
args = parser.parse_args()
results = {}
for loss in args.only_loss_types:
    results[loss] = run(loss, 1, Path("study") / f"{loss}_seed_1", args)
Path("study/ablation_summary.json").write_text(json.dumps(results))
)";

TEST_F(MigratedLines, APythonScriptStaysOneAndRuns) {
  const std::string script = migrated_script("old_study.py", kStudy);
  EXPECT_THAT(script, HasSubstr(R"("molgauge", "migrate", "--run", "main.py",   # the program)"));
  EXPECT_THAT(script, HasSubstr("f\"molgauge migrate --run main.py --mode eval"));
  const Outcome done = run_shell(script, "run_ablation_study.py", "python3", "--epochs 1");
  EXPECT_EQ(done.exit_code, 0) << script << done.out << done.err;
  const auto summary = nlohmann::json::parse(read_file(place_.path("study/ablation_summary.json")));
  EXPECT_TRUE(summary.contains("dpo") && summary.contains("bce"));
}

}  // namespace
}  // namespace molgauge::test
