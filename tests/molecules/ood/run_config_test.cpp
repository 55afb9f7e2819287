#include "molecules/ood/run/run_config.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/options/tables.h"
#include "support/changed_options.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

TEST(RunConfig, IsReadBack) {
  const test::TemporaryFolder run;
  RunConfig config;
  config.request.benchmark = "bench.json";
  config.request.encoder = "ecfp";
  config.request.loss = Loss::hinge;
  config.request.hinge_topk = 0.25;
  config.request.learning_rate = 3e-4;
  config.request.seed = 7;
  config.request.dataset_type = DatasetType::good;
  config.request.train_size = 0;
  config.request.test_size = 12;
  config.request.compute.precision = "int8";
  config.encoder_identity = "ecfp 2 512";
  config.feature_width = 512;
  config.request.allow_overlap = true;
  config.shared_molecules = 36;
  write_run_config(run.path(), config);
  const RunConfig again = read_run_config(run.path());
  EXPECT_EQ(again.request.benchmark, "bench.json");
  EXPECT_EQ(again.request.loss, Loss::hinge);
  EXPECT_EQ(again.request.hinge_topk, 0.25);
  EXPECT_EQ(again.request.learning_rate, 3e-4);
  EXPECT_EQ(again.request.seed, 7U);
  EXPECT_EQ(again.request.dataset_type, DatasetType::good);
  EXPECT_EQ(again.request.train_size, 0U);
  EXPECT_EQ(again.request.val_size, std::nullopt) << "the default for this kind of data set";
  EXPECT_EQ(again.request.test_size, 12U);
  EXPECT_EQ(again.request.compute.precision, "int8");
  EXPECT_EQ(again.encoder_identity, "ecfp 2 512");
  EXPECT_TRUE(again.request.allow_overlap);
  EXPECT_EQ(again.shared_molecules, 36U);
  EXPECT_NO_THROW(require_encoder(run.path(), again, "ecfp", "ecfp 2 512", 512));
  EXPECT_THROW(require_encoder(run.path(), again, "minimol", "ecfp 2 512", 512), InputError);
  EXPECT_THROW(require_encoder(run.path(), again, "ecfp", "ecfp 3 512", 512), InputError);
  EXPECT_THROW(require_encoder(run.path(), again, "ecfp", "ecfp 2 512", 256), InputError);
}

TEST(RunConfig, RefusesWhatIsNotARunFolder) {
  const test::TemporaryFolder run;
  EXPECT_THROW(read_run_config(run.path()), InputError);
  for (const char* content : {"", "{", "[]", "{\"seed\": 1}", "\x01\x02"}) {
    replace_file(run / "config.json", content);
    EXPECT_THROW(read_run_config(run.path()), InputError) << content;
  }
}

TEST(RunConfig, OptionsOfAnotherLossAreRefused) {
  TrainRequest request;
  EXPECT_EQ(training_options(request).loss.kind, Loss::dpo);
  request.hinge_squared = true;
  EXPECT_THROW(training_options(request), UsageError);
  request.loss = Loss::hinge;
  EXPECT_TRUE(training_options(request).loss.hinge_squared);
  request.dpo_beta = 0.5;
  EXPECT_THROW(training_options(request), UsageError);
  request = TrainRequest();
  request.batch_size = 0;
  EXPECT_THROW(training_options(request), UsageError);
}

TEST(RunConfig, NumbersBeyondAllReasonAreRefused) {
  const auto refused = [](auto field, auto value) {
    TrainRequest request;
    request.*field = value;
    EXPECT_THROW(training_options(request), UsageError) << value;
  };
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  for (const auto field :
       {&TrainRequest::batch_size, &TrainRequest::eval_batch_size, &TrainRequest::hidden_dim,
        &TrainRequest::epochs, &TrainRequest::patience, &TrainRequest::eval_steps}) {
    refused(field, kHuge);
  }
  const auto is_refused_beyond = [&](auto field) {
    refused(field, -1.0);
    refused(field, 1e300);
    refused(field, std::numeric_limits<double>::quiet_NaN());
  };
  for (const auto field : {&TrainRequest::learning_rate, &TrainRequest::dropout, &TrainRequest::weight_decay,
                           &TrainRequest::grad_clip}) {
    is_refused_beyond(field);
  }
  for (const auto field : {&TrainRequest::dpo_beta, &TrainRequest::lambda_reg}) {
    is_refused_beyond(field);
  }
}

/// Equal identities let a run resume a checkpoint or reuse a cell of a matrix. If an option were missing from
/// the identity, a run could reuse results that belong to another value of this option.
TEST(RunConfig, EveryOptionOfATrainingChangesItsIdentity) {
  std::size_t options_of_identity = 0;
  for (const options::Option& option : options::table<TrainRequest>()) {
    if (option.identity.part != options::Part::training) {
      continue;
    }
    ++options_of_identity;
    TrainRequest request;
    test::make_effective(option, options::mutable_view(request));
    const std::string before = resume_identity(training_options(request));
    test::change(option, options::mutable_view(request));
    EXPECT_NE(resume_identity(training_options(request)), before) << option.name;
  }
  EXPECT_EQ(options_of_identity, 21U);
}

/// The configuration decides whether a run can be resumed, so it must not change by accident.
TEST(RunConfig, IsThisFile) {
  const test::TemporaryFolder run;
  RunConfig config;
  config.request.benchmark = "b.json";
  config.request.test_size = 12;
  config.benchmark_checksum = "1489d7e107f94c0a";
  config.encoder_identity = "ecfp-3f1c5cba44eeb51b";
  config.feature_width = 512;
  write_run_config(run.path(), config);
  std::string text = read_file(run / "config.json");
  const std::string benchmark = std::filesystem::absolute("b.json").string();
  ASSERT_NE(text.find(benchmark), std::string::npos);
  text.replace(text.find(benchmark), benchmark.size(), "/absolute/b.json");
  EXPECT_EQ(text, R"({
  "allow_overlap": false,
  "autocast": "off",
  "batch_size": 512,
  "benchmark_checksum": "1489d7e107f94c0a",
  "benchmark_path": "/absolute/b.json",
  "checkpoint_activations": "auto",
  "conformer_engine": "",
  "conformer_fallback": "",
  "data_file": "b.json",
  "data_seed": 42,
  "dataset_type": "auto",
  "debug_dataset_size": 0,
  "dpo_beta": 0.1,
  "dropout": 0.1,
  "early_stopping": "plain",
  "early_stopping_patience": 20,
  "encoder_identity": "ecfp-3f1c5cba44eeb51b",
  "encoder_lr": 5e-06,
  "epochs": 500,
  "eval_batch_size": 256,
  "eval_steps": 100,
  "feature_width": 512,
  "features": "native",
  "finetune_encoder": false,
  "foundation_model": "minimol",
  "freeze_layers": "0-12",
  "grad_clip": 1.0,
  "gradient_accumulation": "auto",
  "held_out_seed": 0,
  "hidden_dim": 256,
  "hinge_margin": 1.0,
  "hinge_squared": false,
  "hinge_topk": 0.0,
  "lambda_reg": 0.01,
  "loss_type": "dpo",
  "lr": 0.0001,
  "max_atoms": null,
  "molecules_file": "",
  "near_duplicates_removed": 0,
  "ood_file": "",
  "ood_similarity": 0.7,
  "ood_smiles_column": "smiles",
  "optimizer_state": "fp32",
  "precision": "",
  "random_weights": false,
  "seed": 38,
  "shared_molecules": 0,
  "smiles_column": "smiles",
  "splits_cache_file": "",
  "splits_cache_path": "",
  "strict": false,
  "test_size": 12,
  "train_size": null,
  "val_size": null,
  "weight_decay": 1e-05
}
)");
}

/// The config.json of a baseline run has another format.
TEST(RunConfig, AFolderOfBaselinesIsNamedAsSuch) {
  const test::TemporaryFolder run;
  replace_file(run / "config.json", R"({"data_file": "b.json", "hidden_channels": 64})");
  try {
    read_run_config(run.path());
    FAIL() << "nothing was thrown";
  } catch (const InputError& failure) {
    EXPECT_THAT(failure.what(), testing::HasSubstr("molgauge baseline"));
  }
}

TEST(RunConfig, DefaultsAreThoseOfTrainingOptions) {
  const TrainRequest defaults;
  EXPECT_EQ(resume_identity(training_options(defaults)), resume_identity(TrainingOptions{}));
  EXPECT_EQ(training_options(defaults).epochs, TrainingOptions{}.epochs);
  EXPECT_EQ(training_options(defaults).patience, TrainingOptions{}.patience);
}

}  // namespace
}  // namespace molgauge::ood
