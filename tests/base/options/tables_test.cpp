// Checks rules for every row of every table, so a new row needs no separate test.

#include "base/options/tables.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/options/config_keys.h"
#include "base/options/identity.h"
#include "base/options/settings.h"
#include "support/changed_options.h"

namespace molgauge::options {
namespace {

template <typename Request>
class Tables : public testing::Test {
 protected:
  /// A request with one option changed.
  static Request with_changed(const Option& option) {
    Request request;
    test::make_effective(option, mutable_view(request));
    test::change(option, mutable_view(request));
    return request;
  }

  static Request effective(const Option& option) {
    Request request;
    test::make_effective(option, mutable_view(request));
    return request;
  }
};

using Requests = testing::Types<
#define MOLGAUGE_REQUEST(Request) Request,
#include "base/options/requests.def"
#undef MOLGAUGE_REQUEST
    BenchmarkDraw>;
TYPED_TEST_SUITE(Tables, Requests);

TYPED_TEST(Tables, NameEveryOptionOnceAndSayWhatItIs) {
  std::set<std::string_view> names, keys;
  for (const Option& option : table<TypeParam>()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_TRUE(option.config.name.empty() || keys.insert(option.config.name).second) << option.config.name;
  }
  EXPECT_FALSE(names.empty());
}

TYPED_TEST(Tables, NameOptionsThatThereAre) {
  for (const Option& option : table<TypeParam>()) {
    for (const Names& names : {option.needs, option.excludes}) {
      for (const std::string_view name : names) {
        EXPECT_NE(find_option(table<TypeParam>(), name), nullptr) << option.name << " " << name;
      }
    }
    for (const Condition& condition : option.conditions) {
      if (!condition.option.empty()) {
        const Option& deciding = option_named(table<TypeParam>(), condition.option);
        const TypeParam request;
        const ConstSlot slot = view(request).slot(deciding);
        EXPECT_TRUE(std::holds_alternative<const std::string*>(slot) ||
                    std::holds_alternative<ConstChoiceField>(slot) ||
                    std::holds_alternative<const bool*>(slot))
            << option.name;
        EXPECT_FALSE(condition.remark.empty()) << option.name;
      }
    }
  }
}

/// Options whose text is not a file name. A new text option must be added here, or its row must state how the
/// file is used.
const std::set<std::string_view> kNoFiles = {"ENCODER",
                                             "algorithm",
                                             "assay-column",
                                             "autocast",
                                             "bind",
                                             "calibration",
                                             "calibration-split",
                                             "checkpoint-activations",
                                             "confidence-column",
                                             "conformer-engine",
                                             "conformer-fallback",
                                             "cuda-allocator",
                                             "database",
                                             "dataset-type",
                                             "descriptor-columns",
                                             "device",
                                             "domain",
                                             "early-stopping",
                                             "empty-cache",
                                             "encoder",
                                             "features",
                                             "freeze-layers",
                                             "from",
                                             "gradient-accumulation",
                                             "hidden-irreps",
                                             "host",
                                             "host-memory-budget",
                                             "id-column",
                                             "interval-method",
                                             "label-column",
                                             "labels",
                                             "ligand",
                                             "loss",
                                             "lower-column",
                                             "mc-dropout-metric",
                                             "measurement-type",
                                             "memory-budget",
                                             "method",
                                             "metric",
                                             "metrics",
                                             "name",
                                             "name-column",
                                             "norm",
                                             "ood-smiles-column",
                                             "optimizer",
                                             "optimizer-state",
                                             "part",
                                             "part-type",
                                             "pocket",
                                             "pooling",
                                             "precision",
                                             "prediction-column",
                                             "recall-k",
                                             "relation-column",
                                             "scheduler",
                                             "setting",
                                             "shard",
                                             "shift",
                                             "smiles-column",
                                             "split-by",
                                             "standardize",
                                             "style",
                                             "subset",
                                             "to",
                                             "top-percentages",
                                             "train-smiles-column",
                                             "type-column",
                                             "uncertainty-column",
                                             "units-column",
                                             "upper-column",
                                             "variant"};

/// If the option `from` has choices, it names the kind of an input and not a file. In `memory explain`, it is
/// a point of a recording. The argument ENCODER names a file only in the requests of has_encoder_file.
bool names_a_kind(const Option& option) { return option.name == "from" && !option.choices.empty(); }
template <typename Request>
constexpr bool has_encoder_file =
    std::is_same_v<Request, PocketEmbedRequest> || std::is_same_v<Request, PocketSearchRequest> ||
    std::is_same_v<Request, PocketEvaluateRequest>;

/// Without this rule, Molgauge would not notice that a new option names a file that another option reads.
TYPED_TEST(Tables, SayOfEveryTextWhetherItNamesAFile) {
  const TypeParam request;
  for (const Option& option : table<TypeParam>()) {
    const ConstSlot slot = view(request).slot(option);
    const bool is_text = std::holds_alternative<const std::string*>(slot) ||
                         std::holds_alternative<const std::optional<std::string>*>(slot) ||
                         std::holds_alternative<const std::vector<std::string>*>(slot);
    const bool may_have_none = option.name == "from"
                                   ? names_a_kind(option) || std::is_same_v<TypeParam, ExplainMemoryRequest>
                               : option.name == "ENCODER"     ? !has_encoder_file<TypeParam>
                               : option.name == "calibration" ? !std::is_same_v<TypeParam, DomainRequest>
                                                              : kNoFiles.contains(option.name);
    const bool has_use = option.files.does != FileUse::Does::nothing;
    EXPECT_EQ(has_use, is_text && !may_have_none)
        << option.name << ": state in its row how the verb uses the file (base/options/file_use.h), or add "
        << "the option to kNoFiles";
    EXPECT_TRUE(option.files.does != FileUse::Does::looks_up || option.name == "data-path") << option.name;
  }
}

/// Options whose help mentions a file or folder must state how the file is used.
TYPED_TEST(Tables, DoNotHideAFileInTheHelp) {
  const TypeParam request;
  for (const Option& option : table<TypeParam>()) {
    const std::string help(option.help);
    const bool speaks_of_files = help.starts_with("Folder") || help.starts_with("Run folder") ||
                                 help.starts_with("A file") || help.starts_with("File ") ||
                                 help.starts_with("HTML file") || help.starts_with(".csv");
    EXPECT_TRUE(!speaks_of_files || option.files.does != FileUse::Does::nothing) << option.name;
  }
}

/// Without a range, any number would be accepted.
TYPED_TEST(Tables, HaveARangeForEveryNumberWhichHoldsTheDefault) {
  const TypeParam defaults;
  for (const Option& option : table<TypeParam>()) {
    const ConstSlot slot = view(defaults).slot(option);
    const bool is_number = std::holds_alternative<const std::size_t*>(slot) ||
                           std::holds_alternative<const double*>(slot) ||
                           std::holds_alternative<const std::optional<std::size_t>*>(slot) ||
                           std::holds_alternative<const std::optional<double>*>(slot);
    EXPECT_TRUE(!is_number || option.range) << option.name;
  }
  EXPECT_NO_THROW(require_ranges(view(defaults)));
}

TYPED_TEST(Tables, CheckEveryRange) {
  for (const Option& option : table<TypeParam>()) {
    if (!option.range || (option.range->least == 0 && option.range->most == kSeed.most)) {
      continue;  // every whole number is a seed
    }
    TypeParam request;
    std::visit(
        [&](const auto& value) {
          using Value = std::decay_t<decltype(*value)>;
          if constexpr (std::is_same_v<Value, std::string>) {
            *value = std::to_string(option.range->most + 1);
          } else if constexpr (!std::is_same_v<Value, bool> && !std::is_same_v<Value, ChoiceField> &&
                               !std::is_same_v<Value, std::optional<std::string>> &&
                               !std::is_same_v<Value, std::vector<std::string>>) {
            *value = option.range->kind == NumericRange::Kind::whole ? Value(option.range->most + 1)
                                                                     : Value(option.range->highest * 2 + 1);
          }
        },
        mutable_view(request).slot(option));
    try {
      require_ranges(view(request));
      ADD_FAILURE() << option.name << " is not checked";
    } catch (const UsageError& problem) {
      EXPECT_THAT(problem.what(), testing::HasSubstr(std::string(option.name) + ": "));
    }
  }
}

TYPED_TEST(Tables, RefuseUnknownWordsAndNameTheNearest) {
  for (const Option& option : table<TypeParam>()) {
    TypeParam request;
    const Slot slot = mutable_view(request).slot(option);
    const auto* const choice = std::get_if<ChoiceField>(&slot);
    if (choice == nullptr) {
      continue;
    }
    for (const std::string_view word : option.words()) {
      assign(mutable_view(request), option, "key", std::string(word));
      EXPECT_EQ(choice->word(), word) << option.name;
    }
    std::string wrong(*option.words().begin());
    wrong.back() = wrong.back() == 'x' ? 'y' : 'x';
    try {
      assign(mutable_view(request), option, "key", wrong);
      ADD_FAILURE() << option.name << " takes " << wrong;
    } catch (const UsageError& problem) {
      EXPECT_THAT(problem.what(), testing::HasSubstr("'key' takes "));
      EXPECT_THAT(problem.what(), testing::HasSubstr(wrong));
      if (wrong.size() > 2) {
        EXPECT_THAT(problem.what(), testing::HasSubstr("Did you mean '"));
      }
    }
  }
}

TYPED_TEST(Tables, WriteAndReadEveryKey) {
  for (const Option& option : table<TypeParam>()) {
    if (option.config.name.empty()) {
      continue;
    }
    const TypeParam changed = this->with_changed(option), same = this->effective(option);
    nlohmann::json written, unchanged;
    write_config_keys(view(changed), written);
    write_config_keys(view(same), unchanged);
    EXPECT_NE(written.at(std::string(option.config.name)), unchanged.at(std::string(option.config.name)))
        << option.name;
    TypeParam read;
    read_config_keys(mutable_view(read), written);
    EXPECT_EQ(to_text(view(read).slot(option)), to_text(view(changed).slot(option))) << option.name;
    written.erase(std::string(option.config.name));
    if (option.config.may_be_missing) {
      EXPECT_NO_THROW(read_config_keys(mutable_view(read), written)) << option.name;
    } else {
      EXPECT_THROW(read_config_keys(mutable_view(read), written), nlohmann::json::exception) << option.name;
    }
  }
}

TYPED_TEST(Tables, ChangeTheIdentity) {
  for (const Option& option : table<TypeParam>()) {
    const Part part = option.identity.part;
    if (part == Part::none) {
      continue;
    }
    const TypeParam changed = this->with_changed(option), same = this->effective(option);
    EXPECT_NE(identity_as_text(view(changed), part), identity_as_text(view(same), part)) << option.name;
    if (part == Part::training) {  // only this part is also stored as JSON
      EXPECT_NE(identity_as_json(view(changed), part), identity_as_json(view(same), part)) << option.name;
    }
  }
}

/// The folder of a result records every option that affects the result.
TYPED_TEST(Tables, RecordWhatAResultDependsOn) {
  for (const Option& option : table<TypeParam>()) {
    EXPECT_TRUE(option.identity.part == Part::none || !option.config.name.empty()) << option.name;
    EXPECT_TRUE(option.identity.part == Part::none || !option.config.is_remark) << option.name;
  }
}

TYPED_TEST(Tables, SetEveryOptionOfASpecification) {
  for (const Option& option : table<TypeParam>()) {
    if (option.specification.section == Section::none) {
      continue;
    }
    const TypeParam changed = this->with_changed(option);
    TypeParam request = this->effective(option);
    const auto as_typed = std::visit(
        [](const auto& value) -> Value {
          using Held = std::decay_t<decltype(*value)>;
          if constexpr (std::is_same_v<Held, std::size_t>) {
            return static_cast<std::int64_t>(*value);
          } else if constexpr (std::is_same_v<Held, std::optional<std::size_t>>) {
            return static_cast<std::int64_t>(value->value());
          } else if constexpr (std::is_same_v<Held, bool> || std::is_same_v<Held, double> ||
                               std::is_same_v<Held, std::string>) {
            return *value;
          } else if constexpr (std::is_same_v<Held, ConstChoiceField>) {
            return value.word();
          } else {
            return std::string("other");
          }
        },
        view(changed).slot(option));
    const std::string key(option.key_in_specification());
    set(mutable_view(request), option.specification.section, "these", key, as_typed);
    EXPECT_EQ(to_text(view(request).slot(option)), to_text(view(changed).slot(option))) << option.name;
    EXPECT_THROW(set(mutable_view(request), option.specification.section, "these", key + "x", as_typed),
                 UsageError);
  }
}

/// If an option of a method were missing from every identity, a matrix could reuse results that belong to
/// another value of this option.
TEST(TrainTable, LeavesNoOptionOfAMethodOutOfTheIdentityUnnoticed) {
  std::set<std::string_view> without;
  for (const Option& option : table<TrainRequest>()) {
    if (option.specification.section == Section::method && option.identity.part == Part::none) {
      without.insert(option.name);
    }
  }
  EXPECT_THAT(without,
              testing::UnorderedElementsAre("gradient-accumulation", "checkpoint-activations", "empty-cache"))
      << "options that change no result";
}

TEST(BaselineTable, LeavesNoOptionOfAMethodOutOfTheIdentityUnnoticed) {
  std::set<std::string_view> without;
  for (const Option& option : table<BaselineRequest>()) {
    if (option.specification.section == Section::method && option.identity.part == Part::none) {
      without.insert(option.name);
    }
  }
  EXPECT_THAT(without, testing::UnorderedElementsAre("eval-batch-size")) << "options that change no result";
}

/// Results are reused if their identity is equal, so an identity must not change by accident.
TEST(Identities, ContainAllOptionsOfTheirPart) {
  const TrainRequest train;
  EXPECT_EQ(
      identity_as_json(view(train), Part::training),
      R"({"autocast":"off","batch_size":512,"dpo_beta":0.1,"dropout":0.1,"early_stopping":"plain","encoder_lr)"
      R"(":5e-06,"eval_batch_size":256,"eval_steps":100,"finetune_encoder":false,"freeze_layers":"0-12","grad)"
      R"(_clip":1.0,"hidden_dim":256,"hinge_margin":1.0,"hinge_squared":false,"hinge_topk":0.0,"lambda_reg":0)"
      R"(.01,"learning_rate":0.0001,"loss":"dpo","optimizer_state":"fp32","seed":38,"weight_decay":1e-05})");
  EXPECT_EQ(identity_as_text(view(train), Part::length), "epochs 500 patience 20");
  const BaselineRequest baseline;
  EXPECT_EQ(identity_as_text(view(baseline), Part::classifier),
            "labels auto hidden 64 layers 3 dropout 0.5 lr 0.01 weight-decay 0.0005 epochs 200 batch 32 "
            "patience 20 "
            "calibration held-out seed 42");
  EXPECT_EQ(identity_as_text(view(baseline), Part::auc_margin), "dam-lr 0.1 margin 1");
  EXPECT_EQ(identity_as_text(view(baseline), Part::detector),
            "odin 10 0.0014 knn 50 lof 20 mc 20 entropy metrics evaluation");
  EXPECT_EQ(identity_as_text(view(train), Part::draw), "drawn by auto sizes default default default");
}

}  // namespace
}  // namespace molgauge::options
