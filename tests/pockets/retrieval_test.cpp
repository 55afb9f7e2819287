// Tests rows by key, the search for ligands, ranks and their figures, and encoders that are read from files.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/safetensors.h"
#include "made_up_set.h"
#include "pockets/retrieval/ranking.h"
#include "pockets/retrieval/search.h"
#include "pockets/retrieval/stored_encoder.h"
#include "pockets/training/parameters.h"
#include "pockets/training/request_options.h"
#include "pockets/training/run_files.h"
#include "pockets/training/selection.h"
#include "support/fixtures.h"

namespace molgauge::pocket {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

io::KeyedRows library() { return {{"a", "b", "c", "d"}, 2, {1, 0, 0, 2, -1, 0, 3, 0}}; }

TEST(KeyedRows, AreWrittenAndReadBack) {
  const test::TemporaryFolder folder;
  for (const char* name : {"rows.h5", "rows.npz"}) {
    io::write_keyed_rows(folder / name, library());
    const io::KeyedRows rows = io::read_keyed_rows(folder / name);
    EXPECT_THAT(rows.keys, ElementsAre("a", "b", "c", "d")) << name;
    EXPECT_EQ(rows.width, 2);
    EXPECT_EQ(rows.numbers, library().numbers);
    EXPECT_EQ(rows.find("c"), 2U);
    EXPECT_EQ(rows.find("e"), std::nullopt);
  }
  EXPECT_THROW(io::write_keyed_rows(folder / "rows.txt", library()), UsageError);
}

TEST(KeyedRows, WhatIsNoRowIsRefused) {
  const test::TemporaryFolder folder;
  const auto expect_refused = [&](const io::TensorMap& tensors, const char* reason) {
    io::write_safetensors(folder / "bad.safetensors", tensors);
    try {
      io::read_keyed_rows(folder / "bad.safetensors");
      ADD_FAILURE() << reason;
    } catch (const InputError& problem) {
      EXPECT_THAT(problem.what(), HasSubstr("bad.safetensors"));
      EXPECT_THAT(problem.what(), HasSubstr(reason));
    }
  };
  const float numbers[] = {1, std::numeric_limits<float>::quiet_NaN(), 3, 4};
  const auto row = [&](std::vector<std::int64_t> shape) {
    return io::TensorData::from_float32(shape, numbers);
  };
  expect_refused({}, "no rows");
  expect_refused({{"a", row({2, 2})}}, "a is not a row");
  expect_refused({{"a", row({2})}}, "not finite");
  expect_refused({{"a", row({1})}, {"b", row({1, 2})}}, "b has 2 numbers");
  replace_file(folder / "bad.h5", "no HDF5");
  EXPECT_THROW(io::read_keyed_rows(folder / "bad.h5"), InputError);
}

TEST(PocketSearch, FindsTheNearestInTheOrderOfTheLibrary) {
  ops::Floats rows{1, 2};
  rows.data()[0] = 2;
  rows.data()[1] = 0;
  const auto by_cosine = nearest_ligands(rows, library(), PocketMetric::cosine, 3, 1).at(0);
  ASSERT_EQ(by_cosine.size(), 3U);
  EXPECT_EQ(by_cosine[0].ligand, "a");  // a and d are equally near, and a comes first in the library
  EXPECT_EQ(by_cosine[1].ligand, "d");
  EXPECT_EQ(by_cosine[2].ligand, "b");
  EXPECT_NEAR(by_cosine[2].distance, 1, 1e-12);
  const auto by_length = nearest_ligands(rows, library(), PocketMetric::euclidean, 9, 1).at(0);
  ASSERT_EQ(by_length.size(), 4U);
  EXPECT_EQ(by_length[1].ligand, "d");
  EXPECT_NEAR(by_length[2].distance, std::sqrt(8), 1e-6);
  EXPECT_EQ(by_length[3].rank, 4U);
  EXPECT_THROW(nearest_ligands(ops::Floats::zeros({1, 3}), library(), PocketMetric::cosine, 1, 1),
               InputError);
}

TEST(PocketRanking, RanksRecallAndEnrichment) {
  const float row[] = {2, 0};
  const RankedPocket first = rank_ligand("p", row, 0, library(), PocketMetric::cosine);
  const RankedPocket tied = rank_ligand("p", row, 3, library(), PocketMetric::cosine);
  const RankedPocket last = rank_ligand("p", row, 2, library(), PocketMetric::cosine);
  EXPECT_EQ(first.rank, 1U);
  EXPECT_EQ(tied.rank, 2U);
  EXPECT_EQ(last.rank, 4U);
  EXPECT_DOUBLE_EQ(last.normalized_rank, 1);
  EXPECT_EQ(last.best.front().ligand, "a");
  const std::vector<RankedPocket> ranked = {first, tied, last};
  EXPECT_NEAR(mean_reciprocal_rank(ranked), (1 + 0.5 + 0.25) / 3, 1e-12);
  EXPECT_EQ(recall_at(ranked, 2).hits, 2U);
  const HitRate rate = hit_rate(ranked, 25, 4);
  EXPECT_EQ(rate.k_value, 1U);
  EXPECT_NEAR(rate.hit_rate, 100.0 / 3, 1e-9);
  EXPECT_NEAR(rate.enrichment, 4.0 / 3, 1e-9);
  EXPECT_EQ(hit_rate(ranked, 1, 4).k_value, 1U);
  const RankStatistics ranks = statistics_of({1, 2, 4, 5});
  EXPECT_DOUBLE_EQ(ranks.median, 3);
  EXPECT_DOUBLE_EQ(ranks.mean, 3);
  EXPECT_DOUBLE_EQ(ranks.deviation, std::sqrt(2.5));
  EXPECT_NEAR(random_reciprocal_rank(3), (1 + 0.5 + 1.0 / 3) / 3, 1e-12);
}

RankedPocket ranked_pocket(const std::string& name, std::size_t nearer, std::size_t tied) {
  RankedPocket pocket;
  pocket.pocket = name;
  pocket.complex = complex_of(name);
  pocket.nearer = nearer;
  pocket.tied = tied;
  pocket.rank = nearer + 1;
  return pocket;
}

TEST(PocketRanking, AnEncoderThatTellsNothingApartHasTheFiguresOfARandomOrder) {
  io::KeyedRows equal = library();
  for (float& number : equal.numbers) {
    number = 1;
  }
  const float row[] = {2, 0};
  const RankedPocket first = rank_ligand("a_l_model0", row, 0, equal, PocketMetric::cosine);
  const RankedPocket last = rank_ligand("b_l_model0", row, 3, equal, PocketMetric::cosine);
  EXPECT_EQ(first.rank, 1U) << "the rank of the Python project follows the order of the library";
  EXPECT_DOUBLE_EQ(first.mid_rank(), 2.5);
  EXPECT_DOUBLE_EQ(last.mid_rank(), 2.5);
  const RetrievalFigures figures = figures_by_complex({first}, 4, {1, 2, 4}, {50});
  EXPECT_DOUBLE_EQ(figures.mrr, random_reciprocal_rank(4));
  EXPECT_DOUBLE_EQ(figures.top1_percent, 25);
  EXPECT_DOUBLE_EQ(figures.mean_normalized_rank, 0.5);
  EXPECT_THAT(figures.recall_percent, ElementsAre(25, 50, 100));
  EXPECT_THAT(figures.hit_percent, ElementsAre(50));
}

TEST(PocketRanking, EachComplexCountsOnce) {
  std::vector<RankedPocket> ranked = {ranked_pocket("p_l_model0", 3, 1)};
  for (int model = 0; model < 9; ++model) {
    ranked.push_back(ranked_pocket("q_l_model" + std::to_string(model), 0, 1));
  }
  const RetrievalFigures figures = figures_by_complex(ranked, 4, {1}, {25});
  EXPECT_EQ(figures.pockets, 10U);
  EXPECT_EQ(figures.complexes, 2U);
  EXPECT_DOUBLE_EQ(figures.mean_rank, 2.5) << "1.3 over pockets";
  EXPECT_DOUBLE_EQ(figures.top1_percent, 50);
  EXPECT_DOUBLE_EQ(recall_at(ranked, 1).percent, 90) << "as in the Python project";
}

TEST(PocketRun, AnEncoderIsReadBackWithItsOptions) {
  const test::TemporaryFolder folder;
  PocketTrainRequest request;
  request.encoder.hidden_irreps = "8x0e + 4x1o + 2x2e";
  request.encoder.num_layers = 1;
  request.encoder.v3 = request.encoder.enhanced_invariants = true;
  const TrainingOptions options = training_options(request, 6);
  const auto parameters = draw_parameters(options.shape, 3);
  io::TensorMap tensors;
  train::Parameters({{.name = "encoder", .parameters = parameters}}).save(tensors, "");
  io::write_safetensors(folder / "best_model.safetensors", tensors);
  const FeatureNormalization normalization{{0.5, 7, 14}, {2, 1, 3}};
  write_config(folder.path(), {request, 6, normalization});
  const StoredEncoder stored = read_encoder(folder.path(), false);
  EXPECT_EQ(stored.shape.hidden, options.shape.hidden);
  EXPECT_EQ(stored.shape.pooling, Pooling::heads);
  EXPECT_TRUE(stored.shape.third->enhanced_invariants);
  ASSERT_TRUE(stored.normalization);
  EXPECT_EQ(stored.normalization->mean, normalization.mean);
  const Batch batch = arrange(test::made_up_pocket(12, 0.4, 0.1, 1), "pocket");
  const ops::Floats own = array_encoder(options.shape, parameters).forward(as_arrays(batch));
  const ops::Floats read = stored.encode(batch);
  EXPECT_TRUE(std::equal(own.data(), own.data() + own.count(), read.data()));
  replace_file(folder / "config.json", "{}");
  EXPECT_THROW(read_encoder(folder.path(), false), InputError);
  std::filesystem::remove(folder / "config.json");
  EXPECT_EQ(read_encoder(folder.path(), false).shape.pooling,
            Pooling::heads);  // the pooling follows from the parameters
  std::filesystem::remove(folder / "best_model.safetensors");
  EXPECT_THROW(read_encoder(folder.path(), false), InputError);
}

TEST(PocketOptions, WhatHasNoEffectIsRefused) {
  PocketTrainRequest request;
  request.loss = PocketLoss::infonce;
  request.batch_size = 1;
  EXPECT_THROW(training_options(request, 4), UsageError);
  request = {};
  request.encoder.pooling = Pooling::heads;
  EXPECT_THROW(training_options(request, 4), UsageError);
  request.encoder.v3 = true;
  EXPECT_EQ(training_options(request, 4).shape.pooling, Pooling::heads);
  request.encoder.pooling = Pooling::mean;
  EXPECT_THROW(training_options(request, 4), UsageError);
  request.encoder.attention_heads = 1;
  EXPECT_EQ(training_options(request, 4).shape.pooling, Pooling::mean);
}

TEST(PocketSelection, PocketsWithoutLigandsAreReported) {
  const test::TemporaryFolder folder;
  io::KeyedRows rows = test::make_up_set(folder / "graphs", 6, 2, 8, 10, 3);
  const GraphSet graphs = GraphSet::open(folder / "graphs");
  rows.keys.pop_back();
  rows.numbers.resize(rows.numbers.size() - 3);
  PocketTrainRequest request;
  const SelectedPockets selected = select_pockets(request, graphs, rows);
  EXPECT_EQ(selected.left_out.size(), 2U);
  EXPECT_EQ(selected.train.size() + selected.validation.size() + selected.split.test.size(), 10U);
  // A file in which models of one complex are in two parts.
  const std::string& complex = graphs.graphs()[0].complex;
  write_split(folder / "splits.json",
              {{complex + "_model0", graphs.graphs()[2].name}, {complex + "_model1"}, {"gone_model0"}});
  request.splits = folder / "splits.json";
  EXPECT_THROW(select_pockets(request, graphs, rows), InputError);
  request.allow_overlap = true;
  const SelectedPockets named = select_pockets(request, graphs, rows);
  EXPECT_EQ(named.train.size(), 2U);
  ASSERT_EQ(named.left_out.size(), 1U);
  EXPECT_THAT(named.left_out[0].reason, HasSubstr("no graph"));
  rows = {{"other"}, 3, {1, 2, 3}};
  EXPECT_THROW(select_pockets({}, graphs, rows), InputError);
}

}  // namespace
}  // namespace molgauge::pocket
