// Tests the verbs with --encoder unimol. Weights are installed or generated, and conformers are generated
// once. The user must request results of random weights explicitly.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/hdf5.h"
#include "base/io/tensors/npy.h"
#include "base/io/tensors/npz.h"
#include "base/io/tensors/safetensors.h"
#include "small_unimol.h"
#include "support/fixtures.h"

namespace molgauge::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(Unimol, InstallsACheckpointOfThePublishedFormat) {
  const std::filesystem::path published = own_data("unimol/mol_pre_no_h_small.pt");
  const WeightsInfo installed =
      engine().run(InstallWeightsRequest{.encoder = "unimol", .from = published, .weights = path("weights")});
  EXPECT_EQ(installed.tensors, 13U + 12 * 2) << "without the heads of the pre-training";
  EXPECT_EQ(installed.source, published);
  EXPECT_THAT(installed.problem, IsEmpty());
  EncodeRequest encoding = request();
  EXPECT_THAT(refusal<UsageError>([&] { engine().run(encoding); }), HasSubstr("not random"));
  encoding.compute.random_weights = false;
  const EncodeReport report = engine().run(encoding);
  EXPECT_EQ(report.width, 16U);
  EXPECT_EQ(report.encoded, 3U);
}

TEST_F(Unimol, TakesTheKindOfWeightsFromTheNameOrTheOption) {
  const std::string renamed = path("checkpoint.pt");
  std::filesystem::copy_file(own_data("unimol/mol_pre_no_h_small.pt"), renamed);
  InstallWeightsRequest install{.encoder = "unimol", .from = renamed, .weights = path("weights")};
  EXPECT_THAT(refusal<UsageError>([&] { engine().run(install); }),
              AllOf(HasSubstr("checkpoint.pt"), HasSubstr("--variant no_h or --variant all_h")));
  install.variant = "some_h";
  EXPECT_THAT(refusal<UsageError>([&] { engine().run(install); }), HasSubstr("Available: no_h, all_h"));
  install.variant = "all_h";
  engine().run(install);
  EncodeRequest encoding = request("C\n");
  encoding.compute.random_weights = false;
  engine().run(encoding);
  install.variant = "no_h";
  engine().run(install);
  const EncodeReport heavy = engine().run(encoding);
  EXPECT_EQ(heavy.encoded, 1U) << "the atoms of methane are five or one";
  EXPECT_EQ(heavy.conformers_from_store, 1U);
}

TEST_F(Unimol, NamesTheFileAndWhatIsWrongWithIt) {
  io::TensorMap tensors;
  const std::vector<float> numbers(31 * 16);
  tensors.emplace("embed_tokens.weight", io::TensorData::from_float32({31, 16}, numbers.data()));
  io::write_safetensors(path("no_h.safetensors"), tensors);
  const auto install = [&](const std::string& from) {
    return [this, from] {
      engine().run(InstallWeightsRequest{.encoder = "unimol", .from = from, .weights = path("weights")});
    };
  };
  EXPECT_THAT(refusal<InputError>(install(path("no_h.safetensors"))),
              AllOf(HasSubstr("no_h.safetensors"), HasSubstr("encoder.layers.0.fc1.weight")));
  std::string damaged = read_file(own_data("unimol/mol_pre_no_h_small.pt"));
  replace_file(path("no_h.pt"), damaged.substr(0, damaged.size() / 2));
  EXPECT_THAT(refusal<InputError>(install(path("no_h.pt"))), HasSubstr("no_h.pt"));
  EXPECT_THAT(engine().run(WeightsRequest{path("weights")}), IsEmpty());
}

TEST_F(Unimol, WithoutWeightsSaysWhereTheyArePublished) {
  const auto says_where =
      AllOf(HasSubstr("mol_pre_no_h_220816.pt"), HasSubstr("molgauge weights install unimol --from FILE"));
  EncodeRequest encoding = request();
  encoding.compute.random_weights = false;
  EXPECT_THAT(refusal<Error>([&] { engine().run(encoding); }), says_where);
  EXPECT_THAT(
      refusal<UsageError>([&] {
        engine().run(InstallWeightsRequest{.encoder = "unimol", .from = "", .weights = path("weights")});
      }),
      says_where);
  encoding.compute.device = "cuda:99";  // this number does not exist, with or without a GPU
  EXPECT_THAT(refusal<Error>([&] { engine().run(encoding); }), HasSubstr("--device cuda:99"));
}

TEST_F(Unimol, RandomWeightsAreMarkedAndMustBeWanted) {
  const WeightsInfo random = init(7);
  EXPECT_EQ(random.version, "random");
  EXPECT_EQ(random.source, "random numbers, seed 7");
  EXPECT_EQ(init(7).sha256, random.sha256);
  EXPECT_NE(init(8).sha256, random.sha256);
  init(7);

  EncodeRequest encoding = request();
  encoding.compute.random_weights = false;
  EXPECT_THAT(refusal<UsageError>([&] { engine().run(encoding); }),
              AllOf(HasSubstr("seed 7"), HasSubstr("--random-weights")));
  DomainRequest domain;
  domain.training = domain.candidates = encoding.molecules;
  domain.encoder = "unimol";
  domain.store = encoding.store;
  domain.weights = encoding.weights;
  domain.out = path("domain.csv");
  EXPECT_THAT(refusal<UsageError>([&] { engine().run(domain); }), HasSubstr("--random-weights"));

  encoding.compute.random_weights = true;
  encoding.out = path("features.safetensors");
  engine().run(encoding);
  EXPECT_EQ(io::read_safetensors(encoding.out).metadata.at("weights"), "random numbers, seed 7");
  encoding.out = path("features.h5");
  engine().run(encoding);
  EXPECT_EQ(io::read_hdf5_features(encoding.out).metadata.at("weights"), "random numbers, seed 7");
  const StoreInfo info = engine().run(StoreRequest{path("store")});
  const auto rows = std::find_if(info.databases.begin(), info.databases.end(),
                                 [](const StoreDatabase& one) { return one.encoder == "unimol"; });
  ASSERT_NE(rows, info.databases.end());
  EXPECT_THAT(rows->options, HasSubstr("weights=random numbers, seed 7"));

  encoding.encoder = "ecfp";
  encoding.weights = "";
  EXPECT_THAT(refusal<UsageError>([&] { engine().run(encoding); }), HasSubstr("not random"));
}

TEST_F(Unimol, RandomWeightsReplaceNoPublishedOnes) {
  engine().run(InstallWeightsRequest{
      .encoder = "unimol", .from = own_data("unimol/mol_pre_no_h_small.pt"), .weights = path("weights")});
  EXPECT_THAT(refusal<InputError>([&] { init(7); }), HasSubstr("not random"));
  EXPECT_THAT(refusal<UsageError>([&] {
                engine().run(InitWeightsRequest{
                    .encoder = "unimol", .width = 30, .heads = 4, .weights = path("other")});
              }),
              HasSubstr("divide"));
  EXPECT_THROW(engine().run(InitWeightsRequest{.encoder = "minimol", .weights = path("other")}), UsageError);
}

TEST_F(Unimol, MakesConformersOnceForAllWeights) {
  init(7);
  init(8, "others");
  EncodeRequest encoding = request();
  encoding.out = path("first.npy");
  const EncodeReport first = engine().run(encoding);
  EXPECT_EQ(first.rows, 5U);
  EXPECT_EQ(first.encoded, 3U);
  EXPECT_EQ(first.conformers_made, 3U);
  ASSERT_EQ(first.failed_records, 1U);
  EXPECT_EQ(first.failed[0].line, 3U);

  encoding.out = path("again.npy");
  const EncodeReport again = engine().run(encoding);
  EXPECT_EQ(again.encoded, 0U);
  EXPECT_EQ(again.conformers_made + again.conformers_from_store, 0U);
  EXPECT_EQ(read_file(path("again.npy")), read_file(path("first.npy")));

  EncodeRequest with_others = request(kMolecules, "others");
  with_others.out = path("others.npy");
  const EncodeReport others = engine().run(with_others);
  EXPECT_EQ(others.encoded, 3U);
  EXPECT_EQ(others.conformers_made, 0U);
  EXPECT_EQ(others.conformers_from_store, 3U);
  EXPECT_NE(read_file(path("others.npy")), read_file(path("first.npy")));
}

TEST_F(Unimol, TakesThreeDimensionalInputAsItIs) {
  init(7);
  ConformersRequest placing;
  replace_file(path("molecules.smi"), "CCO\nc1ccccc1\n");
  placing.molecules = path("molecules.smi");
  placing.out = path("molecules.sdf");
  placing.store = path("store");
  placing.quiet = true;
  engine().run(placing);
  EncodeRequest encoding = request();
  encoding.molecules = path("molecules.sdf");
  const EncodeReport report = engine().run(encoding);
  EXPECT_EQ(report.encoded, 2U);
  EXPECT_EQ(report.conformers_made + report.conformers_from_store, 0U);
}

/// An .sdf of a chain of carbon atoms at distances of 1.5 angstrom.
std::string chain_in_space(int atoms) {
  std::string text = fmt::format("\n     RDKit          3D\n\n{:3}{:3}  0  0  0  0  0  0  0  0999 V2000\n",
                                 atoms, atoms - 1);
  for (int atom = 0; atom < atoms; ++atom) {
    text += fmt::format("{:10.4f}{:10.4f}{:10.4f} C   0  0\n", 1.3 * atom, 0.75 * (atom % 2), 0.1);
  }
  for (int atom = 1; atom < atoms; ++atom) {
    text += fmt::format("{:3}{:3}  1  0\n", atom, atom + 1);
  }
  return text + "M  END\n$$$$\n";
}

TEST_F(Unimol, DrawsAtomsOfLargeMoleculesAndCountsThem) {
  init(7);
  EncodeRequest encoding = request();
  encoding.molecules = path("chains.sdf");
  replace_file(encoding.molecules, chain_in_space(12) + chain_in_space(300));
  const EncodeReport report = engine().run(encoding);
  EXPECT_EQ(report.encoded, 2U);
  EXPECT_EQ(report.cropped, 1U);
}

TEST_F(Unimol, MaxAtomsHaveRowsOfTheirOwn) {
  init(7);
  EncodeRequest encoding = request("CCO\nCC(=O)Oc1ccccc1C(=O)O\n");
  encoding.out = path("all.npy");
  engine().run(encoding);
  EncodeRequest few = encoding;
  few.placement.max_atoms = 5;
  few.out = path("few.npy");
  const EncodeReport report = engine().run(few);
  EXPECT_EQ(report.encoded, 2U);
  EXPECT_EQ(report.cropped, 1U);
  EXPECT_EQ(report.conformers_from_store, 2U);
  EXPECT_EQ(engine().run(few).encoded, 0U);
  EXPECT_EQ(engine().run(encoding).encoded, 0U);
  const std::vector<float> all = io::read_npy(path("all.npy")).to_float32(),
                           cropped = io::read_npy(path("few.npy")).to_float32();
  const auto second = static_cast<std::ptrdiff_t>(report.width);
  EXPECT_TRUE(std::equal(all.begin(), all.begin() + second, cropped.begin())) << "ethanol has three";
  EXPECT_FALSE(std::equal(all.begin() + second, all.end(), cropped.begin() + second));
}

TEST_F(Unimol, WritesFeaturesOfAtomsAndPairs) {
  init(7);
  EncodeRequest encoding = request();
  encoding.out = path("rows.npy");
  encoding.atom_features = path("atoms.npz");
  encoding.pair_features = path("pairs.npz");
  const EncodeReport report = engine().run(encoding);
  EXPECT_EQ(report.encoded, 3U);
  EXPECT_EQ(report.atom_rows, 3U + 13 + 3 + 6) << "ethanol, aspirin, ethanol, benzene";
  EXPECT_EQ(report.pair_rows, 25U + 225 + 25 + 64) << "class token and separator, too";
  const io::TensorMap atoms = io::read_npz(encoding.atom_features),
                      pairs = io::read_npz(encoding.pair_features);
  EXPECT_THAT(atoms.at("offsets").to_float32(), testing::ElementsAre(0, 3, 16, 16, 19, 25));
  EXPECT_THAT(pairs.at("offsets").to_float32(), testing::ElementsAre(0, 25, 250, 250, 275, 339));
  EXPECT_THAT(atoms.at("features").shape, testing::ElementsAre(25, 32));
  EXPECT_THAT(pairs.at("features").shape, testing::ElementsAre(339, 8));
  EXPECT_THAT(read_file(path("atoms.failed.csv")), HasSubstr("3,nonsense"));

  EXPECT_EQ(engine().run(encoding).encoded, 0U) << "all of it is in the store";
  EncodeRequest alone = encoding;  // uses one worker, small batches, another store and another format
  alone.store = path("other");
  alone.compute.conservative = true;
  alone.compute.threads = 0;
  alone.pair_features = path("pairs.h5");
  alone.atom_features = path("others.npz");
  alone.out = path("others.npy");
  engine().run(alone);
  EXPECT_EQ(read_file(path("others.npz")), read_file(path("atoms.npz")));
  EXPECT_EQ(read_file(path("others.npy")), read_file(path("rows.npy")));
  const io::Hdf5Features others = io::read_hdf5_features(alone.pair_features);
  EXPECT_EQ(others.numbers, pairs.at("features").to_float32());
  EXPECT_EQ(others.metadata.at("weights"), "random numbers, seed 7");
}

TEST_F(Unimol, RefusesFilesOfFeaturesThatCannotBe) {
  init(7);
  EncodeRequest encoding = request();
  const auto refused = [&] { return refusal<UsageError>([&] { engine().run(encoding); }); };
  encoding.atom_features = path("atoms.npy");
  EXPECT_THAT(refused(), HasSubstr(".npz or .h5"));
  encoding.atom_features = encoding.out = path("rows.h5");
  EXPECT_THAT(refused(), HasSubstr("is also written for --atom-features"));
  encoding.atom_features = path("atoms.npz");
  encoding.pair_features = path("pairs.npz");
  encoding.placement.max_atoms = 2000;
  EXPECT_THAT(refused(), HasSubstr("Choose a smaller --max-atoms"));
  encoding.placement = {};
  encoding.pair_features = "";
  encoding.encoder = "ecfp";
  encoding.weights = "";
  encoding.compute.random_weights = false;
  EXPECT_THAT(refused(), AllOf(HasSubstr("--atom-features"), HasSubstr("only one row per molecule")));
}

/// The plan counts the memory of the features in addition to the tensors.
TEST_F(Unimol, PlansForFeaturesOfPairs) {
  init(7);
  PlanMemoryRequest plan;
  EncodeRequest encoding = request(std::string(200, 'C') + "\n");
  plan.work = encoding;
  const std::uint64_t rows = engine().run(plan).front().smallest_process_budget_bytes;
  encoding.pair_features = path("pairs.npz");
  plan.work = encoding;
  EXPECT_GT(engine().run(plan).front().smallest_process_budget_bytes, rows);
}

TEST_F(Unimol, DrawingsAreTakenOrRefused) {
  init(7);
  EncodeRequest encoding = request("CS[CH-][Mo+2]1234(C#[O+])(C#[O+])C5=C1[C-]2C3=C54\nCO\n");
  EXPECT_EQ(engine().run(encoding).encoded, 2U);
  encoding.placement.conformer_fallback = ConformerFallback::fail;
  const EncodeReport report = engine().run(encoding);
  EXPECT_EQ(report.encoded, 1U);
  ASSERT_EQ(report.failed_records, 1U) << "the row from its drawing is not reused";
  EXPECT_EQ(report.failed[0].line, 1U);
  EXPECT_THAT(report.failed[0].reason, HasSubstr("3D embedding failed"));
}

TEST_F(Unimol, ConformersHaveADeadline) {
  init(7);
  EncodeRequest encoding = request("CCN\n");
  encoding.placement.conformer_deadline = 1e-9;  // no conformer is ready in a nanosecond
  EXPECT_THAT(refusal<InputError>([&] { engine().run(encoding); }), HasSubstr("exceeded the time limit of"));
}

TEST_F(Unimol, OtherEncodersRefuseTheOptionsOfPlaces) {
  EncodeRequest encoding = request("CO\n");
  encoding.encoder = "ecfp";
  encoding.weights = "";
  encoding.compute.random_weights = false;
  const auto refused = [&](const PlacementOptions& placement) {
    encoding.placement = placement;
    return refusal<UsageError>([&] { engine().run(encoding); });
  };
  const auto says_why = HasSubstr("the encoder ecfp does not use 3D coordinates");
  EXPECT_THAT(refused({.conformer_fallback = ConformerFallback::drawing}),
              AllOf(HasSubstr("--conformer-fallback"), says_why));
  EXPECT_THAT(refused({.conformer_deadline = 30}), AllOf(HasSubstr("--conformer-deadline"), says_why));
  EXPECT_THAT(refused({.max_atoms = 200}), AllOf(HasSubstr("--max-atoms"), says_why));
}

/// Results of a call with little time are stored, but not the failures that more time would avoid.
TEST_F(Unimol, AFailureByDeadlineIsNotKeptForTheNextCall) {
  init(7);
  std::string chains, more;
  for (std::size_t i = 0; i < 45; ++i) {
    chains += std::string(i % 9 + 1, 'C') + "N" + std::string(i / 9 + 1, 'C') + "O\n";
  }
  for (std::size_t i = 0; i < 8; ++i) {
    more += std::string(i + 1, 'C') + "SC\n";
  }
  DomainRequest domain;
  domain.training = domain.candidates = request(chains).molecules;
  domain.encoder = "unimol";
  domain.store = path("store");
  domain.weights = path("weights");
  domain.compute.random_weights = true;
  domain.compute.quiet = true;
  domain.out = path("first.csv");
  engine().run(domain);  // the conformers of the training molecules are in the store now

  replace_file(path("candidates.smi"), chains + more);
  domain.candidates = path("candidates.smi");
  domain.out = path("domain.csv");
  domain.placement.conformer_deadline = 1e-9;
  std::filesystem::create_directory(path("domain.html"));  // the call fails before it removes its blocks
  EXPECT_NE(refusal<Error>([&] { engine().run(domain); }), "");
  ASSERT_TRUE(std::filesystem::exists(path("domain.csv.parts/00000000.block")));
  std::filesystem::remove(path("domain.html"));
  domain.placement.conformer_deadline.reset();
  EXPECT_EQ(engine().run(domain).unreadable, 0U);
}

/// Candidates are encoded with the settings of the training molecules, whatever options the call has.
TEST_F(Unimol, ASavedDomainKeepsTheOptionsOfPlaces) {
  init(7);
  std::string chains;
  for (std::size_t i = 0; i < 45; ++i) {
    chains += std::string(i % 9 + 1, 'C') + "N" + std::string(i / 9 + 1, 'C') + "O\n";
  }
  DomainRequest domain;
  domain.training = domain.candidates = request(chains).molecules;
  domain.encoder = "unimol";
  domain.store = path("store");
  domain.weights = path("weights");
  domain.compute.random_weights = true;
  domain.compute.quiet = true;
  domain.out = path("domain.csv");
  domain.save = path("saved");
  domain.placement = {.conformer_fallback = ConformerFallback::fail, .max_atoms = 4};
  engine().run(domain);
  domain.training = path("saved");
  domain.encoder = domain.save = "";
  EXPECT_THAT(refusal<UsageError>([&] { engine().run(domain); }),
              AllOf(HasSubstr("--conformer-fallback"), HasSubstr("the saved domain")));
  domain.placement = {};
  domain.out = path("again.csv");
  engine().run(domain);
  EXPECT_EQ(read_file(path("again.csv")), read_file(path("domain.csv")));
  ScoreRequest scoring;
  scoring.run = path("saved");
  scoring.molecules = domain.candidates;
  scoring.store = path("store");
  scoring.weights = path("weights");
  scoring.compute = domain.compute;
  scoring.out = path("scores.csv");
  EXPECT_EQ(engine().run(scoring).molecules.size(), 45U);
}

}  // namespace
}  // namespace molgauge::test
