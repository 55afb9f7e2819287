// Reads force fields in any format. The content of a file determines its format.

#include <filesystem>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/file_versions.h"
#include "base/io/bytes/line_reader.h"
#include "pockets/force_field/amber_library.h"
#include "pockets/force_field/amber_parameters.h"
#include "pockets/force_field/force_field.h"
#include "pockets/force_field/openmm_xml.h"

namespace molgauge::pocket {
namespace {

enum class Form { openmm, library, parameters };

Form form_of(const std::string& file) {
  io::LineReader lines(file, io::LongLines::are_cut);
  std::string_view content;
  while (content.empty()) {
    const auto line = lines.next();
    if (!line) {
      throw InputError(file + ": is empty");
    }
    content = io::trimmed(*line);
  }
  if (content.starts_with('<')) {
    return Form::openmm;
  }
  if (content.starts_with("!!index")) {
    return Form::library;
  }
  if (content.starts_with("logFile") || content.starts_with("source ") ||
      content.starts_with("loadamberparams")) {
    throw InputError(file + ": contains commands for tleap. Name the files that it loads with --force-field");
  }
  return Form::parameters;
}

/// Throws unless all types that the templates name exist and have Lennard-Jones parameters.
void require_types(const ForceField& field) {
  for (const auto& [name, residue] : field.residues) {
    for (const TemplateAtom& atom : residue.atoms) {
      const AtomType& type = field.type(atom.type);
      if (!type.sigma || !type.epsilon) {
        throw InputError(
            fmt::format("atom {} of the residue {} has the type {}, which has no Lennard-Jones potential",
                        atom.name, name, atom.type));
      }
    }
  }
}

ForceField read_files(const std::vector<std::string>& files) {
  ForceField field;
  AmberParameters parameters;
  bool has_xml = false, has_own = false;
  for (const std::string& file : files) {
    const Form form = form_of(file);
    (form == Form::openmm ? has_xml : has_own) = true;
    if (has_xml && has_own) {
      throw InputError(file +
                       ": files of OpenMM and of AMBER cannot be combined. Name only the files of one");
    }
    switch (form) {
      case Form::openmm:
        read_openmm_xml(file, field);
        break;
      case Form::library:
        read_amber_library(file, field);
        break;
      case Form::parameters:
        read_amber_parameters(file, parameters);
        break;
    }
    field.name += (field.name.empty() ? "" : " ") + std::filesystem::path(file).filename().string();
  }
  parameters.put_into(field);
  if (field.residues.empty()) {
    throw InputError(files.back() + (has_own ? ": parameters need the residues of a library, too (RNA.lib)"
                                             : ": has no templates of residues"));
  }
  if (has_own && parameters.empty()) {
    throw InputError(files.back() + ": residues need parameters, too (parm10.dat)");
  }
  try {
    require_types(field);
  } catch (const InputError& failure) {
    throw InputError(files.back() + ": " + failure.what());
  }
  return field;
}

}  // namespace

ForceField read_force_field(const std::vector<std::string>& files) {
  const io::FileVersions versions(files);
  ForceField field = versions.read([&] { return read_files(files); });
  field.name += " " + versions.checksum();
  return field;
}

}  // namespace molgauge::pocket
