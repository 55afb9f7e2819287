#include "migration/old_options.h"

#include <array>

#include <fmt/format.h>

namespace headroom::migration {
namespace {

constexpr std::string_view kSpecification = "a key of the specification that headroom migrate writes";
constexpr std::string_view kFinetuning =
    "left out with minimol, whose layers are not trained; 0-12 now freezes 13 layers and trains two";
constexpr std::string_view kUnimol =
    "the weights of unimol are installed with headroom weights install unimol";
constexpr std::string_view kHead = "read from the model file";

// programs, name, preset, verbs, counterpart, explanation, flag, list
constexpr std::array kOptions = {
    OldOption{"eg", "--mode", "", "tvs", "train, evaluate, score", "the verb"},
    OldOption{"eg", "--seed", "38", "t", "--seed",
              "the same training pairs, but other first weights and dropout; evaluation draws nothing"},
    OldOption{"eg", "--device", "cuda if available", "tvs", "--device", ""},
    OldOption{"eg", "--data_seed", "42", "t", "--data-seed", ""},
    OldOption{"eg", "--foundation_model", "minimol", "tvs", "--encoder", kUnimol},
    OldOption{"e", "--finetune_encoder", "", "t", "--finetune-encoder", kFinetuning, true},
    OldOption{"e", "--encoder_lr", "5e-6", "t", "--encoder-lr", kFinetuning},
    OldOption{"e", "--freeze_layers", "0-12", "t", "--freeze-layers", kFinetuning},
    OldOption{"eg", "--dataset", "", "t", "BENCHMARK", "a file, or a name in --data-path"},
    OldOption{"eg", "--data_path", "./data", "tv", "--data-path",
              "DATA/NAME.json, DATA/raw/NAME.json and DATA/drugood/NAME.json are looked for"},
    OldOption{"eg", "--data_file", "", "t", "BENCHMARK", ""},
    OldOption{"eg", "--drugood_subset", "", "t", "BENCHMARK", "the name of the file in --data-path"},
    OldOption{"eg", "--good_domain", "scaffold", "", "split --domain",
              "the benchmark is a file that headroom split makes once"},
    OldOption{"eg", "--good_shift", "covariate", "", "split --shift",
              "the benchmark is a file that headroom split makes once; no_shift is none"},
    OldOption{"eg", "--hidden_dim", "256", "t", "--hidden-dim", ""},
    OldOption{"eg", "--dpo_beta", "0.1", "t", "--dpo-beta",
              "left out with another loss, where it has no effect"},
    OldOption{"eg", "--loss_type", "dpo", "t", "--loss", ""},
    OldOption{"eg", "--hinge_margin", "1.0", "t", "--hinge-margin",
              "left out with another loss, where it has no effect"},
    OldOption{"eg", "--hinge_topk", "0.0", "t", "--hinge-topk",
              "left out with another loss, where it has no effect"},
    OldOption{"eg", "--hinge_squared", "", "t", "--hinge-squared",
              "left out with another loss, where it has no effect", true},
    OldOption{"eg", "--lambda_reg", "0.01", "t", "--lambda-reg", ""},
    OldOption{"eg", "--epochs", "50", "t", "--epochs", ""},
    OldOption{"eg", "--batch_size", "512", "t", "--batch-size", ""},
    OldOption{"eg", "--eval_batch_size", "256", "t", "--eval-batch-size", ""},
    OldOption{"eg", "--lr", "1e-4", "t", "--lr", ""},
    OldOption{"eg", "--weight_decay", "1e-5", "t", "--weight-decay", ""},
    OldOption{"eg", "--eval_steps", "100", "t", "--eval-steps", ""},
    OldOption{"eg", "--save_steps", "1000", "", "", "had no effect; every state is saved within a second"},
    OldOption{"eg", "--early_stopping_patience", "10", "t", "--patience",
              "--early-stopping reference counts epochs as the Python project does, plain without its quirk"},
    OldOption{"eg", "--grad_clip", "1.0", "t", "--grad-clip", ""},
    OldOption{"eg", "--precompute_features", "", "", "", "always so", true},
    OldOption{"eg", "--force_recompute_cache", "", "", "",
              "rows are kept by weights and options, stale ones cannot be met; headroom store prune", true},
    OldOption{
        "eg", "--cache_root", "/home/ubuntu/projects", "", "--store",
        "a feature store in place of a folder of pickles; those are taken in with headroom store import"},
    OldOption{"eg", "--encoding_batch_size", "1000, generalisation 50", "", "",
              "batches are packed by atoms; headroom encode --batch-atoms"},
    OldOption{"eg", "--feature_cache_file", "", "t", "--features imported:NAME",
              "after headroom store import FILE --name NAME"},
    OldOption{"eg", "--splits_cache_file", "", "t", "--splits-cache", "only read, never written"},
    OldOption{"eg", "--output_dir", "runs/...", "t", "--run", "has to be given; evaluate writes into it too"},
    OldOption{"eg", "--exp_name", "", "", "", "was part of the default folder; name it in --run"},
    OldOption{"eg", "--log_level", "INFO", "tvs", "--log-level", ""},
    OldOption{"eg", "--model_path", "best_model.pth", "vs", "RUN",
              "a run folder, or a .pth file of the Python project"},
    OldOption{"eg", "--test_smiles", "", "s", "MOLECULES", "lines on stdin: -", false, true},
    OldOption{"eg", "--test_file", "", "s", "MOLECULES", ".csv, .tsv, .smi, .txt, .sdf, .json"},
    OldOption{"eg", "--debug", "", "", "", "had no effect; --log-level debug", true},
    OldOption{"eg", "--debug_dataset_size", "", "t", "--debug-dataset-size", ""},
    OldOption{"eg", "--num_workers", "8", "", "",
              "no worker processes: --threads says how many CPU threads there are, by default all"},
    OldOption{"e", "--graph_cache_workers", "16", "", "",
              "conformers are made by --threads and kept in the store"},
    OldOption{"eg", "--dataset_type", "guessed", "t", "--dataset-type", ""},
    OldOption{"g", "--test_data_file", "", "v", "--data", ""},
    OldOption{"g", "--test_drugood_subset", "", "v", "--data", "the name of the file in --data-path"},

    OldOption{"p", "--model_path", "", "s", "RUN", "a run folder, or a .pth file of the Python project"},
    OldOption{"p", "--hidden_dim", "256", "", "", kHead},
    OldOption{"p", "--dpo_beta", "0.1", "", "", "has no effect on scores"},
    OldOption{"p", "--input_file", "", "s", "MOLECULES", ""},
    OldOption{"p", "--output_file", "", "s", "--out",
              "columns of the input are kept, the scores come after them"},
    OldOption{"p", "--smiles_column", "smiles", "s", "--smiles-column", ""},
    OldOption{"p", "--smiles", "", "s", "MOLECULES", "lines on stdin: -", false, true},
    OldOption{"p", "--threshold", "", "s", "--threshold", ""},
    OldOption{"p", "--batch_size", "64", "", "", "batches are packed by atoms"},
    OldOption{"p", "--device", "cuda if available", "s", "--device", ""},
    OldOption{"p", "--seed", "42", "", "", "scoring draws no random numbers"},

    OldOption{"b", "--dataset", "", "b", "BENCHMARK", "a file, or a name in --data-path"},
    OldOption{"b", "--foundation_model", "unimol", "b", "--encoder", kUnimol},
    OldOption{"b", "--data_path", "./data/raw", "b", "--data-path",
              "DATA/NAME.json, DATA/raw/NAME.json and DATA/drugood/NAME.json are looked for"},
    OldOption{"b", "--data_file", "", "b", "BENCHMARK", ""},
    OldOption{
        "b", "--cache_root", "./cache", "", "--store",
        "a feature store in place of a folder of pickles; those are taken in with headroom store import"},
    OldOption{"b", "--debug_dataset_size", "", "b", "--debug-dataset-size", ""},
    OldOption{"b", "--data_seed", "42", "b", "--data-seed", ""},
    OldOption{"b", "--good_domain", "", "", "split --domain",
              "the benchmark is a file that headroom split makes once"},
    OldOption{"b", "--good_shift", "", "", "split --shift",
              "the benchmark is a file that headroom split makes once; no_shift is none"},
    OldOption{"b", "--drugood_subset", "", "b", "BENCHMARK", "the name of the file in --data-path"},
    OldOption{"b", "--precompute_features", "", "", "", "always so", true},
    OldOption{"b", "--force_recompute_cache", "", "", "",
              "rows are kept by weights and options, stale ones cannot be met; headroom store prune", true},
    OldOption{"b", "--encoding_batch_size", "128", "", "",
              "batches are packed by atoms; headroom encode --batch-atoms"},
    OldOption{"b", "--hidden_channels", "64", "b", "--hidden-channels", ""},
    OldOption{"b", "--num_layers", "3", "b", "--num-layers", ""},
    OldOption{"b", "--dropout", "0.5", "b", "--dropout", ""},
    OldOption{"b", "--lr", "0.01", "b", "--lr", ""},
    OldOption{"b", "--weight_decay", "5e-4", "b", "--weight-decay", ""},
    OldOption{"b", "--epochs", "200", "b", "--epochs", ""},
    OldOption{"b", "--patience", "20", "b", "--patience", ""},
    OldOption{"b", "--batch_size", "32", "b", "--batch-size", ""},
    OldOption{"b", "--eval_batch_size", "64", "b", "--eval-batch-size", ""},
    OldOption{"b", "--method", "all", "b", "--method", ""},
    OldOption{"b", "--T", "10", "b", "--odin-temperature", "left out with a method that does not look at it"},
    OldOption{"b", "--noise", "0.0014", "b", "--odin-noise",
              "left out with a method that does not look at it"},
    OldOption{"b", "--knn_k", "50", "b", "--knn-k", "left out with a method that does not look at it"},
    OldOption{"b", "--lof_neighbors", "20", "b", "--lof-neighbors",
              "left out with a method that does not look at it"},
    OldOption{"b", "--mc_dropout_samples", "20", "b", "--mc-dropout-samples",
              "left out with a method that does not look at it"},
    OldOption{"b", "--mc_dropout_metric", "", "b", "--mc-dropout-metric",
              "left out with a method that does not look at it"},
    OldOption{"b", "--dam_lr", "0.1", "b", "--dam-lr", "left out with a method that does not look at it"},
    OldOption{"b", "--dam_margin", "1", "b", "--dam-margin",
              "left out with a method that does not look at it"},
    OldOption{"b", "--output_dir", "./baseline_results", "b", "--run", "has to be given"},
    OldOption{"b", "--device", "cuda", "b", "--device",
              "the encoder's; classifier and methods run on the CPU"},
    OldOption{"b", "--num_workers", "4", "", "",
              "no worker processes: --threads says how many CPU threads there are, by default all"},
    OldOption{"b", "--seed", "42", "b", "--seed", "other first weights and dropout"},
    OldOption{"b", "--verbose", "", "", "", "--log-level debug", true},

    OldOption{"x", "--datasets", "", "", "[[benchmark]] file, molecules", kSpecification, false, true},
    OldOption{"x", "--domains", "", "", "[[benchmark]] domain", kSpecification, false, true},
    OldOption{"x", "--shifts", "", "", "[[benchmark]] shift", kSpecification, false, true},
    OldOption{"x", "--seeds", "", "", "[matrix] seeds", kSpecification, false, true},
    OldOption{"x", "--foundation_models", "", "", "[matrix] encoders", kSpecification, false, true},
    OldOption{"x", "--data_seed", "42", "", "[matrix] data-seeds", kSpecification},
    OldOption{"x", "--epochs", "500", "", "[training] epochs", kSpecification},
    OldOption{"x", "--batch_size", "", "", "[training] batch-size", kSpecification},
    OldOption{"x", "--lr", "1e-4", "", "[training] lr", kSpecification},
    OldOption{"x", "--methods", "", "", "[[method]] kind", kSpecification, false, true},
    OldOption{"x", "--output_dir", "", "x", "--out", ""},
    OldOption{"x", "--data_path", "", "x", "--data-path",
              "the folder of the files that the specification names"},
    OldOption{"x", "--good_domain", "", "", "[[benchmark]] domain", kSpecification},
    OldOption{"x", "--good_shift", "", "", "[[benchmark]] shift", kSpecification},
    OldOption{"x", "--quick", "", "", "[matrix] seeds, [classifier] epochs", "one seed and 10 epochs", true},
    OldOption{"x", "--only_loss_types", "", "", "[[method]] loss", kSpecification, false, true},
    OldOption{"x", "--skip_training", "", "", "", "finished runs are never computed again", true},
};

char letter(OldProgram program) {
  constexpr std::string_view kLetters = "egpbx";
  return kLetters[static_cast<std::size_t>(program)];
}

}  // namespace

const char* to_string(OldProgram program) {
  constexpr std::array kNames = {"main.py", "main_generalization.py", "prediction.py", "baselines.py",
                                 "experiment scripts"};
  return kNames[static_cast<std::size_t>(program)];
}

std::span<const OldOption> old_options() { return kOptions; }

const OldOption* find_old_option(OldProgram program, std::string_view name) {
  for (const OldOption& option : kOptions) {
    if (option.name == name && option.programs.find(letter(program)) != std::string_view::npos) {
      return &option;
    }
  }
  return nullptr;
}

std::string old_options_as_markdown() {
  std::string text;
  for (const auto program : {OldProgram::energy, OldProgram::generalisation, OldProgram::predictor,
                             OldProgram::baselines, OldProgram::experiments}) {
    text +=
        fmt::format("### {}\n\n| option | default | now | remark |\n|---|---|---|---|\n", to_string(program));
    for (const OldOption& option : kOptions) {
      const bool here = option.programs.find(letter(program)) != std::string_view::npos;
      const bool shown = program == OldProgram::generalisation && option.programs != "g";
      if (here && !shown) {
        text += fmt::format("| `{}` | {} | {} | {} |\n", option.name, option.preset,
                            option.counterpart.empty() ? "-" : fmt::format("`{}`", option.counterpart),
                            option.explanation);
      }
    }
    text += program == OldProgram::generalisation
                ? "\nand those of main.py but for fine-tuning and graph caching.\n\n"
                : "\n";
  }
  return text;
}

}  // namespace headroom::migration
