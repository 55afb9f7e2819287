#include "pockets/preparation/build.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pockets/graphs/graph_set.h"
#include "pockets/preparation/hariboss_table.h"
#include "pockets/preparation/size_filter.h"
#include "prmtop_writer.h"
#include "small_force_field.h"
#include "support/fixtures.h"

namespace molgauge::pocket {
namespace {

using test::PrmtopWriter;
using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

class Building : public testing::Test {
 protected:
  Building() {
    request_.out = (folder_ / "set").string();
    request_.threads = 2;
    request_.quiet = true;
    std::filesystem::create_directory(folder_ / "in");
    request_.input = (folder_ / "in").string();
  }
  std::string put(const std::string& name, const std::string& text) {
    return test::write_text(folder_ / "in" / name, text);
  }
  void put_amber(const std::string& name) {
    put(name + "_rna.prmtop", PrmtopWriter().text());
    put(name + "_rna.inpcrd", PrmtopWriter::coordinates());
  }
  std::string failures() const { return test::text_of(folder_ / "set/failed_graph_construction.csv"); }

  test::TemporaryFolder folder_;
  PocketBuildRequest request_;
};

TEST_F(Building, TheOthersGoOnWhereAPocketFails) {
  put_amber("1abc_LIG_model0");
  put_amber("1abc_LIG_model1");
  put_amber("2abc_LIG_model0");
  put("2abc_LIG_model0_rna.prmtop", PrmtopWriter().text().substr(0, 1500));
  put_amber("3abc_LIG_model0");
  put("3abc_LIG_model0_rna.inpcrd", PrmtopWriter::coordinates("         NaN"));
  put_amber("4abc_LIG_model0");
  put("4abc_LIG_model0_rna.inpcrd",
      "four\n    4\n" + PrmtopWriter::coordinates().substr(PrmtopWriter::coordinates().find("   0.000")));
  put("5abc_LIG_model0_rna.prmtop", PrmtopWriter().text());
  put("6abc_LIG_model0_rna.prmtop", "");
  const PocketBuildReport report = build(request_);
  EXPECT_EQ(report.pockets, 7U);
  EXPECT_EQ(report.built, 2U);
  EXPECT_EQ(report.failed_pockets, 5U);
  EXPECT_EQ(report.atoms, 10U);
  EXPECT_THAT(failures(), AllOf(HasSubstr("complex_id,reason\n2abc_LIG_model0,"), HasSubstr("%FLAG"),
                                HasSubstr("'NaN'"), HasSubstr("coordinates of 4 atoms, but"),
                                HasSubstr("no coordinates next to it"), HasSubstr("too few for a topology")));
  const GraphSet set = GraphSet::open(request_.out);
  ASSERT_EQ(set.graphs().size(), 2U);
  EXPECT_EQ(set.graphs()[1].name, "1abc_LIG_model1");
  EXPECT_EQ(set.graphs()[1].complex, "1abc_LIG");

  const std::string manifest = test::text_of(folder_ / "set/manifest.json");
  const PocketBuildReport again = build(request_);
  EXPECT_EQ(again.built, 0U);
  EXPECT_EQ(again.taken_over, 2U);
  EXPECT_EQ(test::text_of(folder_ / "set/manifest.json"), manifest) << "a second run changes nothing";
}

TEST_F(Building, NothingLeftIsAnError) {
  put("a.prmtop", "%VERSION\n");
  EXPECT_THAT(refusal([&] { build(request_); }), AllOf(HasSubstr("none of its 1 pockets has a graph"),
                                                       HasSubstr("failed_graph_construction.csv")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "set/manifest.json"));
  request_.input = (folder_ / "nowhere").string();
  EXPECT_THAT(refusal([&] { build(request_); }), HasSubstr("nowhere: no such file or folder"));
}

TEST_F(Building, OptionsOfOtherInputAreRefused) {
  put_amber("a");
  PocketBuildRequest ligand = request_, normalization = request_;
  ligand.ligand = "ARG";
  EXPECT_THROW(build(ligand), UsageError);
  normalization.normalization = "a.npz";
  EXPECT_THROW(build(normalization), UsageError);
  request_.input = test::own_data("pocket/graphs").string();
  request_.distance_cutoff = 5;
  EXPECT_THROW(build(request_), UsageError);
}

TEST_F(Building, AnotherCutoffIsAnotherSet) {
  put_amber("a");
  build(request_);
  request_.distance_cutoff = 2.1;
  EXPECT_THAT(refusal([&] { build(request_); }), HasSubstr("with other options"));
}

TEST_F(Building, LargeGraphsAreLeftOutAndListed) {
  put_amber("a");
  request_.limits.max_atoms = 5;
  EXPECT_EQ(build(request_).too_large, 0U);
  request_.limits.max_atoms = 4;
  EXPECT_THAT(refusal([&] { build(request_); }), HasSubstr("the limits leave out all of its 1 graphs"));
  EXPECT_THAT(test::text_of(folder_ / "set/removed_samples.csv"), HasSubstr("\"has 5 atoms, more than 4\""));
}

TEST(Limits, APercentileHasToBeExceededInAtomsAndBonds) {
  std::vector<GraphEntry> graphs(20);
  for (std::int64_t i = 0; i < 20; ++i) {
    graphs[static_cast<std::size_t>(i)].name = std::to_string(i);
    graphs[static_cast<std::size_t>(i)].counts = {.atoms = 10 + i, .bonds = i == 18 ? 1 : 20 + i};
  }
  const auto removed = find_too_large(graphs, {.percentile = 90});
  ASSERT_EQ(removed.size(), 1U);
  EXPECT_EQ(removed[0].graph.name, "19") << "18 has few bonds";
  EXPECT_THAT(removed[0].reason, HasSubstr("above the percentile 90 of both"));
  EXPECT_TRUE(find_too_large(graphs, {}).empty());
  EXPECT_EQ(find_too_large(graphs, {.max_graph_bytes = bytes_in_memory(graphs[9].counts)}).size(), 9U);
}

/// The graphs were pickled by PyTorch Geometric (tests/fixtures/pocket/make_graphs.py).
TEST_F(Building, GraphsOfThePythonProjectGetTheirMeasuredFeaturesBack) {
  request_.input = test::own_data("pocket/graphs").string();
  const PocketBuildReport report = build(request_);
  EXPECT_EQ(report.built, 2U);
  EXPECT_THAT(failures(), AllOf(HasSubstr("2abc_LIG_model0,"), HasSubstr("normalises twice"),
                                HasSubstr("3abc_LIG_model0,")));
  const GraphSet set = GraphSet::open(request_.out);
  const Pockets pocket = set.load_measured(0);
  const float expected[] = {-0.5F, 8, 16.0F, 0.25F, 6, 12.01F};
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(pocket.features.data()[i], expected[i], 1e-5);
  }
  EXPECT_EQ(pocket.dihedrals.count(), 0);
  EXPECT_TRUE(set.origin().reference_phases);
  EXPECT_NEAR(set.normalization().mean[0], 0.0625, 1e-6);
  std::filesystem::copy(test::own_data("pocket/graphs/1abc_LIG_model0.pt"), folder_ / "in");
  request_.input = (folder_ / "in").string();
  request_.out = (folder_ / "without").string();
  EXPECT_THAT(refusal([&] { build(request_); }), HasSubstr("Name the file with --normalization"));
}

TEST_F(Building, StructuresGiveAPocketForEachModel) {
  const std::string model = test::small_rna(2) + test::small_ligand(1.0) + "ENDMDL\n";
  put("1ABC.pdb", "MODEL        1\n" + model + "MODEL        2\n" + test::small_rna(2) +
                      test::small_ligand(50) + "ENDMDL\nEND\n");
  put("2abc.pdb", test::small_rna(2) + "END\n");
  put("3abc.pdb", test::small_rna(2, "PSU") + test::small_ligand(4.0) + "END\n");
  EXPECT_THROW(build(request_), UsageError) << "without a force field";
  request_.force_field = {test::write_text(folder_ / "rna.xml", test::small_force_field())};
  EXPECT_THROW(build(request_), UsageError) << "without a ligand";
  request_.ligand = "MG";
  const PocketBuildReport report = build(request_);
  EXPECT_EQ(report.built, 1U);
  EXPECT_EQ(report.failed_pockets, 3U);
  EXPECT_THAT(failures(),
              AllOf(HasSubstr("1abc_MG_model1,"), HasSubstr("the pocket is empty"),
                    HasSubstr("there is no ligand MG"), HasSubstr("PSU 2 of chain A is a modified residue")));
  EXPECT_EQ(GraphSet::open(request_.out).graphs()[0].name, "1abc_MG_model0");
}

TEST_F(Building, ATableOfComplexesNamesTheLigands) {
  put("1abc.pdb", test::small_rna(2) + test::small_ligand(1.0) + "END\n");
  request_.force_field = {test::write_text(folder_ / "rna.xml", test::small_force_field())};
  request_.hariboss_csv = test::write_text(
      folder_ / "Complexes.csv",
      "id,sm_ligand_ids\n1ABC,\"['MG_.:B/1:B', 'K_.:B/2:B']\"\n1abc,MG\n9xyz,\"['ARG_.:A/1:A']\"\n,\"[]\"\n");
  const PocketBuildReport report = build(request_);
  EXPECT_EQ(report.built, 1U);
  EXPECT_EQ(report.failed_pockets, 2U);
  EXPECT_THAT(failures(),
              AllOf(HasSubstr("9xyz_ARG,"), HasSubstr("has no structure 9xyz"), HasSubstr("line 5,")));
}

TEST(HaribossTable, TakesTheFirstLigand) {
  EXPECT_EQ(first_ligand("['ARG_.:B/47:A', 'K_.:B/49:A']"), "ARG");
  EXPECT_EQ(first_ligand("GTP:A"), "GTP");
  EXPECT_EQ(first_ligand(" 2BP "), "2BP");
  EXPECT_EQ(first_ligand("[]"), "");
}

}  // namespace
}  // namespace molgauge::pocket
