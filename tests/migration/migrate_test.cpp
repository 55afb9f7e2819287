#include "migration/migrate.h"

#include <gmock/gmock.h>

namespace headroom::migration {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

MigratedCall only(std::string_view text) {
  auto calls = migrate(text);
  EXPECT_EQ(calls.size(), 1u);
  return calls.empty() ? MigratedCall{} : calls.front();
}

TEST(Migrate, TrainingKeepsEverySetting) {
  const auto call = only(
      "python main.py --mode train --dataset drugood --data_file a.json --output_dir out --hidden_dim 64 "
      "--dpo_beta "
      "0.5 --lambda_reg 0.1 --epochs 500 --batch_size 8192 --eval_batch_size 4096 --lr 1e-3 --weight_decay 0 "
      "--eval_steps 25 --grad_clip 2 --data_seed 7 --device cpu --debug_dataset_size 100 --dataset_type "
      "drugood "
      "--splits_cache_file s.json --log_level WARNING --foundation_model minimol");
  EXPECT_THAT(
      call.commands,
      ElementsAre("headroom train a.json --run out --device cpu --data-seed 7 --encoder minimol --hidden-dim "
                  "64 --dpo-beta 0.5 --lambda-reg 0.1 --epochs 500 --batch-size 8192 --eval-batch-size 4096 "
                  "--lr 1e-3 --weight-decay 0 --eval-steps 25 --grad-clip 2 --splits-cache s.json "
                  "--log-level warn --debug-dataset-size 100 --dataset-type drugood --early-stopping "
                  "reference"));
  EXPECT_THAT(call.warnings, ElementsAre(StartsWith("--splits_cache_file: only read"),
                                         StartsWith("--early_stopping_patience: ")));
}

TEST(Migrate, ADataSetIsNamedByFileThenSubsetThenName) {
  EXPECT_THAT(only("python main.py --mode train --dataset a --drugood_subset b --data_path d --output_dir o")
                  .commands,
              ElementsAre(StartsWith("headroom train b --run o --data-path d ")));
  EXPECT_THAT(only("python main.py --mode train --dataset=a --output_dir=o").commands,
              ElementsAre(StartsWith("headroom train a --run o ")));
}

TEST(Migrate, SaysWhereNoDataSetIsNamed) {
  for (const char* const command : {"python main.py --mode train", "python baselines.py --method msp"}) {
    const auto call = only(command);
    EXPECT_THAT(call.commands, Contains(HasSubstr(" BENCHMARK --run "))) << command;
    EXPECT_THAT(call.warnings, Contains(StartsWith("--dataset: no data set is named"))) << command;
  }
}

TEST(Migrate, GoodDataSetsAreSplitFirst) {
  const auto call = only(
      "python main.py --mode train --dataset GOOD_HIV --good_domain size --good_shift no_shift "
      "--output_dir o");
  EXPECT_THAT(call.commands,
              ElementsAre("headroom split hiv.csv --algorithm good --domain size --shift none --out "
                          "good_hiv_size_no_shift.json",
                          StartsWith("headroom train good_hiv_size_no_shift.json ")));
  EXPECT_THAT(call.warnings, Contains(HasSubstr("may be named instead of the CSV")));
}

TEST(Migrate, FeatureCachesAreImportedFirst) {
  const auto call = only("python main.py --mode train --dataset a --output_dir o --feature_cache_file f.pkl");
  EXPECT_THAT(call.commands, ElementsAre("headroom store import f.pkl --name python",
                                         HasSubstr("--features imported:python")));
}

TEST(Migrate, AnOptionWithoutEffectIsLeftOutAloud) {
  const auto call = only(
      "python main.py --mode train --dataset a --output_dir o --loss_type bce --dpo_beta 1 "
      "--hinge_squared --save_steps 5 --debug --nonsense 3");
  EXPECT_THAT(call.commands, ElementsAre(AllOf(Not(HasSubstr("dpo-beta")), Not(HasSubstr("hinge")))));
  EXPECT_THAT(call.warnings, AllOf(Contains("--dpo_beta: has no effect with the loss bce; left out"),
                                   Contains("--hinge_squared: has no effect with the loss bce; left out"),
                                   Contains(StartsWith("--save_steps: had no effect")),
                                   Contains("--nonsense: no option of main.py; left out")));
  EXPECT_THAT(only("python main.py --mode train --dataset a --loss_type $LOSS --dpo_beta 1").commands.front(),
              HasSubstr("--dpo-beta 1"));
}

TEST(Migrate, EvaluationNamesTheRunFolder) {
  EXPECT_THAT(
      only("python main.py --mode eval --dataset a --output_dir o --model_path o/best_model.pth").commands,
      ElementsAre("headroom evaluate o"));
  EXPECT_THAT(
      only(
          "python main.py --mode eval --dataset a --model_path old/best_model.pth --feature_cache_file f.pkl "
          "--foundation_model minimol")
          .commands,
      ElementsAre("headroom store import f.pkl --name python",
                  "headroom evaluate old/best_model.pth --features imported:python --encoder minimol"));
  EXPECT_THAT(
      only("python main_generalization.py --mode eval --dataset a --output_dir o --test_data_file b.json "
           "--test_drugood_subset b")
          .commands,
      ElementsAre("headroom evaluate o --data b.json"));
}

TEST(Migrate, PredictionScoresFilesAndLists) {
  EXPECT_THAT(only("python main.py --mode predict --dataset a --output_dir o --test_file m.txt").commands,
              ElementsAre("headroom score o m.txt --format csv"));
  EXPECT_THAT(
      only("python main.py --mode predict --dataset a --output_dir o --test_smiles CCO 'C(=O)O'").commands,
      ElementsAre("printf '%s\\n' CCO 'C(=O)O' | headroom score o - --format csv"));
  EXPECT_THAT(
      only("python prediction.py --model_path b.pth --input_file i.csv --output_file o.csv --smiles_column s "
           "--threshold 0.5 --batch_size 3")
          .commands,
      ElementsAre("headroom score b.pth i.csv --out o.csv --smiles-column s --threshold 0.5"));
}

/// What is printed is a script: no text of the old one runs in it.
TEST(Migrate, TextStaysTextInCommandsAndRemarks) {
  const auto call =
      only("python main.py --mode train --dataset a --output_dir '$(touch pwned)' '-x $A\nrm b'");
  EXPECT_THAT(call.commands, ElementsAre(StartsWith("headroom train a --run '$(touch pwned)' ")));
  EXPECT_THAT(call.warnings, Contains("-x $A rm b: no option of main.py; left out"));
}

TEST(Migrate, WhatIsStillToComeIsSaidWithItsReason) {
  EXPECT_THAT(only("python main.py --mode train --dataset a --finetune_encoder").warnings,
              Contains(StartsWith("--finetune_encoder: comes with fine-tuning")));
  EXPECT_THAT(only("python main.py --mode train --dataset a --foundation_model unimol").warnings,
              Contains(StartsWith("--foundation_model: unimol comes with Uni-Mol")));
}

TEST(Migrate, BaselinesKeepTheirOptions) {
  const auto call =
      only("python baselines.py --dataset a.json --method knn --knn_k 7 --output_dir out --num_workers 2");
  EXPECT_THAT(call.commands, ElementsAre("headroom baseline a.json --run out --method knn --knn-k 7"));
  EXPECT_THAT(call.warnings, Contains(StartsWith("--num_workers: no worker processes")));
}

TEST(Migrate, ExperimentScriptsBecomeAMatrix) {
  const auto call = only("./run_good_experiments.sh --seeds 1 2 3 --output_dir out");
  EXPECT_THAT(call.commands, ElementsAre("headroom experiment SPEC.toml --out out"));
  EXPECT_THAT(call.warnings, Contains(StartsWith("--seeds: now [matrix] seeds")));
}

// The settings of the Python project's experiment program, in its form: a list in a Python script.
TEST(Migrate, ExperimentProgramsKeepTheirSettings) {
  const auto call = only(
      "#!/usr/bin/env python3\ntrain_cmd = [\n    sys.executable, \"main.py\",\n    \"--mode\", \"train\",\n"
      "    \"--dataset\", dataset,\n    \"--data_file\", data_file,\n    \"--output_dir\", output_dir,\n"
      "    \"--seed\", str(seed),\n    \"--epochs\", \"500\",\n    \"--batch_size\", \"8192\",  # "
      "fingerprints\n"
      "    \"--eval_steps\", \"25\",\n    \"--encoding_batch_size\", \"500\"\n]\n");
  EXPECT_THAT(call.commands,
              ElementsAre("headroom train \"${data_file}\" --run \"${output_dir}\" --seed \"${seed}\" "
                          "--epochs 500 --batch-size 8192 --eval-steps 25 --early-stopping reference"));
  EXPECT_THAT(call.warnings, Contains(StartsWith("--encoding_batch_size: batches are packed by atoms")));
}

}  // namespace
}  // namespace headroom::migration
