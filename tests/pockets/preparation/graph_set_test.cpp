#include "pockets/graphs/graph_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/sealed_json.h"
#include "pockets/graphs/graph_set_writer.h"
#include "pockets/topology/topology.h"
#include "support/faulty_files.h"
#include "support/fixtures.h"
#include "text_files.h"

namespace molgauge::pocket {
namespace {

using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

/// Two bonded atoms. The first atom has this charge.
Pockets two_atoms(double charge) {
  Topology topology;
  topology.atoms = {{charge, 8, 16.0, 0}, {0.25, 6, 12.0, 0}};
  topology.bonds = {{{0, 1}, 1.4, 300}};
  topology.types = 1;
  topology.a = topology.b = {1};
  return make_graph(topology, {{0, 0, 0}, {1.4, 0, 0}}, {});
}

const GraphSetOrigin kOrigin{.source = "amber", .force_field = "of the topologies"};

class GraphSets : public testing::Test {
 protected:
  void write(const std::vector<std::pair<std::string, double>>& graphs) {
    GraphSetWriter writer(folder_.path(), kOrigin);
    for (const auto& [name, charge] : graphs) {
      if (!writer.take_over(name, "from " + name)) {
        writer.add(name, "from " + name, two_atoms(charge));
      }
    }
    writer.commit();
  }
  std::string manifest() const { return test::text_of(folder_ / "manifest.json"); }

  test::TemporaryFolder folder_;
};

TEST_F(GraphSets, KeepMeasuredFeaturesAndNormaliseThemWhenTheyAreLoaded) {
  write({{"b_X_model0", 0.5}, {"a_X_model1", -0.5}});
  const GraphSet set = GraphSet::open(folder_.path());
  ASSERT_EQ(set.graphs().size(), 2U);
  EXPECT_EQ(set.graphs()[0].name, "a_X_model1");
  EXPECT_EQ(set.graphs()[0].complex, "a_X");
  EXPECT_EQ(set.find("b_X_model0"), 1U);
  EXPECT_EQ(set.find("c"), std::nullopt);
  EXPECT_EQ(set.graphs()[1].counts, (GraphCounts{2, 2, 0, 0, 0}));
  EXPECT_EQ(set.load_measured(1).features.data()[0], 0.5F);
  // Charges -0.5, 0.25, 0.5, 0.25; elements 8, 6, 8, 6.
  EXPECT_NEAR(set.normalization().mean[0], 0.125, 1e-12);
  EXPECT_NEAR(set.normalization().deviation[1], 1, 1e-12);
  EXPECT_NEAR(set.load(0).features.data()[1], 1, 1e-6);
  EXPECT_NEAR(set.load(0, {{0, 8, 0}, {1, 2, 1}}).features.data()[4], -1, 1e-6);
}

TEST_F(GraphSets, ASecondRunChangesNothing) {
  write({{"a", 0.5}, {"b", 0.1}});
  const std::string before = manifest(), graph = test::text_of(folder_ / "graphs/a.safetensors");
  const auto time = std::filesystem::last_write_time(folder_ / "graphs/a.safetensors");
  write({{"a", 0.7}, {"b", 0.1}});  // the pocket exists already, so the new charge is ignored
  EXPECT_EQ(manifest(), before);
  EXPECT_EQ(test::text_of(folder_ / "graphs/a.safetensors"), graph);
  EXPECT_EQ(std::filesystem::last_write_time(folder_ / "graphs/a.safetensors"), time);
}

TEST_F(GraphSets, AWriterGoesOnWithWhatAnotherHasLeft) {
  {
    GraphSetWriter stopped(folder_.path(), kOrigin);
    stopped.add("a", "from a", two_atoms(0.5));
  }
  EXPECT_THAT(refusal([&] { GraphSet::open(folder_.path()); }), HasSubstr("manifest.json: no such file"));
  test::write_text(folder_ / "graphs/b.safetensors", "a file that a crash has left");
  GraphSetWriter writer(folder_.path(), kOrigin);
  EXPECT_TRUE(writer.take_over("a", "from a"));
  EXPECT_FALSE(writer.take_over("b", "from b"));
  writer.add("b", "from b", two_atoms(0.1));
  writer.commit();
  const std::string resumed = manifest();
  test::TemporaryFolder whole;
  GraphSetWriter undisturbed(whole.path(), kOrigin);
  undisturbed.add("b", "from b", two_atoms(0.1));
  undisturbed.add("a", "from a", two_atoms(0.5));
  undisturbed.commit();
  EXPECT_EQ(test::text_of(whole / "manifest.json"), resumed);
}

TEST_F(GraphSets, GraphsOfAnotherMakingAreMadeAgainOrRefused) {
  write({{"a", 0.5}});
  {
    GraphSetWriter writer(folder_.path(), kOrigin);
    EXPECT_FALSE(writer.take_over("a", "from another file"));
    EXPECT_FALSE(writer.take_over("../a", "from a"));
    EXPECT_THAT(refusal([&] { writer.add("../a", "from a", two_atoms(1)); }),
                HasSubstr("cannot be the name"));
    writer.add("a", "from another file", two_atoms(1));
    EXPECT_THAT(refusal([&] { writer.add("a", "from another file", two_atoms(1)); }),
                HasSubstr("two graphs"));
  }
  GraphSetOrigin other = kOrigin;
  other.cutoff = 5;
  EXPECT_THAT(refusal([&] { GraphSetWriter(folder_.path(), other); }), HasSubstr("with other options"));
}

TEST_F(GraphSets, WhatIsNoLongerWantedIsRemoved) {
  write({{"a", 0.5}, {"b", 0.1}});
  write({{"b", 0.1}});
  EXPECT_EQ(GraphSet::open(folder_.path()).graphs().size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "graphs/a.safetensors"));
}

TEST_F(GraphSets, DamageIsNamed) {
  write({{"a", 0.5}});
  const std::string whole = test::text_of(folder_ / "graphs/a.safetensors"), good = manifest();
  const auto open = [&] { return GraphSet::open(folder_.path()); };
  std::string changed = whole;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  test::write_text(folder_ / "graphs/a.safetensors", changed);
  EXPECT_THAT(refusal([&] { open().load(0); }), AllOf(HasSubstr("a.safetensors"), HasSubstr("has changed")));
  test::write_text(folder_ / "graphs/a.safetensors", whole.substr(0, 100));
  EXPECT_THAT(refusal(open), AllOf(HasSubstr("a.safetensors"), HasSubstr("100 bytes")));
  test::write_text(folder_ / "graphs/a.safetensors", whole);

  const auto with = [&](const std::string& from, const std::string& to) {
    auto text = nlohmann::ordered_json::parse(good).dump(1);
    text.replace(text.find(from), from.size(), to);
    test::write_text(folder_ / "manifest.json", sealed(nlohmann::ordered_json::parse(text)).dump(1));
    return refusal(open);
  };
  EXPECT_THAT(with("\"atoms\": 2", "\"atoms\": -2"), HasSubstr("manifest.json"));
  EXPECT_THAT(with("\"name\": \"a\"", "\"name\": \"../a\""), HasSubstr("not a file name"));
  EXPECT_THAT(with("\"version\": 2", "\"version\": 3"), HasSubstr("version 3"));
  EXPECT_THAT(with("molgauge pocket graphs", "something"), HasSubstr("not the manifest"));
  EXPECT_THAT(with("\"mean\"", "\"median\""), HasSubstr("mean"));
  test::write_text(folder_ / "manifest.json", good.substr(0, good.size() / 2));
  EXPECT_THAT(refusal(open), HasSubstr("manifest.json: not the manifest of a graph set: invalid JSON"));
}

/// A changed normalisation of the features would change the trained encoder.
TEST_F(GraphSets, NoChangedBitOfTheManifestGoesUnnoticed) {
  write({{"a", 0.5}});
  const std::string good = manifest();
  const auto deviation_of = [](const GraphSet& set) { return set.normalization().deviation; };
  const auto whole = deviation_of(GraphSet::open(folder_.path()));
  std::size_t refused = 0;
  for (std::size_t place = 0; place < good.size(); ++place) {
    std::string changed = good;
    changed[place] = static_cast<char>(changed[place] ^ 1);
    test::write_text(folder_ / "manifest.json", changed);
    try {
      EXPECT_EQ(deviation_of(GraphSet::open(folder_.path())), whole) << "byte " << place;
    } catch (const InputError& damage) {
      ++refused;
      EXPECT_THAT(damage.what(), HasSubstr("manifest.json"));
    }
  }
  EXPECT_GT(refused, good.size() / 2);
}

/// A pocket is added to a set while one disk call fails. The folder must then contain the old set or the new
/// set.
TEST(GraphSetFaults, AManifestIsReplacedWholeOrNotAtAll) {
  const auto write_set = [](const std::filesystem::path& folder, const std::vector<std::string>& names) {
    GraphSetWriter writer(folder / "set", kOrigin);
    for (const std::string& name : names) {
      if (!writer.take_over(name, "from " + name)) {
        writer.add(name, "from " + name, two_atoms(0.5));
      }
    }
    writer.commit();
  };
  test::expect_survives_every_fault(
      {.prepare = [&](const std::filesystem::path& folder) { write_set(folder, {"a"}); },
       .write =
           [&](const std::filesystem::path& folder) {
             write_set(folder, {"a", "b"});
           },
       .read =
           [](const std::filesystem::path& folder) {
             const GraphSet set = GraphSet::open(folder / "set");
             std::string found;
             for (std::size_t i = 0; i < set.graphs().size(); ++i) {
               set.load(i);
               found += set.graphs()[i].name;
             }
             return found;
           }});
}

TEST(Names, OfModelsEndInTheirComplex) {
  EXPECT_EQ(complex_of("1aju_ARG_model12"), "1aju_ARG");
  EXPECT_EQ(complex_of("1aju_ARG"), "1aju_ARG");
  EXPECT_EQ(complex_of("1aju_modelX"), "1aju_modelX");
  EXPECT_EQ(complex_of("_model0"), "_model0");
}

}  // namespace
}  // namespace molgauge::pocket
