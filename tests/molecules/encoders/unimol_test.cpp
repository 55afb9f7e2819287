#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/memory/measure/tensor_memory.h"
#include "base/memory/plan/step_prober.h"
#include "molecules/encoders/encoding_step.h"
#include "molecules/encoders/unimol/featuriser.h"
#include "molecules/encoders/unimol/network.h"
#include "molecules/encoders/unimol/unimol_encoder.h"

namespace molgauge::encoders::unimol {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr NetworkShape kSmall{.layers = 3, .width = 16, .hidden = 24, .heads = 4, .kernels = 8};

/// Numbers from a formula. They are the same on every machine, and need no file.
ops::Floats made_up(const std::string& name, const std::vector<std::int64_t>& shape) {
  ops::Floats numbers(shape);
  const auto seed = static_cast<float>(name.size());
  for (std::int64_t i = 0; i < numbers.count(); ++i) {
    numbers.data()[i] =
        0.3F * std::sin(seed + 1.7F * static_cast<float>(i)) + (name.ends_with("norm.weight") ? 1 : 0);
  }
  return numbers;
}

Network<PairOperators> small_network() { return {kSmall, made_up}; }

io::TensorMap small_tensors() {
  io::TensorMap tensors;
  const Network<PairOperators> network(
      kSmall, [&](const std::string& name, const std::vector<std::int64_t>& shape) {
        const ops::Floats numbers = made_up(name, shape);
        tensors.emplace(name, io::TensorData::from_float32(shape, numbers.data()));
        return numbers;
      });
  return tensors;
}

chem::Conformer chain(std::size_t atoms) {
  chem::Conformer conformer;
  for (std::size_t i = 0; i < atoms; ++i) {
    const auto x = static_cast<float>(i);
    conformer.elements.push_back(i % 3 == 0 ? 8 : 6);
    conformer.positions.push_back({1.3F * x, std::sin(x), std::cos(2 * x)});
  }
  return conformer;
}

std::vector<float> rows_of(const ops::Floats& all, std::int64_t first, std::int64_t count) {
  const float* const begin = all.data() + first * all.width();
  return {begin, begin + count * all.width()};
}

TEST(UnimolFeaturiser, PutsTheEndsAtTheCentroid) {
  const auto inputs = featurise({{6, 8, 29}, {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}});
  EXPECT_THAT(inputs->tokens, ElementsAre(kClass, 4, 6, kUnknown, kSeparator))
      << "copper is not in the dictionary";
  ASSERT_EQ(inputs->distances.size(), 25U);
  const auto apart = [&](std::size_t i, std::size_t j) { return inputs->distances[i * 5 + j]; };
  EXPECT_THAT(apart(1, 2), FloatNear(3, 1e-6F));
  EXPECT_THAT(apart(2, 3), FloatNear(std::sqrt(18.0F), 1e-6F));
  EXPECT_THAT(apart(0, 1), FloatNear(std::sqrt(2.0F), 1e-6F)) << "the centroid is (1, 1, 0)";
  EXPECT_EQ(apart(0, 4), 0);
  EXPECT_EQ(apart(3, 4), apart(4, 3));
}

TEST(UnimolFeaturiser, TakesMoleculesWithoutAtomsAndTheLargest) {
  EXPECT_THAT(featurise({})->tokens, ElementsAre(kClass, kSeparator));
  EXPECT_EQ(featurise(chain(kMaxAtoms))->tokens.size(), kMaxAtoms + 2);
  EXPECT_EQ(featurise(chain(kMaxAtoms))->atoms_left_out(), 0U);
}

/// Each atom of a line has a different position, so the distances to the first selected atom identify the
/// selected atoms.
TEST(UnimolFeaturiser, DrawsTheSameAtomsOfALargerMoleculeInTheirOrder) {
  chem::Conformer line;
  for (std::size_t i = 0; i < 2 * kMaxAtoms; ++i) {
    line.elements.push_back(6);
    line.positions.push_back({static_cast<float>(i), 0, 0});
  }
  const auto inputs = featurise(line);
  EXPECT_EQ(inputs->tokens.size(), kMaxAtoms + 2);
  EXPECT_EQ(inputs->atoms_left_out(), kMaxAtoms);
  const auto from_first = inputs->distances.begin() + static_cast<std::ptrdiff_t>(kMaxAtoms + 2) + 1;
  EXPECT_TRUE(std::is_sorted(from_first, from_first + kMaxAtoms));
  EXPECT_GT(*(from_first + kMaxAtoms - 1), kMaxAtoms) << "not only the first ones";
  EXPECT_EQ(featurise(line)->distances, inputs->distances);
  EXPECT_EQ(featurise(line, 10)->tokens.size(), 12U);
  EXPECT_EQ(featurise(line, 10)->atoms_left_out(), 2 * kMaxAtoms - 10);
  EXPECT_EQ(featurise(line, 3 * kMaxAtoms)->atoms_left_out(), 0U);
}

/// The numbers of a molecule are bit-identical alone, in the middle of a batch, and in another order.
TEST(UnimolNetwork, GivesTheSameBytesInAnyBatch) {
  const auto network = small_network();
  std::vector<std::unique_ptr<Inputs>> molecules;
  for (const std::size_t atoms : {1, 9, 30, 9, 70}) {
    molecules.push_back(featurise(chain(atoms)));
  }
  std::vector<const Inputs*> forwards, backwards;
  for (const auto& molecule : molecules) {
    forwards.push_back(molecule.get());
    backwards.insert(backwards.begin(), molecule.get());
  }
  const auto one_way = network.forward(pack(forwards)), other_way = network.forward(pack(backwards));
  std::int64_t first = 0, last = one_way.tokens.rows(), first_pair = 0, last_pair = one_way.pairs.rows();
  for (const Inputs* const molecule : forwards) {
    const auto tokens = static_cast<std::int64_t>(molecule->tokens.size());
    last -= tokens;
    last_pair -= tokens * tokens;
    const auto alone = network.forward(pack({&molecule, 1}));
    EXPECT_EQ(rows_of(one_way.tokens, first, tokens), rows_of(alone.tokens, 0, tokens));
    EXPECT_EQ(rows_of(other_way.tokens, last, tokens), rows_of(alone.tokens, 0, tokens));
    EXPECT_EQ(rows_of(one_way.pairs, first_pair, tokens * tokens), rows_of(alone.pairs, 0, tokens * tokens));
    EXPECT_EQ(rows_of(other_way.pairs, last_pair, tokens * tokens), rows_of(alone.pairs, 0, tokens * tokens));
    first += tokens;
    first_pair += tokens * tokens;
  }
}

TEST(UnimolNetwork, DependsOnDistancesAlone) {
  const auto network = small_network();
  chem::Conformer turned = chain(12);
  for (auto& [x, y, z] : turned.positions) {
    const float before = x;
    x = -y + 5;
    y = before - 2;
  }
  const auto here = featurise(chain(12)), there = featurise(turned);
  const Inputs *one = here.get(), *other = there.get();
  const auto rows = network.forward(pack({&one, 1})), same = network.forward(pack({&other, 1}));
  for (std::int64_t i = 0; i < rows.tokens.count(); ++i) {
    EXPECT_NEAR(rows.tokens.data()[i], same.tokens.data()[i], 1e-4);
  }
}

void expect_planned_to_the_byte(const AtomPairChoice& fine) {
  const UnimolEncoder encoder(small_tensors(), {.weights_sha256 = "5f2a"}, {.fine = fine});
  EncodingStep step(encoder);
  memory::AllocationMeter& meter = memory::tensor_memory();
  const std::uint64_t outside = meter.allocated_bytes() - encoder.parameter_bytes();
  memory::StepProber prober(step, meter, outside, memory::AllocationMeter::kNoLimit, {});
  prober.lift_limit();
  const auto projection = prober.project({});
  ASSERT_TRUE(projection);
  EXPECT_TRUE(projection->is_exact());
  const std::vector<memory::ItemSize> batch = {{80, 6400}, {12, 144}, {11, 121}};
  std::vector<std::unique_ptr<FeaturisedMolecule>> molecules;
  std::vector<const FeaturisedMolecule*> pointers;
  for (const memory::ItemSize& size : batch) {
    molecules.push_back(featurise(chain(size.tokens - 2)));  // real molecules, not made up by the prober
    pointers.push_back(molecules.back().get());
  }
  std::vector<float> rows(batch.size() * encoder.width());
  encoder.encode(pointers, rows);  // the caches of the thread now exist
  meter.reset_peak();
  encoder.encode(pointers, rows);
  EXPECT_EQ(projection->peak_bytes(encoder.cost(batch)), meter.peak_bytes() - outside);
}

TEST(UnimolEncoder, IsPlannedToTheByte) {
  expect_planned_to_the_byte({});
  expect_planned_to_the_byte({.atoms = true});
  expect_planned_to_the_byte({.pairs = true});
}

TEST(UnimolEncoder, GivesTheFeaturesThatAreWantedAlone) {
  const auto molecule = featurise(chain(5));
  const std::vector<const FeaturisedMolecule*> batch = {molecule.get()};
  for (const AtomPairChoice wanted :
       {AtomPairChoice{}, AtomPairChoice{.atoms = true}, AtomPairChoice{.pairs = true}}) {
    const UnimolEncoder encoder(small_tensors(), {.weights_sha256 = "5f2a"}, {.fine = wanted});
    std::vector<float> rows(encoder.width());
    std::size_t atoms = 0, pairs = 0;
    if (wanted.any()) {
      encoder.encode_finely(batch, rows, [&](std::size_t, const AtomPairFeatures& features) {
        atoms = features.atoms.size();
        pairs = features.pairs.size();
      });
    }
    EXPECT_EQ(atoms, wanted.atoms ? 5 * encoder.width() : 0);
    EXPECT_EQ(pairs, wanted.pairs ? 49 * encoder.pair_width() : 0);
    EXPECT_LE((atoms + pairs) * sizeof(float), encoder.fine_bytes(molecule->size()));
  }
}

/// If memory for any tensor of a batch is refused, no tensor of the batch stays in memory. The next attempt
/// then returns the rows. The recovery of the pipeline depends on this.
TEST(UnimolEncoder, LeavesNothingBehindWhereMemoryRunsOut) {
  const UnimolEncoder encoder(small_tensors(), {.weights_sha256 = "5f2a"});
  const auto one = featurise(chain(40)), other = featurise(chain(7));
  const std::vector<const FeaturisedMolecule*> batch = {one.get(), other.get()};
  std::vector<float> expected(2 * encoder.width()), rows(expected.size());
  encoder.encode(batch, expected);
  memory::AllocationMeter& meter = memory::tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  meter.reset_peak();
  encoder.encode(batch, rows);
  const std::uint64_t peak = meter.peak_bytes() - before;
  constexpr std::uint64_t kLimits = 24;
  for (std::uint64_t part = 0; part < kLimits; ++part) {
    meter.set_limit(before + peak * part / kLimits);
    EXPECT_THROW(encoder.encode(batch, rows), memory::OutOfTensorMemory) << part;
    EXPECT_EQ(meter.allocated_bytes(), before) << part;
  }
  meter.set_limit(before + peak);
  rows.assign(rows.size(), 0);
  encoder.encode(batch, rows);
  meter.set_limit(memory::AllocationMeter::kNoLimit);
  EXPECT_EQ(rows, expected);
}

/// Rows are reused if their identity is equal, so an identity must not change by accident.
TEST(UnimolEncoder, IsKnownByWhatChangesItsRows) {
  const auto options_of = [](const UnimolChoice& choice) {
    return UnimolEncoder(small_tensors(), {.weights_sha256 = "5f2a"}, choice).identity().options;
  };
  EXPECT_EQ(options_of({}), "precision=fp32;hydrogens=no;atoms=256, drawn with seed 42");
  EXPECT_EQ(options_of({.most_atoms = 20}), "precision=fp32;hydrogens=no;atoms=20, drawn with seed 42");
  EXPECT_EQ(options_of({.takes_drawings = false}),
            "precision=fp32;hydrogens=no;atoms=256, drawn with seed 42;drawings=no");
  const UnimolEncoder encoder(small_tensors(), {.weights_sha256 = "5f2a"}, {.most_atoms = 20});
  EXPECT_EQ(encoder.estimate({.atoms = 300, .edges = 600}).tokens, 22U);
  chem::Molecule molecule;
  molecule.conformer = chain(30);
  EXPECT_EQ(encoder.featurise(molecule)->size().tokens, 22U);
}

TEST(UnimolEncoder, GivesTheClassTokensRow) {
  const UnimolEncoder encoder(small_tensors(), {.weights_sha256 = "5f2a"});
  chem::Molecule molecule;
  EXPECT_THROW(encoder.featurise(molecule), InputError) << "no 3D coordinates";
  molecule.conformer = chain(20);
  const auto featurised = encoder.featurise(molecule);
  EXPECT_EQ(featurised->size(), encoder.estimate({.atoms = 20, .edges = 38}));
  const auto other = featurise(chain(3));
  const std::vector<const FeaturisedMolecule*> batch = {other.get(), featurised.get()};
  std::vector<float> rows(2 * encoder.width());
  encoder.encode(batch, rows);
  const auto* const inputs = dynamic_cast<const Inputs*>(featurised.get());
  const auto alone = small_network().forward(pack({&inputs, 1}));
  EXPECT_TRUE(std::equal(rows.begin() + static_cast<std::ptrdiff_t>(encoder.width()), rows.end(),
                         alone.tokens.data()));
}

TEST(UnimolNetwork, TakesTensorsOfAnySizeAndNamesThoseThatDoNotFit) {
  io::TensorMap tensors = small_tensors();
  EXPECT_EQ(tensors.size(), 13U + 12 * 3);
  EXPECT_EQ(shape_of(tensors, "weights.pt"), kSmall);
  tensors["lm_head.weight"] = tensors["embed_tokens.weight"];
  EXPECT_FALSE(select_tensors(tensors, "weights.pt").contains("lm_head.weight")) << "of the pre-training";
  io::TensorMap wrong = tensors;
  wrong.erase("encoder.layers.1.fc2.bias");
  wrong["gbf.mul.weight"].shape = {1, 961};
  EXPECT_THAT(
      [&] { select_tensors(wrong, "weights.pt"); },
      ThrowsMessage<InputError>(testing::AllOf(HasSubstr("weights.pt"), HasSubstr("fc2.bias is missing"),
                                               HasSubstr("gbf.mul.weight has shape [1, 961]"))));
  EXPECT_THROW(select_tensors({}, "weights.pt"), InputError);
}

}  // namespace
}  // namespace molgauge::encoders::unimol
