#pragma once

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "text_files.h"

namespace molgauge::test {

/// Writes an AMBER topology as text, section by section. A test can damage a single section.
class PrmtopWriter {
 public:
  /// A small molecule: H-O-C(-H)-O. Charges in e: 0.4, -0.6, 0.5, 0.1, -0.4.
  PrmtopWriter() {
    integers("POINTERS",
             {5, 3, 2, 2, 2, 1, 2, 1, 0, 0, 11, 1, 2, 1, 1, 3, 2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0});
    texts("ATOM_NAME", {"HO", "O1", "C1", "HC", "O2"});
    numbers("CHARGE", {0.4 * 18.2223, -0.6 * 18.2223, 0.5 * 18.2223, 0.1 * 18.2223, -0.4 * 18.2223});
    integers("ATOMIC_NUMBER", {1, 8, 6, 1, 8});
    numbers("MASS", {1.008, 16.0, 12.01, 1.008, 16.0});
    integers("ATOM_TYPE_INDEX", {1, 2, 3, 1, 2});
    integers("NONBONDED_PARM_INDEX", {1, 2, 4, 2, 3, 5, 4, 5, 6});
    numbers("LENNARD_JONES_ACOEF", {10, 20, 30, 40, 50, 60});
    numbers("LENNARD_JONES_BCOEF", {1, 2, 3, 4, 5, 6});
    numbers("BOND_FORCE_CONSTANT", {553, 320, 340});
    numbers("BOND_EQUIL_VALUE", {0.96, 1.41, 1.09});
    integers("BONDS_INC_HYDROGEN", {0, 3, 1, 6, 9, 3});
    integers("BONDS_WITHOUT_HYDROGEN", {3, 6, 2, 6, 12, 2});
    numbers("ANGLE_FORCE_CONSTANT", {55, 50});
    numbers("ANGLE_EQUIL_VALUE", {1.9, 1.91});
    integers("ANGLES_INC_HYDROGEN", {0, 3, 6, 1, 3, 6, 9, 2});
    integers("ANGLES_WITHOUT_HYDROGEN", {3, 6, 12, 2});
    numbers("DIHEDRAL_FORCE_CONSTANT", {0.16, 1.5});
    numbers("DIHEDRAL_PERIODICITY", {3, 2});
    numbers("DIHEDRAL_PHASE", {0, 3.14159265});
    integers("DIHEDRALS_INC_HYDROGEN", {0, 3, 6, 9, 1, 0, 3, -6, 12, 1});
    // An improper of two oxygens and the carbon. Its atoms do not make chemical sense, but its signs follow
    // the format.
    integers("DIHEDRALS_WITHOUT_HYDROGEN", {3, 6, 12, -3, 2});
  }

  void integers(const std::string& flag, const std::vector<long>& values) {
    section(flag, "%FORMAT(10I8)", 10, values, [](long value) { return fmt::format("{:8d}", value); });
  }
  void numbers(const std::string& flag, const std::vector<double>& values) {
    section(flag, "%FORMAT(5E16.8)", 5, values, [](double value) { return fmt::format("{:16.8E}", value); });
  }
  void texts(const std::string& flag, const std::vector<std::string>& values) {
    section(flag, "%FORMAT(20a4)", 20, values,
            [](const std::string& value) { return fmt::format("{:<4}", value); });
  }
  void raw(const std::string& flag, const std::string& text) { put(flag, text); }
  void remove(const std::string& flag) {
    sections_.erase(flag);
    std::erase(order_, flag);
  }

  std::string text() const {
    std::string text = "%VERSION  VERSION_STAMP = V0001.000  DATE = 01/01/26  00:00:00\n";
    for (const std::string& flag : order_) {
      text += fmt::format("%FLAG {:<74}\n{}", flag, sections_.at(flag));
    }
    return text;
  }

  /// Positions of the five atoms, with 12 characters for each number.
  static std::string coordinates(const std::string& first = "   0.0000000") {
    return "made by a test\n    5\n" + first +
           "   0.0000000   0.0000000   0.9600000   0.0000000   0.0000000\n" +
           "   1.4300000   1.3300000   0.0000000   2.5200000   1.3300000   0.0000000\n" +
           "   0.9600000   2.0000000   1.1500000\n";
  }

 private:
  template <typename Value>
  void section(const std::string& flag, const std::string& format, std::size_t in_line,
               const std::vector<Value>& values, const auto& written) {
    std::string text = format + "\n";
    for (std::size_t i = 0; i < values.size(); ++i) {
      text += written(values[i]) + ((i + 1) % in_line == 0 || i + 1 == values.size() ? "\n" : "");
    }
    put(flag, values.empty() ? text + "\n" : text);
  }
  void put(const std::string& flag, const std::string& text) {
    if (!sections_.contains(flag)) {
      order_.push_back(flag);
    }
    sections_[flag] = text;
  }

  std::map<std::string, std::string> sections_;
  std::vector<std::string> order_;
};

}  // namespace molgauge::test
