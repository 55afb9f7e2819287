#include <cmath>
#include <cstring>
#include <ctime>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pockets/amber/coordinates.h"
#include "pockets/amber/prmtop.h"
#include "pockets/topology/elements.h"
#include "pockets/topology/neighbours.h"
#include "pockets/topology/topology.h"
#include "prmtop_writer.h"
#include "support/fixtures.h"

namespace molgauge::pocket {
namespace {

using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

class Amber : public testing::Test {
 protected:
  Topology read() { return read_prmtop(test::write_text(folder_ / "a.prmtop", writer_.text())); }
  std::string refused() {
    return refusal([&] { read(); });
  }
  std::vector<Position> positions(const std::string& text, const std::string& name = "a.inpcrd") {
    return read_coordinates(test::write_text(folder_ / name, text));
  }

  test::TemporaryFolder folder_;
  test::PrmtopWriter writer_;
};

TEST_F(Amber, ATopologyIsReadWithItsParameters) {
  const Topology topology = read();
  ASSERT_EQ(topology.atoms.size(), 5U);
  EXPECT_NEAR(topology.atoms[1].charge, -0.6, 1e-8);
  EXPECT_EQ(topology.atoms[1].element, 8);
  EXPECT_EQ(topology.atoms[2].mass, 12.01);
  ASSERT_EQ(topology.bonds.size(), 4U);
  EXPECT_EQ(topology.bonds[2].atoms, (AtomNumbers<2>{1, 2}));
  EXPECT_EQ(topology.bonds[2].length, 1.41);
  EXPECT_EQ(topology.bonds[2].force, 320);
  ASSERT_EQ(topology.angles.size(), 3U);
  EXPECT_EQ(topology.angles[2].atoms, (AtomNumbers<3>{1, 2, 4}));
  ASSERT_EQ(topology.dihedrals.size(), 3U);
  EXPECT_EQ(topology.dihedrals[1].atoms, (AtomNumbers<4>{0, 1, 2, 4}))
      << "the sign does not belong to the atom number";
  EXPECT_EQ(topology.dihedrals[2].periodicity, 2);
  EXPECT_EQ(topology.a[0 * 3 + 2], 40);
  EXPECT_EQ(topology.b[2 * 3 + 1], 5);
}

TEST_F(Amber, ElementsFollowFromMassesWhereThereAreNone) {
  writer_.remove("ATOMIC_NUMBER");
  EXPECT_EQ(read().atoms[1].element, 8);
  EXPECT_EQ(element_of_mass(3.024), 1) << "a hydrogen with a part of the mass of its neighbour";
  EXPECT_EQ(element_of_mass(30.97), 15);
  EXPECT_EQ(element_of_mass(0), 0);
}

TEST_F(Amber, AGraphHasHeavyTermsAndAllNearPairs) {
  const Pockets graph = make_graph(read(), positions(test::PrmtopWriter::coordinates()), {.cutoff = 2.2});
  EXPECT_EQ(graph.features.shape(), (std::vector<std::int64_t>{5, 3}));
  ASSERT_EQ(graph.bonds.count(), 4) << "two bonds without hydrogen, in both directions";
  EXPECT_EQ(graph.bonds.atoms.data()[0], 1);
  EXPECT_EQ(graph.bonds.atoms.data()[1], 2);
  EXPECT_FLOAT_EQ(graph.bonds.attributes.data()[0], 1.41F / 2);
  EXPECT_FLOAT_EQ(graph.bonds.attributes.data()[1], 320.0F / 500);
  ASSERT_EQ(graph.angles.count(), 1);
  EXPECT_FLOAT_EQ(graph.angles.attributes.data()[0], static_cast<float>(1.91 / std::numbers::pi));
  ASSERT_EQ(graph.dihedrals.count(), 1);
  EXPECT_FLOAT_EQ(graph.dihedrals.attributes.data()[2], 0.5F) << "a phase of 180 degrees is half a turn";
  // These pairs are not bonded and are at most 2.2 A apart: HO-C1 (1.953), O1-HC (2.050), HC-O2 (2.051).
  ASSERT_EQ(graph.pairs.count(), 6);
  EXPECT_FLOAT_EQ(graph.pairs.attributes.data()[0], static_cast<float>(std::log(41)));
  EXPECT_FLOAT_EQ(graph.pairs.attributes.data()[1], static_cast<float>(std::log(5)));
  EXPECT_NEAR(graph.pairs.attributes.data()[2], std::hypot(1.43, 1.33), 1e-6);
}

TEST_F(Amber, ReferencePhasesAreDegreesDividedByTwoPi) {
  const Pockets graph = make_graph(read(), positions(test::PrmtopWriter::coordinates()),
                                   {.cutoff = 4, .reference_phases = true});
  EXPECT_NEAR(graph.dihedrals.attributes.data()[2], 180 / (2 * 3.14159), 1e-4);
}

TEST_F(Amber, AtomsWithoutHeavyBondsLoopToThemselves) {
  writer_.integers("ATOMIC_NUMBER", {1, 1, 1, 1, 1});
  const Pockets graph = make_graph(read(), positions(test::PrmtopWriter::coordinates()), {});
  ASSERT_EQ(graph.bonds.count(), 5);
  EXPECT_EQ(graph.bonds.atoms.data()[3], 3);
  EXPECT_FLOAT_EQ(graph.bonds.attributes.data()[0], 0.75F);
  EXPECT_EQ(graph.angles.atoms.shape(), (std::vector<std::int64_t>{3, 0}));
}

TEST_F(Amber, BadTopologiesAreRefusedByTheirFlag) {
  const test::PrmtopWriter whole;
  writer_.remove("BOND_EQUIL_VALUE");
  EXPECT_THAT(refused(), AllOf(HasSubstr("a.prmtop: %FLAG BOND_EQUIL_VALUE"), HasSubstr("is missing")));
  writer_ = whole;
  writer_.numbers("CHARGE", {1, 2, 3});
  EXPECT_THAT(refused(), HasSubstr("%FLAG CHARGE: has 3 values instead of 5"));
  writer_ = whole;
  writer_.texts("CTITLE", {"from"});
  EXPECT_THAT(refused(), HasSubstr("%FLAG CTITLE: a topology of CHAMBER"));
  writer_ = whole;
  writer_.integers("NONBONDED_PARM_INDEX", {1, -1, 4, -1, 3, 5, 4, 5, 6});
  EXPECT_THAT(refused(),
              HasSubstr("%FLAG NONBONDED_PARM_INDEX: atom types 1 and 2 interact through a 10-12 potential"));
  writer_ = whole;
  writer_.raw("MASS", "%FORMAT(5E16.8)\n" + std::string(5 * 16, '*') + "\n");
  EXPECT_THAT(refused(), HasSubstr("%FLAG MASS: value 1, '****************', is not a number"));
  writer_ = whole;
  writer_.numbers("MASS", {1, 2, std::nan(""), 4, 5});
  EXPECT_THAT(refused(), HasSubstr("%FLAG MASS"));
  writer_ = whole;
  writer_.integers("BONDS_WITHOUT_HYDROGEN", {3, 6, 2, 6, 15, 2});
  EXPECT_THAT(refused(), HasSubstr("term 2 has an atom that does not exist (15)"));
  writer_ = whole;
  writer_.integers("ANGLES_WITHOUT_HYDROGEN", {3, 6, 12, 9});
  EXPECT_THAT(refused(), HasSubstr("%FLAG ANGLES_WITHOUT_HYDROGEN: term 1 has the parameters 9"));
  writer_ = whole;
  writer_.raw("POINTERS", "%FORMAT(10I8)\n99999999\n");
  EXPECT_THAT(refused(), HasSubstr("%FLAG POINTERS"));
}

/// A truncated topology is always refused, wherever the text ends.
TEST_F(Amber, NoTopologyCutShortIsRead) {
  const std::string whole = writer_.text();
  for (std::size_t length = 0; length + 60 < whole.size(); length += 97) {
    const std::string file = test::write_text(folder_ / "cut.prmtop", whole.substr(0, length));
    EXPECT_THAT(refusal([&] { read_prmtop(file); }), HasSubstr("cut.prmtop")) << length;
  }
}

TEST_F(Amber, BadCoordinatesAreRefused) {
  const std::string good = test::PrmtopWriter::coordinates();
  EXPECT_THAT(refusal([&] { positions(good.substr(0, good.size() - 40)); }),
              AllOf(HasSubstr("a.inpcrd"), HasSubstr("truncated")));
  EXPECT_THAT(refusal([&] { positions(test::PrmtopWriter::coordinates("         NaN")); }),
              HasSubstr("a.inpcrd:3: 'NaN' is not a coordinate"));
  EXPECT_THAT(refusal([&] { positions("title\nmany\n"); }),
              HasSubstr("does not begin with the number of atoms"));
  const Topology topology = read();
  std::vector<Position> places = positions(good);
  places[4] = places[1];
  EXPECT_THAT(refusal([&] { make_graph(topology, places, {}); }), HasSubstr("atoms 2 and 5 overlap"));
  places.pop_back();
  EXPECT_THAT(refusal([&] { make_graph(topology, places, {}); }),
              HasSubstr("coordinates of 4 atoms for a topology of 5"));
  EXPECT_THAT(refusal([&] { make_graph({}, {}, {}); }), HasSubstr("empty"));
}

TEST_F(Amber, CoordinatesComeAsTextAsPdbAndAsNetcdf) {
  const std::string line = "ATOM      1  C1  LIG A   1       1.500  -2.250   3.125  1.00  0.00           C\n";
  EXPECT_EQ(positions(line + "ENDMDL\n" + line, "a.pdb"), (std::vector<Position>{{1.5, -2.25, 3.125}}));
  // The file has a dimension with two atoms, a dimension with three axes, no attributes, and a variable of
  // doubles.
  std::string netcdf("CDF\x01", 4);
  const auto number = [&](std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      netcdf += static_cast<char>(value >> shift & 0xFF);
    }
  };
  const auto name = [&](const std::string& text) {
    number(static_cast<std::uint32_t>(text.size()));
    netcdf += text + std::string((4 - text.size() % 4) % 4, '\0');
  };
  number(0), number(10), number(2), name("atom"), number(2), name("spatial"), number(3), number(0), number(0);
  number(11), number(1), name("coordinates"), number(2), number(0), number(1), number(0), number(0),
      number(6);
  number(48), number(static_cast<std::uint32_t>(netcdf.size() + 4));
  for (const double value : {1.0, 2.0, 3.0, -4.0, 5.5, 6.25}) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    number(static_cast<std::uint32_t>(bits >> 32)), number(static_cast<std::uint32_t>(bits));
  }
  EXPECT_EQ(positions(netcdf, "a.ncrst"), (std::vector<Position>{{1, 2, 3}, {-4, 5.5, 6.25}}));
  EXPECT_THAT(refusal([&] { positions(netcdf.substr(0, netcdf.size() - 8), "a.ncrst"); }),
              HasSubstr("a.ncrst"));
}

/// The cell search finds the same pairs as a comparison of all atoms with each other.
TEST(Neighbours, AreThoseOfAllPairs) {
  std::vector<Position> positions;
  for (int i = 0; i < 300; ++i) {
    positions.push_back({std::fmod(i * 7.31, 13.0), std::fmod(i * 3.77, 11.0) - 5, std::fmod(i * 1.93, 9.0)});
  }
  for (const double cutoff : {0.7, 2.5, 30.0}) {
    const auto found = find_neighbours(positions, cutoff);
    std::size_t next = 0;
    for (std::int64_t i = 0; i < 300; ++i) {
      for (std::int64_t j = i + 1; j < 300; ++j) {
        const Position &a = positions[static_cast<std::size_t>(i)],
                       &b = positions[static_cast<std::size_t>(j)];
        const double distance = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        if (distance <= cutoff) {
          ASSERT_LT(next, found.size());
          EXPECT_EQ(found[next].first, i);
          EXPECT_EQ(found[next].second, j);
          EXPECT_EQ(found[next++].distance, distance);
        }
      }
    }
    EXPECT_EQ(next, found.size()) << cutoff;
  }
  positions[7][1] = 1e9;
  EXPECT_THAT(refusal([&] { find_neighbours(positions, 4); }),
              HasSubstr("atom 8 has the coordinate 1000000000"));
}

/// Pairs of 16,000 atoms at one point would take 3 GiB, and minutes to list.
TEST(Neighbours, AHeapOfAtomsIsRefusedBeforeItsPairsAreListed) {
  const std::vector<Position> heap(16'000, Position{1, 2, 3});
  const std::clock_t start = std::clock();
  EXPECT_THAT(refusal([&] { find_neighbours(heap, 4, 0.1); }), HasSubstr("overlap"));
  EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace molgauge::pocket
