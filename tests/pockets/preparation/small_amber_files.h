#pragma once

#include <string>

#include <fmt/format.h>

namespace molgauge::test {

/// small_force_field() as AMBER files: a parameter set with one wrong bond and one wrong torsion, a file of
/// changes that corrects them, and a library of residues.
inline std::string small_parameter_set() {
  return "a set of parameters\n"
         "P  30.97         0.000               phosphorus\n"
         "O2 16.00\nOS 16.00\nOH 16.00\nCT 12.01\nN2 14.01\nH1 1.008\nH  1.008\nHO 1.008\n"
         "\n"
         "P   O2  N2\n"
         "P -O2  310.0    1.480       a remark with 7 in it\n"
         "OS-P   310.0    1.610\nOS-CT  310.0    1.410\nCT-OH  310.0    1.410\nCT-CT  310.0    1.526\n"
         "H1-CT  310.0    1.090\nCT-N2  310.0    9.463\nH -N2  310.0    1.010\nOH-HO  310.0    0.960\n"
         "\n"
         "X -N2-X     50.0      120.0\n"
         "X -X -X     50.0      109.5\n"
         "\n"
         "X -X -X -X    3    3.00          0.0             3.\n"
         "OS-P -OS-CT   1    7.00         90.0             1.\n"
         "\n"
         "X -H -N2-H          1.0          180.          2.           any neighbour and two hydrogens\n"
         "\n"
         "  HW  OW  0000.     0000.                                4.  flag for fast water\n"
         "\n"
         "OH  OS\n"
         "\n"
         "MOD4      RE\n"
         "  P           2.1000  0.2000             JCC,7,(1986),230\n"
         "  O2          1.6612  0.2100\n  OH          1.7210  0.2104\n  CT          1.9080  0.1094\n"
         "  N2          1.8240  0.1700\n  H1          1.3870  0.0157\n  H           0.6000  0.0157\n"
         "  HO          0.0000  0.0000\n"
         "\nEND\n";
}

inline std::string small_parameter_changes() {
  return "what the set has wrong\nMASS\n\nBOND\nN2-CT  310.0    1.463\n\nANGLE\n\nDIHE\n"
         "CT-OS-P -OS   2    4.00          0.0            -2.         of two paths\n"
         "              1    0.00        180.0             3.\n\nIMPROPER\n\nNONBON\n"
         "  OS          1.6837  0.1700\n\n";
}

inline std::string small_library() {
  std::string text = "!!index array str\n \"A\"\n \"A3\"\n \"A5\"\n \"AN\"\n";
  for (const char* const name : {"A", "A3", "A5", "AN"}) {
    const bool is_first = name[1] == '5' || name[1] == 'N', is_last = name[1] == '3' || name[1] == 'N';
    std::vector<std::string> names;
    text += fmt::format(
        "!entry.{}.unit.atoms table  str name  str type  int typex  int resx  int flags  int seq"
        "  int elmnt  dbl chg\n",
        name);
    const auto atom = [&](const char* own, const char* type, double charge) {
      names.emplace_back(own);
      text += fmt::format(" \"{}\" \"{}\" 0 1 131072 {} -1 {:.6f}\n", own, type, names.size(), charge);
    };
    if (is_first) {
      atom("HO5'", "HO", 0.43);
    } else {
      atom("P", "P", 1.16);
      atom("OP1", "O2", -0.77);
      atom("OP2", "O2", -0.76);
    }
    atom("O5'", is_first ? "OH" : "OS", -0.5);
    atom("C5'", "CT", 0.05);
    atom("H5'", "H1", 0.06);
    atom("H5''", "H1", 0.06);
    atom("C3'", "CT", 0.2);
    atom("H3'", "H1", 0.06);
    atom("N9", "N2", -0.9);
    atom("H91", "H", 0.4);
    atom("H92", "H", 0.4);
    atom("O3'", is_last ? "OH" : "OS", -0.52);
    if (is_last) {
      atom("HO3'", "HO", 0.44);
    }
    const auto number = [&](const std::string& own) {
      return std::find(names.begin(), names.end(), own) - names.begin() + 1;
    };
    text += fmt::format("!entry.{}.unit.connect array int\n {}\n {}\n", name, is_first ? 0 : 1,
                        is_last ? 0 : number("O3'"));
    text += fmt::format("!entry.{}.unit.connectivity table  int atom1x  int atom2x  int flags\n", name);
    const auto bond = [&](const char* a, const char* b) {
      text += fmt::format(" {} {} 1\n", number(a), number(b));
    };
    if (is_first) {
      bond("HO5'", "O5'");
    } else {
      bond("P", "OP1");
      bond("P", "OP2");
      bond("P", "O5'");
    }
    bond("O5'", "C5'");
    bond("C5'", "H5'");
    bond("C5'", "H5''");
    bond("C5'", "C3'");
    bond("C3'", "H3'");
    bond("C3'", "N9");
    bond("N9", "H91");
    bond("N9", "H92");
    bond("C3'", "O3'");
    if (is_last) {
      bond("O3'", "HO3'");
    }
    text += fmt::format("!entry.{}.unit.name single str\n \"{}\"\n", name, name);
  }
  return text;
}

}  // namespace molgauge::test
