#include "pockets/force_field/openmm_xml.h"

#include <charconv>
#include <cmath>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <expat.h>
#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/random_access.h"
#include "pockets/topology/elements.h"

namespace molgauge::pocket {
namespace {

/// The start tag of an element.
struct XmlElement {
  std::string name;
  std::string parent;  ///< name of the enclosing element; empty for the outermost
  std::map<std::string, std::string> attributes;
  std::size_t line = 0;
};

constexpr std::size_t kDeepest = 100;
constexpr std::uint64_t kPiece = 1 << 16;

/// The line at which the parser is, from 1. Expat 2.9 replaced the old function.
std::size_t line_of(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentLineNumber64(parser);
#else
  return XML_GetCurrentLineNumber(parser);
#endif
}

/// State shared by the callbacks of the parser. Exceptions are stored here, because an exception may not pass
/// through the C code of the parser.
struct Reading {
  XML_Parser parser;
  const std::function<void(const XmlElement&)>& visit;
  std::vector<std::string> open = {};
  std::exception_ptr failure = {};

  void fail(std::exception_ptr reason) {
    failure = std::move(reason);
    XML_StopParser(parser, XML_FALSE);
  }
};

void start(void* data, const XML_Char* name, const XML_Char** attributes) {
  auto& reading = *static_cast<Reading*>(data);
  if (reading.failure) {
    return;
  }
  try {
    if (reading.open.size() >= kDeepest) {
      throw InputError("elements are nested too deeply");
    }
    XmlElement element{.name = name,
                       .parent = reading.open.empty() ? "" : reading.open.back(),
                       .attributes = {},
                       .line = line_of(reading.parser)};
    for (; *attributes != nullptr; attributes += 2) {
      element.attributes.emplace(attributes[0], attributes[1]);
    }
    reading.open.emplace_back(name);
    reading.visit(element);
  } catch (...) {
    reading.fail(std::current_exception());
  }
}

void end(void* data, const XML_Char* /*name*/) {
  auto& reading = *static_cast<Reading*>(data);
  if (!reading.open.empty()) {
    reading.open.pop_back();
  }
}

/// Document types are refused, because definitions of entities can expand a small file to a large text.
void document_type(void* data, const XML_Char* /*name*/, const XML_Char* /*system*/,
                   const XML_Char* /*public_id*/, int /*has_internal_subset*/) {
  static_cast<Reading*>(data)->fail(
      std::make_exception_ptr(InputError("has its own document type, which is not supported")));
}

/// Calls `visit` for each start tag of a file in order. Throws InputError with file and line if the text is
/// not XML, is nested deeper than 100 elements, or declares a document type. If `visit` throws InputError,
/// adds file and line to its text.
void for_each_element(const std::string& file, const std::function<void(const XmlElement&)>& visit) {
  const auto content = io::open_random_access(file);
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), XML_ParserFree);
  if (parser == nullptr) {
    throw std::bad_alloc();
  }
  Reading reading{parser.get(), visit};
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), start, end);
  XML_SetStartDoctypeDeclHandler(parser.get(), document_type);
  for (std::uint64_t offset = 0; offset <= content->size(); offset += kPiece) {
    const std::uint64_t left = content->size() - offset;
    const std::vector<std::byte> piece = content->read(offset, std::min(left, kPiece));
    const auto status = XML_Parse(parser.get(), reinterpret_cast<const char*>(piece.data()),
                                  static_cast<int>(piece.size()), left <= kPiece ? XML_TRUE : XML_FALSE);
    const std::size_t line = line_of(parser.get());
    if (reading.failure) {
      try {
        std::rethrow_exception(reading.failure);
      } catch (const InputError& failure) {
        throw InputError(fmt::format("{}:{}: {}", file, line, failure.what()));
      }
    }
    if (status != XML_STATUS_OK) {
      throw InputError(
          fmt::format("{}:{}: no XML: {}", file, line, XML_ErrorString(XML_GetErrorCode(parser.get()))));
    }
    if (left <= kPiece) {
      break;
    }
  }
}

constexpr double kCalorie = 4.184, kNanometre = 10.0;  // a calorie in joules, a nanometre in Angstrom
/// Factors that convert the force constants of bonds (k/2 x^2 in kJ/mol/nm^2 to k x^2 in kcal/mol/A^2) and of
/// angles (k/2 x^2 in kJ/mol/rad^2 to k x^2 in kcal/mol/rad^2).
constexpr double kBondForce = 1 / (2 * kCalorie * kNanometre * kNanometre), kAngleForce = 1 / (2 * kCalorie);
constexpr int kMaxTerms = 20;

class XmlReader {
 public:
  explicit XmlReader(ForceField& field) : field_(field) {}

  void take(const XmlElement& element) {
    element_ = &element;
    const std::string& name = element.name;
    const std::string& parent = element.parent;
    if (parent.empty() && name != "ForceField") {
      throw InputError("not a force field of OpenMM: its outermost element is <" + name +
                       ">, not <ForceField>");
    }
    if (parent == "ForceField") {
      open_section(name);
    } else if (parent == "AtomTypes" && name == "Type") {
      add_type();
    } else if (parent == "Residues" && name == "Residue") {
      const std::string residue = text("name");
      if (!field_.residues
               .emplace(residue, ResidueTemplate{.name = residue, .atoms = {}, .bonds = {}, .external = {}})
               .second) {
        throw InputError("there are two templates of the residue " + residue);
      }
      residue_ = &field_.residues.at(residue);
    } else if (parent == "Residue") {
      add_to_residue(name);
    } else if (parent == "HarmonicBondForce" && name == "Bond") {
      field_.bonds.push_back({patterns<2>(), {number("length") * kNanometre, number("k") * kBondForce}});
    } else if (parent == "HarmonicAngleForce" && name == "Angle") {
      field_.angles.push_back({patterns<3>(), {number("angle"), number("k") * kAngleForce}});
    } else if (parent == "PeriodicTorsionForce" && name == "Proper") {
      field_.propers.push_back({patterns<4>(), torsion()});
    } else if (parent == "PeriodicTorsionForce" && name == "Improper") {
      field_.impropers.push_back({patterns<4>(), torsion()});
    } else if (parent == "NonbondedForce" && name == "Atom") {
      add_lennard_jones();
    }
  }

 private:
  void open_section(const std::string& name) {
    static const std::set<std::string> kKnown = {"Info",
                                                 "Include",
                                                 "AtomTypes",
                                                 "Residues",
                                                 "HarmonicBondForce",
                                                 "HarmonicAngleForce",
                                                 "InitializationScript",
                                                 "PeriodicTorsionForce",
                                                 "NonbondedForce"};
    if (name == "Include") {
      throw InputError("includes another file. Name that file with --force-field, too");
    }
    if (!kKnown.contains(name)) {
      throw InputError("<" + name + "> is not a part of a force field of AMBER's form");
    }
    if (name == "PeriodicTorsionForce" && text_or("ordering", "default") != "amber") {
      throw InputError("its improper torsions are not in AMBER's order");
    }
  }

  const std::string& text(const char* attribute) const {
    const auto found = element_->attributes.find(attribute);
    if (found == element_->attributes.end()) {
      throw InputError(fmt::format("<{}> has no attribute '{}'", element_->name, attribute));
    }
    return found->second;
  }

  std::string text_or(const char* attribute, const char* otherwise) const {
    const auto found = element_->attributes.find(attribute);
    return found == element_->attributes.end() ? otherwise : found->second;
  }

  double number(const std::string& attribute) const {
    const std::string& value = text(attribute.c_str());
    double read = 0;
    const auto [stop, failure] = std::from_chars(value.data(), value.data() + value.size(), read);
    if (failure != std::errc() || stop != value.data() + value.size() || !std::isfinite(read)) {
      throw InputError(
          fmt::format("'{}' of <{}> is '{}', which is not a number", attribute, element_->name, value));
    }
    return read;
  }

  void add_type() {
    AtomType type{.name = text("name"),
                  .atom_class = text_or("class", ""),
                  .element = element_of_symbol(text_or("element", "")),
                  .mass = number("mass")};
    if (!field_.types.emplace(type.name, type).second) {
      throw InputError("there are two atom types " + type.name);
    }
  }

  void add_to_residue(const std::string& name) {
    if (name == "Atom") {
      residue_->atoms.push_back({text("name"), text("type"), number("charge")});
    } else if (name == "Bond") {
      residue_->bonds.push_back({atom(text("atomName1")), atom(text("atomName2"))});
    } else if (name == "ExternalBond") {
      residue_->external.push_back(atom(text("atomName")));
    } else if (name != "AllowPatch") {
      throw InputError("the residue " + residue_->name + " has <" + name + ">, which is not supported");
    }
  }

  std::int64_t atom(const std::string& name) const {
    const auto found = residue_->find(name);
    if (!found) {
      throw InputError(fmt::format("the residue {} has no atom {}", residue_->name, name));
    }
    return *found;
  }

  template <std::size_t count>
  std::array<TypePattern, count> patterns() const {
    std::array<TypePattern, count> found;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string place = std::to_string(i + 1);
      const auto by_type = element_->attributes.find("type" + place);
      const auto& name =
          by_type != element_->attributes.end() ? by_type->second : text(("class" + place).c_str());
      if (!name.empty()) {
        found[i] = {
            by_type != element_->attributes.end() ? TypePattern::Kind::type : TypePattern::Kind::atom_class,
            name};
      }
    }
    return found;
  }

  std::vector<TorsionTerm> torsion() const {
    std::vector<TorsionTerm> terms;
    for (int i = 1; i <= kMaxTerms && element_->attributes.contains(fmt::format("k{}", i)); ++i) {
      terms.push_back({number(fmt::format("k{}", i)) / kCalorie, number(fmt::format("periodicity{}", i)),
                       number(fmt::format("phase{}", i))});
    }
    return terms;
  }

  void add_lennard_jones() {
    const auto by_type = element_->attributes.find("type");
    const std::string& name = by_type != element_->attributes.end() ? by_type->second : text("class");
    for (auto& [type_name, type] : field_.types) {
      if (name == (by_type != element_->attributes.end() ? type_name : type.atom_class)) {
        type.sigma = number("sigma") * kNanometre;
        type.epsilon = number("epsilon") / kCalorie;
        if (!(*type.sigma >= 0) || !(*type.epsilon >= 0)) {
          throw InputError("the Lennard-Jones potential of " + name + " has a negative number");
        }
      }
    }
  }

  ForceField& field_;
  const XmlElement* element_ = nullptr;
  ResidueTemplate* residue_ = nullptr;
};

}  // namespace

void read_openmm_xml(const std::string& file, ForceField& field) {
  XmlReader reader(field);
  for_each_element(file, [&](const XmlElement& element) { reader.take(element); });
}

}  // namespace molgauge::pocket
