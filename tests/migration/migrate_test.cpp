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
      "drugood --log_level WARNING --foundation_model minimol");
  EXPECT_THAT(
      call.commands,
      ElementsAre("headroom train a.json --run out --device cpu --data-seed 7 --encoder minimol --hidden-dim "
                  "64 --dpo-beta 0.5 --lambda-reg 0.1 --epochs 500 --batch-size 8192 --eval-batch-size 4096 "
                  "--lr 1e-3 --weight-decay 0 --eval-steps 25 --grad-clip 2 --log-level warn "
                  "--debug-dataset-size 100 --dataset-type drugood --early-stopping "
                  "reference"));
  EXPECT_THAT(call.warnings, ElementsAre(StartsWith("--early_stopping_patience: ")));
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
              ElementsAre("[ -e data/good_hiv_size_none.json ] || headroom split data/hiv.csv --label-column "
                          "HIV_active --algorithm good --domain size --shift none --out "
                          "data/good_hiv_size_none.json",
                          StartsWith("headroom train data/good_hiv_size_none.json --run o ")));
  EXPECT_THAT(call.warnings, Contains(HasSubstr("may be named instead of the table")));
}

/// Without them the split would follow the rules for classes, which order sizes the other way round.
TEST(Migrate, ZincIsSplitByItsValues) {
  EXPECT_THAT(only("python main.py --mode train --dataset good_zinc --data_path d --output_dir o").commands,
              Contains(HasSubstr("headroom split d/zinc.csv --label-column logp --style values ")));
  EXPECT_THAT(only("python baselines.py --dataset good_pcba --output_dir o").commands,
              Contains(HasSubstr("headroom split data/raw/pcba.csv $(head -n 1 data/raw/pcba.csv | ")));
}

TEST(Migrate, DefaultsThatDifferAreWrittenOut) {
  EXPECT_THAT(only("python main.py --mode train --dataset a").commands,
              ElementsAre(StartsWith("headroom train a --run runs/first --data-path data ")));
  const auto call = only("python baselines.py --dataset a");
  EXPECT_THAT(call.commands, ElementsAre("headroom baseline a --run baseline_results --data-path data/raw "
                                         "--encoder unimol --metrics baseline --calibration validation"));
  for (const char* const option : {"--foundation_model: ", "--metrics: ", "--calibration: "}) {
    EXPECT_THAT(call.warnings, Contains(StartsWith(option)));
  }
}

TEST(Migrate, OptionsThatAMethodDoesNotHaveAreLeftOutAloud) {
  const auto call = only("python baselines.py --dataset a --method msp --T 5 --knn_k 3 --output_dir o");
  EXPECT_THAT(call.commands, ElementsAre(AllOf(Not(HasSubstr("odin")), Not(HasSubstr("knn")))));
  EXPECT_THAT(call.warnings, AllOf(Contains("--T: has no effect with --method msp; left out"),
                                   Contains("--knn_k: has no effect with --method msp; left out")));
  const auto drawn =
      only("python main.py --mode train --dataset a --splits_cache_file s --debug_dataset_size 9");
  EXPECT_THAT(drawn.commands, ElementsAre(AllOf(HasSubstr("--splits-cache s"), Not(HasSubstr("debug")))));
}

TEST(Migrate, AnOptionWithoutItsValueIsLeftOutAloud) {
  const auto call = only("python main.py --mode train --dataset a --epochs --lr 1");
  EXPECT_THAT(call.commands, ElementsAre(AllOf(HasSubstr("--lr 1"), Not(HasSubstr("--epochs")))));
  EXPECT_THAT(call.warnings, Contains("--epochs: takes a value, and none is given; left out"));
}

TEST(Migrate, OptionsMayBeCutShort) {
  EXPECT_THAT(only("python main.py --mode train --dataset a --epo 3 --hinge 4").commands,
              ElementsAre(AllOf(HasSubstr("--epochs 3"), Not(HasSubstr("hinge")))));
}

/// What a variable holds decides what a call becomes; values that the script assigns are known.
TEST(Migrate, WhatDependsOnUnknownVariablesIsTranslatedLater) {
  const auto only_later = [](const char* script) {
    EXPECT_THAT(migrate(script).back().commands, ElementsAre(StartsWith("headroom migrate --run main.py ")))
        << script;
  };
  only_later("python main.py --mode train --dataset a \"$@\"");
  only_later("python main.py --mode $MODE --dataset a");
  only_later("python main.py --mode train --dataset $1");
  only_later("for d in good_hiv a; do\npython main.py --mode train --dataset $d\ndone");
  only_later(
      "for l in dpo bce; do\npython main.py --mode train --dataset a --loss_type $l --dpo_beta 1\ndone");
  only_later("read M; python main.py --mode $M --dataset a");
  const auto known = migrate(
      "DATA=(a b)\nM=train\nfor d in \"${DATA[@]}\"; do\n for l in bce mse; do\n"
      "python main.py --mode $M --dataset \"$d\" --loss_type $l --dpo_beta 1\ndone\ndone");
  EXPECT_THAT(known.back().commands, ElementsAre(StartsWith("headroom train \"$d\" --run ")));
  EXPECT_THAT(known.back().commands, ElementsAre(AllOf(HasSubstr("--loss \"$l\""), Not(HasSubstr("dpo")))));
}

TEST(MigratedScript, KeepsEverythingButItsCalls) {
  EXPECT_THAT(
      migrated_script("#!/bin/bash\nfor s in 1 2; do  # seeds\n  if ! A=1 python -u main.py --mode eval "
                      "--dataset x --output_dir \"$O\"_b \\\n    > log 2>&1; then exit 1; fi\ndone\n"),
      AllOf(StartsWith("#!/bin/bash\n# Made by headroom migrate"),
            HasSubstr("\nfor s in 1 2; do  # seeds\n  if ! A=1 headroom evaluate \"${O}_b\" \\\n"
                      "    > log 2>&1; then exit 1; fi\ndone\n")));
  EXPECT_EQ(migrated_script("#!/bin/bash\necho main.py\n"), "");
}

TEST(MigratedScript, SeveralCommandsStandInBracesOrAreMadeLater) {
  EXPECT_THAT(migrated_script("python main.py --mode train --dataset good_hiv --output_dir o || exit 1\n"),
              AllOf(HasSubstr("{ [ -e data/good_hiv_scaffold_covariate.json ] || headroom split "),
                    HasSubstr("; } || exit 1\n")));
  EXPECT_THAT(
      migrated_script("nohup python main.py --mode train --dataset good_hiv --output_dir o &\n"),
      HasSubstr("nohup headroom migrate --run main.py --mode train --dataset good_hiv --output_dir o &\n"));
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
  EXPECT_THAT(call.warnings, AllOf(Contains("--dpo_beta: has no effect with --loss_type bce; left out"),
                                   Contains("--hinge_squared: has no effect with --loss_type bce; left out"),
                                   Contains(StartsWith("--save_steps: had no effect")),
                                   Contains("--nonsense: no option of main.py; left out")));
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
      ElementsAre(
          "headroom store import f.pkl --name python",
          "headroom evaluate old/best_model.pth --features imported:python --data-path data --encoder "
          "minimol"));
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

TEST(Migrate, FineTuningIsOfUnimolAlone) {
  const std::string tuning =
      "python main.py --mode train --dataset a --finetune_encoder --encoder_lr 1e-6 --freeze_layers 0-9";
  const auto frozen = only(tuning);
  for (const char* const option : {"--finetune_encoder", "--encoder_lr", "--freeze_layers"}) {
    EXPECT_THAT(
        frozen.warnings,
        Contains(StartsWith(option + std::string(": has no effect with --foundation_model minimol"))));
  }
  EXPECT_THAT(frozen.commands, ElementsAre(Not(HasSubstr("--freeze-layers"))));
  EXPECT_THAT(only(tuning + " --foundation_model unimol").commands,
              ElementsAre(HasSubstr("--finetune-encoder --encoder-lr 1e-6 --freeze-layers 0-9")));
  EXPECT_THAT(
      only("python main.py --mode train --dataset a --foundation_model unimol --freeze_layers 0-9").warnings,
      Contains(StartsWith("--freeze_layers: has no effect")));
  EXPECT_THAT(only("python main.py --mode train --dataset a --foundation_model unimol").warnings,
              Contains(StartsWith("--foundation_model: the weights of unimol")));
}

TEST(Migrate, BaselinesKeepTheirOptions) {
  const auto call =
      only("python baselines.py --dataset a.json --method knn --knn_k 7 --output_dir out --num_workers 2");
  EXPECT_THAT(
      call.commands,
      ElementsAre("headroom baseline a.json --run out --data-path data/raw --encoder unimol --method knn "
                  "--knn-k 7 --metrics baseline --calibration validation"));
  EXPECT_THAT(call.warnings, Contains(StartsWith("--num_workers: no worker processes")));
}

TEST(Migrate, ExperimentScriptsBecomeAMatrix) {
  const auto call = only(
      "./run_good_experiments.sh --seeds 1 2 3 --datasets hiv --domains size --shifts covariate --output_dir "
      "out");
  EXPECT_THAT(
      call.commands,
      ElementsAre(StartsWith("[ -e data/raw/good_hiv_size_covariate.json ] || headroom split "),
                  AllOf(StartsWith("cat > good_experiments.toml <<"), HasSubstr("seeds = [1, 2, 3]\n"),
                        HasSubstr("file = \"good_hiv_size_covariate.json\"\n")),
                  "headroom experiment good_experiments.toml --data-path data/raw --out out"));
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
