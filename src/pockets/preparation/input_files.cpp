#include "pockets/preparation/input_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

struct Kind {
  PocketInput kind;
  std::array<std::string_view, 7> endings;
};

constexpr std::array kKinds = {
    Kind{PocketInput::amber, {".prmtop", ".parm7", ".top"}},
    Kind{PocketInput::structures, {".cif", ".pdb", ".ent", ".mmcif", ".cif.gz", ".pdb.gz", ".ent.gz"}},
    Kind{PocketInput::graphs, {".pt"}},
};

bool is_of(const Kind& kind, const std::string& file) {
  return std::any_of(kind.endings.begin(), kind.endings.end(), [&](std::string_view ending) {
    return !ending.empty() && file.size() > ending.size() && file.ends_with(ending);
  });
}

std::vector<std::string> files_in(const std::string& input) {
  if (!std::filesystem::exists(input)) {
    throw InputError(input + ": no such file or folder. Check the path");
  }
  if (!std::filesystem::is_directory(input)) {
    return {input};
  }
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(input)) {
    if (file.is_regular_file()) {
      files.push_back(file.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> only(const Kind& kind, const std::vector<std::string>& files) {
  std::vector<std::string> found;
  std::copy_if(files.begin(), files.end(), std::back_inserter(found),
               [&](const std::string& file) { return is_of(kind, file); });
  return found;
}

/// If a .pdb file is next to a topology, the .pdb file holds the coordinates of the topology. Topologies are
/// therefore checked before structures.
const Kind& kind_of(const std::string& input, const std::vector<std::string>& files) {
  const auto has = [&](const Kind& kind) {
    return std::any_of(files.begin(), files.end(),
                       [&](const std::string& file) { return is_of(kind, file); });
  };
  const bool has_graphs = has(kKinds[2]);
  if (has_graphs && (has(kKinds[0]) || has(kKinds[1]))) {
    throw UsageError(input + ": contains graphs and other input. Choose one kind with --from");
  }
  for (const Kind& kind : kKinds) {
    if (has(kind)) {
      return kind;
    }
  }
  throw InputError(
      input + ": contains no AMBER topology (.prmtop, .parm7), no structure (.cif, .pdb) and no graph (.pt)");
}

}  // namespace

InputFiles find_input(const std::string& input, std::optional<PocketInput> kind) {
  const std::vector<std::string> files = files_in(input);
  const auto chosen = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const Kind& candidate) { return candidate.kind == kind; });
  const Kind& wanted = chosen != kKinds.end() ? *chosen : kind_of(input, files);
  InputFiles found{wanted.kind, only(wanted, files)};
  if (found.files.empty()) {
    if (!std::filesystem::is_directory(input)) {
      return {wanted.kind, files};  // a file that the request names is always read
    }
    throw InputError(fmt::format("{}: contains no files of the kind {}", input, to_string(wanted.kind)));
  }
  return found;
}

}  // namespace molgauge::pocket
