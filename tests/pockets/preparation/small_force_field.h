#pragma once

#include <string>

#include <fmt/format.h>

namespace molgauge::test {

/// A force field in OpenMM XML for an adenosine that is reduced to its backbone and an amino group. It has
/// residue A at both ends of a chain, inside a chain, and as a single residue.
inline std::string small_force_field() {
  const auto type = [](const char* name, const char* element, double mass) {
    return fmt::format("<Type name=\"t-{0}\" class=\"{0}\" element=\"{1}\" mass=\"{2}\"/>\n", name, element,
                       mass);
  };
  const auto atom = [](const char* name, const char* kind, double charge) {
    return fmt::format("<Atom name=\"{}\" type=\"t-{}\" charge=\"{}\"/>\n", name, kind, charge);
  };
  const auto bond = [](const char* a, const char* b) {
    return fmt::format("<Bond atomName1=\"{}\" atomName2=\"{}\"/>\n", a, b);
  };
  const auto residue = [&](const char* name, bool is_first, bool is_last) {
    std::string text = fmt::format("<Residue name=\"{}\">\n", name);
    text += is_first ? atom("HO5'", "HO", 0.43)
                     : atom("P", "P", 1.16) + atom("OP1", "O2", -0.77) + atom("OP2", "O2", -0.76);
    text += atom("O5'", is_first ? "OH" : "OS", -0.5) + atom("C5'", "CT", 0.05) + atom("H5'", "H1", 0.06) +
            atom("H5''", "H1", 0.06) + atom("C3'", "CT", 0.2) + atom("H3'", "H1", 0.06) +
            atom("N9", "N2", -0.9) + atom("H91", "H", 0.4) + atom("H92", "H", 0.4) +
            atom("O3'", is_last ? "OH" : "OS", -0.52);
    text += is_last ? atom("HO3'", "HO", 0.44) : "";
    text += is_first ? bond("HO5'", "O5'") : bond("P", "OP1") + bond("P", "OP2") + bond("P", "O5'");
    text += bond("O5'", "C5'") + bond("C5'", "H5'") + bond("C5'", "H5''") + bond("C5'", "C3'") +
            bond("C3'", "H3'") + bond("C3'", "N9") + bond("N9", "H91") + bond("N9", "H92") +
            bond("C3'", "O3'");
    text += is_last ? bond("O3'", "HO3'") : "<ExternalBond atomName=\"O3'\"/>\n";
    return text + "</Residue>\n";
  };
  const auto harmonic = [](const char* a, const char* b, double nanometres) {
    return fmt::format("<Bond class1=\"{}\" class2=\"{}\" length=\"{}\" k=\"259408\"/>\n", a, b, nanometres);
  };
  const auto lennard_jones = [](const char* name, double sigma, double epsilon) {
    return fmt::format("<Atom type=\"t-{}\" sigma=\"{}\" epsilon=\"{}\"/>\n", name, sigma, epsilon);
  };
  return "<?xml version=\"1.0\"?>\n<ForceField>\n<AtomTypes>\n" + type("P", "P", 30.97) +
         type("O2", "O", 16) + type("OS", "O", 16) + type("OH", "O", 16) + type("CT", "C", 12.01) +
         type("N2", "N", 14.01) + type("H1", "H", 1.008) + type("H", "H", 1.008) + type("HO", "H", 1.008) +
         "</AtomTypes>\n<Residues>\n" + residue("A", false, false) + residue("A5", true, false) +
         residue("A3", false, true) + residue("AN", true, true) + "</Residues>\n<HarmonicBondForce>\n" +
         harmonic("P", "O2", 0.148) + harmonic("P", "OS", 0.161) + harmonic("OS", "CT", 0.141) +
         harmonic("CT", "OH", 0.141) + harmonic("CT", "CT", 0.1526) + harmonic("CT", "H1", 0.109) +
         harmonic("CT", "N2", 0.1463) + harmonic("N2", "H", 0.101) + harmonic("OH", "HO", 0.096) +
         "</HarmonicBondForce>\n<HarmonicAngleForce>\n"
         "<Angle class1=\"\" class2=\"N2\" class3=\"\" angle=\"2.0943951\" k=\"418.4\"/>\n"
         "<Angle class1=\"\" class2=\"\" class3=\"\" angle=\"1.9111355\" k=\"418.4\"/>\n"
         "</HarmonicAngleForce>\n<PeriodicTorsionForce ordering=\"amber\">\n"
         "<Proper class1=\"\" class2=\"\" class3=\"\" class4=\"\" k1=\"4.184\" periodicity1=\"3\" "
         "phase1=\"0.0\"/>\n"
         "<Proper class1=\"OS\" class2=\"P\" class3=\"OS\" class4=\"CT\" k1=\"8.368\" periodicity1=\"2\" "
         "phase1=\"0.0\" "
         "k2=\"0.0\" periodicity2=\"3\" phase2=\"3.14159265\"/>\n"
         "<Improper class1=\"N2\" class2=\"\" class3=\"H\" class4=\"H\" k1=\"4.184\" periodicity1=\"2\" "
         "phase1=\"3.14159265\"/>\n"
         "</PeriodicTorsionForce>\n<NonbondedForce coulomb14scale=\"0.83\" lj14scale=\"0.5\">\n" +
         lennard_jones("P", 0.374, 0.84) + lennard_jones("O2", 0.296, 0.88) + lennard_jones("OS", 0.3, 0.71) +
         lennard_jones("OH", 0.307, 0.88) + lennard_jones("CT", 0.34, 0.4577) +
         lennard_jones("N2", 0.325, 0.71) + lennard_jones("H1", 0.247, 0.0657) +
         lennard_jones("H", 0.107, 0.0657) + lennard_jones("HO", 0.1, 0) +
         "</NonbondedForce>\n</ForceField>\n";
}

/// Lines of a PDB file with residues of this adenosine, numbered from 1, without hydrogens, in a chain along
/// x.
inline std::string small_rna(int residues, const char* second_name = "A") {
  struct Place {
    const char* name;
    double x, y, z;
  };
  constexpr Place kPlaces[] = {{"P", 0, 0, 0},        {"OP1", -0.5, 1.3, 0}, {"OP2", -0.5, -1.3, 0},
                               {"O5'", 1.6, 0, 0},    {"C5'", 2.6, 1, 0},    {"C3'", 4, 0.6, 0.3},
                               {"N9", 4.3, 1.9, 1.0}, {"O3'", 5, -0.4, 0.2}};
  std::string text;
  int serial = 0;
  for (int residue = 1; residue <= residues; ++residue) {
    for (const Place& place : kPlaces) {
      text +=
          fmt::format("ATOM  {:5d}  {:<3} {:>3} A{:4d}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00          {:>2}\n",
                      ++serial, place.name, residue == 2 ? second_name : "A", residue,
                      place.x + 6.4 * (residue - 1), place.y, place.z, place.name[0]);
    }
  }
  return text + "TER\n";
}

/// An ion as the ligand, next to a residue.
inline std::string small_ligand(double x) {
  return fmt::format("HETATM  999 MG    MG B   1    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00          MG\n", x, -3.0,
                     0.0);
}

}  // namespace molgauge::test
