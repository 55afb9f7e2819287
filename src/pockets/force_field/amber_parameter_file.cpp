// Reads files that list parameters by atom types: parm10.dat and frcmod.*.

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"
#include "pockets/force_field/amber_lines.h"
#include "pockets/force_field/amber_parameters.h"

namespace molgauge::pocket {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kMaxPeriods = 12, kHeaviest = 1000, kGreatest = 1e6;

double require_between(double number, double least, double most, const char* what) {
  if (!(number >= least && number <= most)) {
    throw InputError(fmt::format("{} is {}, not one of {} to {}", what, number, least, most));
  }
  return number;
}

class ParameterFile {
 public:
  ParameterFile(const std::string& file, AmberParameters& parameters)
      : lines_(file), parameters_(parameters) {}

  void read() {
    std::string_view line;
    if (!next(line)) {
      fail("is empty");
    }
    bool is_there = next(line);  // the first line is a title, and blank lines and comments may follow
    while (is_there && (io::trimmed(line).empty() || line.starts_with('#'))) {
      is_there = next(line);
    }
    if (!is_there) {
      fail("ends after its title");
    }
    section_of(line) == nullptr ? read_set(line) : read_changes(line);
    parameters_.next_file();
  }

 private:
  using Reader = void (ParameterFile::*)(std::string_view);
  struct Section {
    std::string_view word;
    Reader reader;
  };

  static const Section* section_of(std::string_view line) {
    static const Section kSections[] = {
        {"MASS", &ParameterFile::mass},          {"BOND", &ParameterFile::bond},
        {"ANGL", &ParameterFile::angle},         {"DIHE", &ParameterFile::proper},
        {"IMPR", &ParameterFile::improper},      {"HBON", &ParameterFile::hydrogen_bond},
        {"NONB", &ParameterFile::lennard_jones}, {"CMAP", &ParameterFile::refuse_map},
        {"LJED", &ParameterFile::refuse_pairs}};
    // The first line of a section contains no digits. This distinguishes it from a line of parameters that
    // starts with a word such as "BOND".
    const std::string_view word = io::trimmed(line);
    for (const Section& section : kSections) {
      if (word.starts_with(section.word) && line.find_first_of("0123456789") == std::string_view::npos) {
        return &section;
      }
    }
    return nullptr;
  }

  bool next(std::string_view& line) {
    const auto read = lines_.next();
    if (!read) {
      return false;
    }
    line = io::without_carriage_return(*read);
    return true;
  }

  [[noreturn]] void fail(const std::string& reason) const { lines_.fail(lines_.line(), reason); }

  void take(Reader reader, std::string_view line) {
    try {
      (this->*reader)(line);
    } catch (const InputError& failure) {
      fail(failure.what());
    }
  }

  /// Reads lines until an empty line.
  void read_section(Reader reader, const char* what, std::string_view line) {
    while (!io::trimmed(line).empty()) {
      take(reader, line);
      if (!next(line)) {
        fail(fmt::format("ends within its {}", what));
      }
    }
  }

  /// Reads the sections in their fixed order. An empty line ends each section.
  void read_set(std::string_view line) {
    const auto section = [&](Reader reader, const char* what) {
      if (!next(line)) {
        fail(fmt::format("ends before its {}", what));
      }
      read_section(reader, what, line);
    };
    read_section(&ParameterFile::mass, "types of atoms", line);
    if (!next(line)) {
      fail("ends after its atom types");
    }
    // The line just read lists the hydrophilic atom types, which are not used.
    section(&ParameterFile::bond, "bonds");
    section(&ParameterFile::angle, "angles");
    section(&ParameterFile::proper, "dihedrals");
    section(&ParameterFile::improper, "impropers");
    section(&ParameterFile::hydrogen_bond, "10-12 potentials");
    section(&ParameterFile::equivalence, "equivalent types");
    if (!next(line)) {
      fail("ends before its Lennard-Jones potentials");
    }
    take(&ParameterFile::kind_of_lennard_jones, line);
    section(&ParameterFile::lennard_jones, "Lennard-Jones potentials");
    while (next(line)) {
      if (const Section* const more = section_of(line); more != nullptr) {
        take(more->reader, line);
      }
    }
  }

  void read_changes(std::string_view line) {
    const Section* section = nullptr;
    do {
      const std::string_view content = io::trimmed(line);
      if (content.empty()) {
        section = nullptr;
      } else if (const Section* const opened = section_of(line); opened != nullptr) {
        section = opened;
        if (section->reader == &ParameterFile::refuse_map ||
            section->reader == &ParameterFile::refuse_pairs) {
          take(section->reader, line);
        }
      } else if (section != nullptr) {
        take(section->reader, line);
      } else if (content == "END" || content == "END.") {
        return;
      } else if (content.front() != '#') {
        fail(fmt::format("'{}' does not belong to a section", content.substr(0, std::size_t{40})));
      }
    } while (next(line));
  }

  void mass(std::string_view line) {
    const std::string type = take_word(line);
    parameters_.add_mass(
        type, require_between(leading_numbers(line, 1, "a type of atoms")[0], 0, kHeaviest, "a mass"));
  }

  void bond(std::string_view line) {
    const auto types = take_types<2>(line);
    const auto numbers = leading_numbers(line, 2, "a bond");
    parameters_.add_bond(types, {.equilibrium = require_between(numbers[1], 0, 10, "a length"),
                                 .force = require_between(numbers[0], 0, kGreatest, "a force constant")});
  }

  void angle(std::string_view line) {
    const auto types = take_types<3>(line);
    const auto numbers = leading_numbers(line, 2, "an angle");
    parameters_.add_angle(types, {.equilibrium = kDegree * require_between(numbers[1], 0, 360, "an angle"),
                                  .force = require_between(numbers[0], 0, kGreatest, "a force constant")});
  }

  static TorsionTerm term(double barrier, double phase, double periodicity) {
    // A negative sign means that more terms follow. It is ignored, because the following terms have the same
    // types.
    const double periods = require_between(std::abs(periodicity), 0, kMaxPeriods, "a periodicity");
    if (periods != std::round(periods)) {
      throw InputError(fmt::format("a periodicity is {}, which is not a whole number", periods));
    }
    return {.barrier = require_between(barrier, -kGreatest, kGreatest, "a barrier"),
            .periodicity = periods,
            .phase = kDegree * require_between(phase, -720, 720, "a phase")};
  }

  void proper(std::string_view line) {
    const bool goes_on = io::trimmed(line.substr(0, std::size_t{11})).empty();
    if (goes_on && last_[0].empty()) {
      throw InputError("a term without types does not follow another term");
    }
    if (goes_on) {
      line.remove_prefix(11);
    } else {
      last_ = take_types<4>(line);
    }
    const auto numbers = leading_numbers(line, 4, "a dihedral");
    const double paths = require_between(numbers[0], 0, 1000, "a number of paths");
    parameters_.add_proper(last_, term(numbers[1] / (paths == 0 ? 1 : paths), numbers[2], numbers[3]));
  }

  void improper(std::string_view line) {
    const auto types = take_types<4>(line);
    auto numbers = leading_numbers(line, 3, "an improper");
    if (numbers[2] > kMaxPeriods) {
      // In some files, the number of paths precedes the barrier, as for dihedrals. tleap does not divide the
      // barrier of an improper by this number.
      numbers = leading_numbers(line, 4, "an improper");
      numbers.erase(numbers.begin());
    }
    parameters_.add_improper(types, term(numbers[0], numbers[1], numbers[2]));
  }

  void hydrogen_bond(std::string_view line) {
    const std::string a = take_word(line), b = take_word(line);
    const auto numbers = leading_numbers(line, 2, "a 10-12 potential");
    if (numbers[0] != 0 || numbers[1] != 0) {
      throw InputError(fmt::format("{} and {} have a 10-12 potential, which graphs do not support", a, b));
    }
  }

  void equivalence(std::string_view line) {
    std::vector<std::string> types;
    for (std::string type = take_word(line); !type.empty(); type = take_word(line)) {
      types.push_back(std::move(type));
    }
    parameters_.make_equivalent(types);
  }

  void kind_of_lennard_jones(std::string_view line) {
    const std::string label = take_word(line), kind = take_word(line);
    if (kind != "RE") {
      throw InputError(
          fmt::format("'{} {}' does not start a section of Lennard-Jones potentials by radius and depth (RE)",
                      label, kind));
    }
  }

  void lennard_jones(std::string_view line) {
    const std::string type = take_word(line);
    const auto numbers = leading_numbers(line, 2, "a Lennard-Jones potential");
    parameters_.add_lennard_jones(type, {.radius = require_between(numbers[0], 0, 100, "a radius"),
                                         .depth = require_between(numbers[1], 0, kGreatest, "a depth")});
  }

  void refuse_map(std::string_view) {
    throw InputError("has correction maps (CMAP), which graphs do not support");
  }
  void refuse_pairs(std::string_view) {
    throw InputError("has Lennard-Jones potentials of pairs (LJEDIT), which are not supported");
  }

  io::LineReader lines_;
  AmberParameters& parameters_;
  AmberParameters::Key<4> last_;  ///< types of the previous dihedral
};

}  // namespace

void read_amber_parameters(const std::string& file, AmberParameters& parameters) {
  ParameterFile(file, parameters).read();
}

}  // namespace molgauge::pocket
