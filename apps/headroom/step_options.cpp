// What the memory of a training depends on: of the verbs that train, and of their plans.

#include <fmt/format.h>

#include "core/error.h"
#include "verb.h"

namespace headroom::cli {

void add_training_step_options(CLI::App& command, TrainRequest& request) {
  command.add_option("--hidden-dim", request.hidden_dim, "Width of the head's first hidden layer")
      ->capture_default_str();
  command
      .add_option("--batch-size", request.batch_size,
                  "Molecules per side and step; all their pairs are compared")
      ->capture_default_str();
  command
      .add_option("--eval-batch-size", request.eval_batch_size, "Molecules per side and batch in validation")
      ->capture_default_str();
  command
      .add_option(
          "--gradient-accumulation", request.gradient_accumulation,
          "Parts that the rows of a step are worked on in, one after the other: auto (as memory demands), "
          "or a number; the result stays the same")
      ->capture_default_str();
  command
      .add_option("--checkpoint-activations", request.checkpoint_activations,
                  "Compute activations again in the backward pass rather than keep them: auto (where the "
                  "plan needs it, or memory runs out), on or off; the result stays the same")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "on", "off"}));
  command
      .add_option("--autocast", request.autocast,
                  "Type of products and activations: off (float32), bf16, or fp16 (GPU; the loss is scaled)")
      ->capture_default_str()
      ->check(CLI::IsMember({"off", "bf16", "fp16"}));
  command
      .add_option("--optimizer-state", request.optimizer_state,
                  "Type of AdamW's moments: fp32, or bf16 (half the memory, rounded at random)")
      ->capture_default_str()
      ->check(CLI::IsMember({"fp32", "bf16"}));
  command
      .add_option(
          "--empty-cache", request.empty_cache,
          "GPU: give cached memory back when it runs out (auto), after each epoch as well (epoch), never")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "never", "epoch"}));
}

void add_classifier_step_options(CLI::App& command, BaselineRequest& request) {
  command
      .add_option(
          "--method", request.method,
          "all, msp, odin, energy, mahalanobis, knn, lof, mc_dropout, conformal, dam_msp or dam_energy")
      ->capture_default_str();
  command
      .add_option("--labels", request.labels,
                  "What the classifier learns. class: cls_label, two outputs; one-output: the same, one "
                  "output; multi-class: reg_label as 0, 1, 2 ...; tasks: several label columns, unknown "
                  "labels left out; value: reg_label as measured (not with dam_msp and dam_energy); auto: "
                  "tasks where the benchmark has several label columns, else class")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "class", "one-output", "multi-class", "tasks", "value"}));
  command.add_option("--hidden-channels", request.hidden_channels, "Width of the classifier's hidden layers")
      ->capture_default_str();
  command.add_option("--num-layers", request.num_layers, "Its linear layers, at least 2")
      ->capture_default_str();
  command.add_option("--batch-size", request.batch_size, "Molecules per training step")
      ->capture_default_str();
  command
      .add_option("--calibration", request.calibration,
                  "held-out: half of the validation molecules choose the classifier, the others calibrate "
                  "conformal; validation: all do both, as the Python program has it")
      ->capture_default_str()
      ->check(CLI::IsMember({"held-out", "validation"}));
}

void add_background_options(CLI::App& command, TrainRequest& request) {
  command.add_option(
      "--ood", request.ood,
      "Molecules out of distribution, any molecule file, or nci (the NCI molecules of rdkit-data): BENCHMARK "
      "is then a file of molecules in distribution, and a benchmark of both is made in the run folder");
  command
      .add_option("--smiles-column", request.smiles_column,
                  "With --ood: column of a .csv or .tsv in place of BENCHMARK that holds the SMILES")
      ->capture_default_str();
  command.add_option("--ood-smiles-column", request.ood_smiles_column, "Likewise of the file of --ood")
      ->capture_default_str();
  command
      .add_option(
          "--ood-similarity", request.ood_similarity,
          "With --ood: background molecules are left out whose ECFP Tanimoto similarity to a molecule "
          "in distribution is that or more")
      ->capture_default_str();
}

void refuse_options_without_background(const CLI::App& command) {
  const bool has_background = command.count("--ood") > 0;
  for (const char* option : {"--smiles-column", "--ood-smiles-column", "--ood-similarity"}) {
    if (command.count(option) > 0 && !has_background) {
      throw UsageError(fmt::format("{} has no effect without --ood FILE", option));
    }
  }
  for (const char* option :
       {"--data-path", "--train-size", "--val-size", "--test-size", "--debug-dataset-size", "--dataset-type",
        "--held-out-seed", "--allow-overlap"}) {
    if (command.count(option) > 0 && has_background) {
      throw UsageError(fmt::format("{} has no effect with --ood: it belongs to a benchmark", option));
    }
  }
}

}  // namespace headroom::cli
