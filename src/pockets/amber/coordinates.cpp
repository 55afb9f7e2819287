#include "pockets/amber/coordinates.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"
#include "base/io/bytes/random_access.h"
#include "pockets/amber/netcdf_restart.h"

namespace molgauge::pocket {
namespace {

constexpr std::size_t kFieldWidth = 12;

double number_in(std::string_view line, std::size_t start, std::size_t width, const io::LineReader& lines) {
  const std::string_view text =
      io::trimmed(start < line.size() ? line.substr(start, width) : std::string_view());
  double number = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || stop != text.data() + text.size() || !std::isfinite(number)) {
    lines.fail(lines.line(), fmt::format("'{}' is not a coordinate", text));
  }
  return number;
}

/// Format: a title, a line with the number of atoms and perhaps the time, then lines of two atoms with 12
/// characters for each number.
std::vector<Position> read_text(const std::string& file) {
  io::LineReader lines(file);
  lines.next();
  const auto counts = lines.next();
  if (!counts) {
    throw InputError(file + ": is truncated: the line with the number of atoms is missing");
  }
  const std::string_view text = io::trimmed(*counts);
  std::size_t atoms = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), atoms);
  if (failure != std::errc() || (stop != text.data() + text.size() && *stop != ' ' && *stop != '\t')) {
    lines.fail(2, "not AMBER coordinates: the second line does not begin with the number of atoms");
  }
  std::vector<Position> positions;
  while (positions.size() < atoms) {
    const auto line = lines.next();
    if (!line) {
      throw InputError(fmt::format("{}: is truncated: it has coordinates of {} atoms instead of {}", file,
                                   positions.size(), atoms));
    }
    const std::string_view numbers = io::without_carriage_return(*line);
    for (std::size_t start = 0; start < 6 * kFieldWidth && positions.size() < atoms;
         start += 3 * kFieldWidth) {
      if (start > 0 && io::trimmed(numbers.size() > start ? numbers.substr(start) : "").empty()) {
        break;
      }
      positions.push_back({number_in(numbers, start, kFieldWidth, lines),
                           number_in(numbers, start + kFieldWidth, kFieldWidth, lines),
                           number_in(numbers, start + 2 * kFieldWidth, kFieldWidth, lines)});
    }
  }
  return positions;
}

/// Reads the atoms of the first model. Atom names are ignored. The coordinates are in columns 31 to 54.
std::vector<Position> read_pdb(const std::string& file) {
  io::LineReader lines(file);
  std::vector<Position> positions;
  while (const auto line = lines.next()) {
    if (line->starts_with("ENDMDL")) {
      break;
    }
    if (line->starts_with("ATOM") || line->starts_with("HETATM")) {
      positions.push_back(
          {number_in(*line, 30, 8, lines), number_in(*line, 38, 8, lines), number_in(*line, 46, 8, lines)});
    }
  }
  if (positions.empty()) {
    throw InputError(file + ": has no atoms");
  }
  return positions;
}

}  // namespace

std::vector<Position> read_coordinates(const std::string& file) {
  if (file.ends_with(".pdb") || file.ends_with(".ent")) {
    return read_pdb(file);
  }
  const auto content = io::open_random_access(file);
  return is_netcdf(*content) ? read_netcdf_restart(*content) : read_text(file);
}

std::string find_coordinates(const std::string& topology) {
  const std::filesystem::path path(topology);
  for (const char* ending : {".inpcrd", ".rst7", ".rst", ".crd", ".ncrst", ".pdb"}) {
    const auto beside = std::filesystem::path(path).replace_extension(ending);
    if (std::filesystem::exists(beside)) {
      return beside.string();
    }
  }
  if (const auto fallback = path.parent_path() / "rna.inpcrd"; std::filesystem::exists(fallback)) {
    return fallback.string();
  }
  throw InputError(fmt::format("{}: no coordinates next to it ({}.inpcrd, .rst7, .rst, .crd, .ncrst or .pdb)",
                               topology, path.stem().string()));
}

}  // namespace molgauge::pocket
