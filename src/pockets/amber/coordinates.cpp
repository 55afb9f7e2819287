#include "pockets/amber/coordinates.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"
#include "base/io/bytes/random_access.h"
#include "pockets/topology/topology.h"

namespace molgauge::pocket {
namespace {

constexpr std::uint32_t kDimensions = 10, kVariables = 11, kAttributes = 12;
constexpr std::uint32_t kFloat = 5, kDouble = 6;
constexpr std::uint32_t kMaxEntries = 10'000;

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }

/// Reads consecutive big-endian numbers of a header.
class Header {
 public:
  explicit Header(const io::RandomAccess& file) : file_(file) {
    std::array<std::byte, 4> magic{};
    file_.read(0, magic);
    position_ = 4;
    has_wide_offsets_ = magic[3] == std::byte{2};
  }

  std::uint32_t number() { return static_cast<std::uint32_t>(integer(4)); }
  std::uint64_t offset() { return integer(has_wide_offsets_ ? 8 : 4); }

  std::string name() {
    const std::uint32_t length = number();
    if (length > kMaxEntries) {
      fail("a name is too long");
    }
    const std::vector<std::byte> bytes = file_.read(position_, length);
    position_ += padded(length);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// The number of entries of a list, or 0 if the list is missing.
  std::uint32_t list(std::uint32_t tag) {
    const std::uint32_t found = number(), entries = number();
    if ((found != tag && !(found == 0 && entries == 0)) || entries > kMaxEntries) {
      fail("its header is damaged");
    }
    return entries;
  }

  void pass_over_attributes() {
    for (std::uint32_t entries = list(kAttributes); entries > 0; --entries) {
      name();
      const std::uint64_t width = size_of(number());
      position_ += padded(width * number());
    }
  }

  std::uint64_t size_of(std::uint32_t type) const {
    constexpr std::array<std::uint64_t, 7> kSizes = {0, 1, 1, 2, 4, 4, 8};
    if (type < 1 || type >= kSizes.size()) {
      fail(fmt::format("has a variable of the unknown type {}", type));
    }
    return kSizes[type];
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(file_.name() + ": not an AMBER restart file in the classic NetCDF format: " + reason);
  }

 private:
  std::uint64_t integer(std::size_t width) {
    const std::vector<std::byte> bytes = file_.read(position_, width);
    position_ += width;
    std::uint64_t value = 0;
    for (const std::byte byte : bytes) {
      value = value << 8 | std::to_integer<std::uint64_t>(byte);
    }
    return value;
  }

  const io::RandomAccess& file_;
  std::uint64_t position_ = 0;
  bool has_wide_offsets_ = false;
};

struct Coordinates {
  std::uint64_t atoms = 0, offset = 0;
  std::uint32_t type = 0;
};

Coordinates find_variable(Header& header) {
  header.number();  // number of records, which is not used because a restart has none
  std::vector<std::uint32_t> lengths;
  for (std::uint32_t left = header.list(kDimensions); left > 0; --left) {
    header.name();
    lengths.push_back(header.number());
  }
  header.pass_over_attributes();
  for (std::uint32_t left = header.list(kVariables); left > 0; --left) {
    const std::string name = header.name();
    std::vector<std::uint32_t> shape;
    for (std::uint32_t axes = header.number(); axes > 0; --axes) {
      const std::uint32_t dimension = header.number();
      if (dimension >= lengths.size() || shape.size() > 8) {
        header.fail("its header is damaged");
      }
      shape.push_back(lengths[dimension]);
    }
    header.pass_over_attributes();
    const std::uint32_t type = header.number();
    header.number();  // number of bytes, which is not used because it follows from the shape
    const std::uint64_t offset = header.offset();
    if (name == "coordinates") {
      if (shape.size() != 2 || shape[1] != 3 || (type != kDouble && type != kFloat)) {
        header.fail("its variable 'coordinates' is not a table with three numbers per atom");
      }
      return {shape[0], offset, type};
    }
  }
  header.fail("it has no variable 'coordinates'");
}

template <typename Bits, typename Number>
double big_endian(const std::byte* bytes) {
  Bits bits = 0;
  for (std::size_t i = 0; i < sizeof(Bits); ++i) {
    bits = bits << 8 | std::to_integer<Bits>(bytes[i]);
  }
  return std::bit_cast<Number>(bits);
}

/// Whether a file begins like the classic NetCDF format with 32 or 64 bits.
bool is_netcdf(const io::RandomAccess& file) {
  if (file.size() < 4) {
    return false;
  }
  std::array<std::byte, 4> magic{};
  file.read(0, magic);
  return std::memcmp(magic.data(), "CDF", 3) == 0 && (magic[3] == std::byte{1} || magic[3] == std::byte{2});
}

/// Reads the variable `coordinates`, double [atom, spatial], of an AMBER restart file
/// (ambermd.org/netcdf/nctraj.xhtml) in classic NetCDF format (docs.unidata.ucar.edu, "NetCDF Classic Format
/// Specification"). Throws InputError with the file and the reason.
std::vector<Position> read_netcdf_restart(const io::RandomAccess& file) {
  Header header(file);
  const Coordinates found = find_variable(header);
  const std::size_t width = header.size_of(found.type);
  const std::vector<std::byte> bytes = file.read(found.offset, found.atoms * 3 * width);
  std::vector<Position> positions(found.atoms);
  for (std::size_t i = 0; i < 3 * positions.size(); ++i) {
    const std::byte* const at = bytes.data() + i * width;
    const double number =
        width == 8 ? big_endian<std::uint64_t, double>(at) : big_endian<std::uint32_t, float>(at);
    if (!std::isfinite(number)) {
      throw InputError(
          fmt::format("{}: coordinate {} of atom {} is not finite", file.name(), i % 3 + 1, i / 3 + 1));
    }
    positions[i / 3][i % 3] = number;
  }
  return positions;
}

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
