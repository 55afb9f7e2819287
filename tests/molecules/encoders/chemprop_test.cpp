// Tests models of chemprop: the predictions of checkpoints that chemprop has trained, and rows, which depend
// only on their molecule. tests/fixtures/chemprop/make_checkpoints.py writes the fixtures.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/bytes/zip.h"
#include "base/io/bytes/zip_writer.h"
#include "molecules/chem/perception.h"
#include "molecules/encoders/chemprop/checkpoint.h"
#include "molecules/encoders/chemprop/chemprop_encoder.h"
#include "molecules/encoders/chemprop/plan.h"
#include "support/fixtures.h"

namespace molgauge::encoders::chemprop {
namespace {

using testing::HasSubstr;

std::filesystem::path fixture(const std::string& name) { return test::own_data("chemprop") / name; }

/// SMILES, and the predictions of chemprop for them.
struct Expected {
  std::vector<std::string> smiles;
  std::vector<std::vector<double>> predictions;
};

Expected read_expected(const std::string& model) {
  Expected expected;
  std::ifstream file(fixture(model + ".csv"));
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    expected.smiles.push_back(cell);
    expected.predictions.emplace_back();
    while (std::getline(cells, cell, ',')) {
      expected.predictions.back().push_back(std::stod(cell));
    }
  }
  return expected;
}

using Molecules = std::vector<std::unique_ptr<FeaturisedMolecule>>;

Molecules featurise_all(const ChempropEncoder& encoder, const std::vector<std::string>& smiles) {
  Molecules molecules;
  for (const std::string& text : smiles) {
    chem::MoleculeRecord record;
    record.text = text;
    molecules.push_back(encoder.featurise(chem::perceive(record, encoder.perception())));
  }
  return molecules;
}

std::vector<float> encode(const ChempropEncoder& encoder, const Molecules& molecules,
                          const std::vector<std::size_t>& order) {
  std::vector<const FeaturisedMolecule*> batch;
  for (const std::size_t i : order) {
    batch.push_back(molecules[i].get());
  }
  std::vector<float> rows(batch.size() * encoder.width());
  encoder.encode(batch, rows);
  return rows;
}

/// The numbers in descriptors.csv that a model takes: all three, or the columns a and c.
std::vector<double> descriptors_for(const ModelSet& set) {
  std::vector<double> numbers;
  std::ifstream file(fixture("descriptors.csv"));
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    for (std::size_t column = 0; std::getline(cells, cell, ','); ++column) {
      if (set.descriptors() == 3 || (set.descriptors() == 2 && column != 1)) {
        numbers.push_back(std::stod(cell));
      }
    }
  }
  return numbers;
}

std::vector<std::size_t> all_of(const Molecules& molecules) {
  std::vector<std::size_t> all(molecules.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i;
  }
  return all;
}

/// Paths of the models in the fixtures, except models that must be refused, and models that take descriptors
/// of RDKit. tests/apps/predict_test.cpp compares the predictions of these models.
std::vector<std::filesystem::path> models() {
  std::vector<std::filesystem::path> models;
  for (const auto& entry : std::filesystem::directory_iterator(test::own_data("chemprop"))) {
    const std::string name = entry.path().filename().string();
    const std::string extension = entry.path().extension().string();
    if ((extension == ".pt" || extension == ".ckpt") && !name.starts_with("refused") &&
        name.find("rdkit_2d") == std::string::npos) {
      models.push_back(entry.path());
    }
  }
  std::sort(models.begin(), models.end());
  return models;
}

TEST(Chemprop, PredictsAsChempropDoes) {
  ASSERT_GE(models().size(), 29U);
  for (const std::filesystem::path& file : models()) {
    const ModelSet set = read_models(file);
    const bool takes_descriptors = set.descriptors() > 0;
    const ChempropEncoder encoder(set,
                                  takes_descriptors ? RowContent::fingerprints : RowContent::predictions);
    const Expected expected = read_expected(file.stem().string());
    const Molecules molecules = featurise_all(encoder, expected.smiles);
    std::vector<float> rows = encode(encoder, molecules, all_of(molecules));
    const std::size_t width = set.width();
    if (takes_descriptors) {
      std::vector<float> predictions(molecules.size() * width);
      encoder.predict(rows, descriptors_for(set), predictions);
      rows = std::move(predictions);
    }
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      const std::vector<double>& wanted = expected.predictions[i];
      // Version 1 returns only the first number of each task.
      const std::size_t stride = width / wanted.size();
      ASSERT_EQ(stride * wanted.size(), width) << file;
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        EXPECT_NEAR(rows[i * width + k * stride], wanted[k], 1e-5 * std::max(1.0, std::abs(wanted[k])))
            << file << " " << expected.smiles[i] << " " << k;
      }
    }
  }
}

TEST(Chemprop, NamesTasksAndHeads) {
  const Model named = read_model(fixture("v2_mve.pt"));
  EXPECT_EQ(named.tasks, (std::vector<std::string>{"task_0", "task_1"}));
  EXPECT_EQ(named.head.kind, HeadKind::mean_variance);
  EXPECT_EQ(named.form.features, FeatureSet::v1);
  const Model unnamed = read_model(fixture("v2_lightning.ckpt"));
  EXPECT_EQ(unnamed.tasks, (std::vector<std::string>{"pred_0", "pred_1"}));
  EXPECT_FALSE(unnamed.has_task_names);
  EXPECT_EQ(read_model(fixture("v1_evidential.pt")).tasks, (std::vector<std::string>{"task_0", "task_1"}));
  EXPECT_EQ(read_model(fixture("v2_multiclass.pt")).head.classes, 3U);
}

TEST(Chemprop, ReadsTheScalingOfDescriptors) {
  const Model scaled = read_model(fixture("v2_descriptors.pt"));
  EXPECT_EQ(scaled.descriptors.count, 3U);
  EXPECT_EQ(scaled.descriptors.mean.size(), 3U);
  EXPECT_NEAR(scaled.descriptors.mean[1], 300, 60);
  EXPECT_TRUE(scaled.descriptors.scales_in_single);
  EXPECT_FALSE(read_model(fixture("v1_descriptors.pt")).descriptors.scales_in_single);
  const Model unscaled = read_model(fixture("v1_unscaled_descriptors.pt"));
  EXPECT_EQ(unscaled.descriptors.count, 2U);
  EXPECT_TRUE(unscaled.descriptors.mean.empty());
}

TEST(Chemprop, ReadsTheGeneratorOfDescriptors) {
  EXPECT_EQ(read_model(fixture("v1_rdkit_2d.pt")).descriptors.generator, "rdkit_2d");
  EXPECT_EQ(read_model(fixture("v1_rdkit_2d.pt")).descriptors.count, 200U);
  EXPECT_EQ(read_model(fixture("normalized_rdkit_2d.pt")).descriptors.generator, "rdkit_2d_normalized");
  EXPECT_EQ(read_model(fixture("v1_descriptors.pt")).descriptors.generator, "");
}

TEST(Chemprop, PredictionsWithDescriptorsAreTheSameBytesInAnyBatch) {
  const ModelSet set = read_models(fixture("v2_descriptors.pt"));
  const ChempropEncoder encoder(set, RowContent::fingerprints);
  const Molecules molecules = featurise_all(encoder, read_expected("v2_descriptors").smiles);
  const std::vector<float> rows = encode(encoder, molecules, all_of(molecules));
  const std::vector<double> descriptors = descriptors_for(set);
  std::vector<float> together(molecules.size() * set.width()), alone(set.width());
  encoder.predict(rows, descriptors, together);
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    encoder.predict(std::span(rows).subspan(i * encoder.width(), encoder.width()),
                    std::span(descriptors).subspan(3 * i, 3), alone);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + i * set.width())) << i;
  }
  EXPECT_THROW(ChempropEncoder(set, RowContent::predictions), std::invalid_argument);
}

TEST(Chemprop, RowsAreTheSameBytesInAnyBatchOrderAndThread) {
  for (const char* const name :
       {"v2_regression.pt", "v2_atom_messages.pt", "v2_undirected.pt", "v2_batch_norm.pt"}) {
    const ModelSet set = read_models(fixture(name));
    const ChempropEncoder encoder(set, RowContent::fingerprints);
    const Molecules molecules = featurise_all(encoder, read_expected("v2_regression").smiles);
    const std::size_t width = encoder.width();
    std::vector<std::vector<float>> alone;
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      alone.push_back(encode(encoder, molecules, {i}));
    }
    const auto try_batches = [&](unsigned seed) {
      std::mt19937 random(seed);
      for (int batch = 0; batch < 20; ++batch) {
        std::vector<std::size_t> order(1 + random() % 40);
        std::generate(order.begin(), order.end(), [&] { return random() % molecules.size(); });
        const std::vector<float> rows = encode(encoder, molecules, order);
        for (std::size_t i = 0; i < order.size(); ++i) {
          EXPECT_TRUE(std::equal(alone[order[i]].begin(), alone[order[i]].end(), rows.begin() + i * width))
              << name;
        }
      }
    };
    std::thread other(try_batches, 1);
    try_batches(2);
    other.join();
  }
}

/// Without chirality, the order of the atoms in the text changes nothing.
TEST(Chemprop, SpellingsWithoutChiralityHaveTheSameBytes) {
  const ModelSet set = read_models(fixture("v2_regression.pt"));
  const ChempropEncoder encoder(set, RowContent::fingerprints);
  const Molecules molecules = featurise_all(encoder, {"CC(=O)Oc1ccccc1C(=O)O", "OC(=O)c1ccccc1OC(C)=O"});
  EXPECT_EQ(encode(encoder, molecules, {0}), encode(encoder, molecules, {1}));
}

/// Messages do not pass between components, so a mixture without one component is the other one.
TEST(Chemprop, AMixtureWithoutAComponentIsTheOther) {
  for (const char* const name : {"v2_regression.pt", "v2_atom_messages.pt", "v2_batch_norm.pt"}) {
    const ModelSet set = read_models(fixture(name));
    const ChempropEncoder encoder(set, RowContent::fingerprints);
    const Molecules molecules = featurise_all(encoder, {"CCO.c1ccccc1", "c1ccccc1", "CCO"});
    const std::vector<std::vector<std::uint32_t>> components = {{0, 1, 2}, {3, 4, 5, 6, 7, 8}};
    std::vector<float> rows(3 * encoder.width());
    encoder.encode_without_parts(*molecules[0], components, rows);
    EXPECT_EQ(rows, encode(encoder, molecules, {0, 1, 2})) << name;
  }
}

TEST(Chemprop, ComputesEachDistinctStateOnce) {
  const GraphForm form{.features = FeatureSet::v2, .atom_messages = false, .undirected = false, .depth = 3};
  chem::MoleculeRecord benzene;
  benzene.text = "c1ccccc1";
  chem::Perception wanted;
  wanted.details = true;
  const auto inputs = featurise(chem::perceive(benzene, wanted), FeatureSet::v2);
  const std::vector<const Inputs*> batch(5, inputs.get());
  const Plan plan = make_plan(batch, form);
  EXPECT_EQ(plan.initial.size(0), 1);
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_EQ(plan.steps[1].sums.count(), 1);
  EXPECT_EQ(plan.readout.sums.count(), 1);
  EXPECT_EQ(plan.molecules.count(), 5);
  EXPECT_EQ(plan.sizes.data()[0], 6);
}

TEST(Chemprop, RefusesByNameWhatIsNotSupported) {
  const std::map<std::string, std::string> reasons = {
      {"refused_spectral.pt", "'SpectralFFN' is not supported"},
      {"refused_attentive.pt", "'AttentiveAggregation' is not"},
      {"refused_adding_h.pt", "adding_h"},
      {"refused_bias.pt", "chemprop 1 lets the bias"},
      {"refused_command.pt", ".system"},
      {"refused_state_dict.pt", "neither `args` nor `hyper_parameters`"},
      {"refused_no_settings.pt", "message_passing: cls: names no class"},
      {"refused_variance.pt", "bn.running_var has a negative variance"}};
  for (const auto& [file, reason] : reasons) {
    try {
      read_model(fixture(file));
      ADD_FAILURE() << file;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(file));
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
  EXPECT_FALSE(std::filesystem::exists("molgauge_was_here"));
}

/// Replaces each text in the pickle of a checkpoint by a text of the same length. Returns the error of the
/// changed file.
std::string refusal_of(const std::string& name, const std::vector<std::string>& former,
                       const std::vector<std::string>& later) {
  const test::TemporaryFolder folder;
  const io::ZipArchive archive(fixture(name));
  io::ZipWriter writer(folder / name);
  for (const std::string& member : archive.names()) {
    const std::vector<std::byte> bytes = archive.read(member);
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (std::size_t i = 0; member.ends_with("data.pkl") && i < former.size(); ++i) {
      EXPECT_NE(text.find(former[i]), std::string::npos) << former[i];
      EXPECT_EQ(former[i].size(), later[i].size());
      for (auto at = text.find(former[i]); at != std::string::npos; at = text.find(former[i], at + 1)) {
        text.replace(at, former[i].size(), later[i]);
      }
    }
    writer.add(member, std::as_bytes(std::span(text)));
  }
  writer.finish();
  try {
    read_model(folder / name);
  } catch (const InputError& problem) {
    return problem.what();
  }
  return "";
}

TEST(Chemprop, EverySettingNeedsItsTensors) {
  // Tensors of metrics do not change predictions, so a tensor with such a name is ignored.
  const auto without = [](const std::string& file, const std::vector<std::string>& tensors) {
    std::vector<std::string> ignored;
    for (const std::string& tensor : tensors) {
      std::string name = "metrics.";
      name.resize(tensor.size(), 'x');
      ignored.push_back(name);
    }
    return refusal_of(file, tensors, ignored);
  };
  EXPECT_EQ(refusal_of("v2_batch_norm.pt", {}, {}), "");
  EXPECT_THAT(without("v2_batch_norm.pt", {"bn.weight", "bn.running_mean", "bn.running_var"}),
              HasSubstr("has no tensor bn."));
  EXPECT_THAT(without("v2_batch_norm.pt", {"message_passing.W_i.bias"}),
              HasSubstr("has no tensor message_passing.W_i.bias"));
  EXPECT_THAT(without("v2_regression.pt", {"message_passing.W_o.bias"}),
              HasSubstr("has no tensor message_passing.W_o.bias"));
  EXPECT_THAT(without("v2_regression.pt", {"predictor.ffn.0.0.bias"}),
              HasSubstr("has no tensor predictor.ffn.0.0.bias"));
  EXPECT_THAT(
      without("v2_regression.pt", {"predictor.output_transform.mean", "predictor.output_transform.scale"}),
      HasSubstr("has no tensor predictor.output_transform.mean"));
  EXPECT_THAT(without("v2_descriptors.pt", {"X_d_transform.mean", "X_d_transform.scale"}),
              HasSubstr("has no tensor X_d_transform.mean"));
  EXPECT_THAT(without("v2_batch_norm.pt", {"predictor.ffn.1.2.weight", "predictor.ffn.1.2.bias"}),
              HasSubstr("has 2 feed-forward layers, but its settings name 3"));
  EXPECT_THAT(without("v2_organic.pt", {"message_passing.tau.weight"}),
              HasSubstr("has no tensor message_passing.tau.weight"));
  EXPECT_THAT(without("v2_organic.pt", {"predictor.ffn.1.0.weight"}), HasSubstr("has 1 slopes of PReLU"));
  EXPECT_THAT(refusal_of("v1_regression.pt", {"data_scaler"}, {"data_scalex"}), HasSubstr(": is missing"));
  EXPECT_THAT(refusal_of("v1_descriptors.pt", {"features_scaler"}, {"features_scalex"}),
              HasSubstr(": is missing"));
  EXPECT_THAT(refusal_of("v2_lightning.ckpt", {"optimizer_states"}, {"model_state_dict"}),
              HasSubstr("exactly one set of weights"));
  EXPECT_THAT(refusal_of("v2_regression.pt", {"batch_norm"}, {"batch_form"}), "");
}

TEST(Chemprop, RefusesTruncatedAndForeignFiles) {
  const test::TemporaryFolder folder;
  const std::string whole = read_file(fixture("v2_regression.pt"));
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{10}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(folder / "model.pt", std::ios::binary) << whole.substr(0, bytes);
    EXPECT_THROW(read_model(folder / "model.pt"), InputError) << bytes;
  }
  EXPECT_THROW(read_models(folder / "absent"), InputError);
  std::filesystem::create_directory(folder / "empty");
  EXPECT_THROW(read_models(folder / "empty"), InputError);
}

TEST(Chemprop, ModelsOfTheSameTasksAreAnEnsemble) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "model_0");
  std::filesystem::create_directories(folder / "model_1");
  std::filesystem::copy_file(fixture("v2_regression.pt"), folder / "model_0/best.pt");
  std::filesystem::copy_file(fixture("v2_regression_b.pt"), folder / "model_1/best.pt");
  const ModelSet set = read_models(folder.path());
  ASSERT_EQ(set.ensembles.size(), 1U);
  EXPECT_EQ(set.ensembles[0].members, 2U);
  EXPECT_EQ(set.width(), 2U);
  std::filesystem::copy_file(fixture("v2_binary.pt"), folder / "other.pt");
  EXPECT_THROW(read_models(folder.path()), InputError);  // both predict task_0
  std::filesystem::remove(folder / "other.pt");
  std::filesystem::copy_file(fixture("v2_unscaled_descriptors.ckpt"), folder / "other.pt");  // pred_0
  try {
    read_models(folder.path());
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("takes 0 descriptors of a molecule and"));
    EXPECT_THAT(error.what(), HasSubstr("other.pt takes 2"));
  }
}

TEST(Chemprop, FeaturesHaveThePublishedWidths) {
  EXPECT_EQ(find_features(133, 14), FeatureSet::v1);
  EXPECT_EQ(find_features(72, 14), FeatureSet::v2);
  EXPECT_EQ(find_features(44, 14), FeatureSet::organic);
  EXPECT_EQ(find_features(52, 2), FeatureSet::rigr);
  EXPECT_EQ(find_features(72, 15), std::nullopt);
}

}  // namespace
}  // namespace molgauge::encoders::chemprop
