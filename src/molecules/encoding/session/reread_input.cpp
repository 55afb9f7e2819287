#include "molecules/encoding/session/reread_input.h"

#include <array>
#include <string_view>

#include "base/core/error.h"
#include "base/io/bytes/byte_source.h"
#include "base/io/bytes/staged_file.h"
#include "molecules/files/named_table.h"

namespace molgauge::session {
namespace {

/// Whether an input can be read only once. A missing file is not copied, so its reader says why it is
/// missing.
bool needs_copy(const std::string& input) {
  return !io::is_rereadable(input) && (input == "-" || std::filesystem::exists(input));
}

}  // namespace

std::string reread_input(const std::string& input, const std::filesystem::path& folder) {
  if (!needs_copy(input)) {
    return input;
  }
  const std::string extension = input == "-" ? ".smi" : std::filesystem::path(input).extension().string();
  const std::filesystem::path copy = folder / ("candidates" + extension);
  const auto source = io::open_byte_source(input);
  io::StagedFile file(copy);
  std::array<char, 65536> piece{};
  try {
    while (const std::size_t count = source->read(piece)) {
      file.append(std::string_view(piece.data(), count));
    }
  } catch (const InputError& problem) {
    throw InputError(input + ": " + problem.what());
  }
  file.commit();
  return copy.string();
}

RereadInput::RereadInput(const std::string& input, const std::filesystem::path& parent) : path_(input) {
  if (needs_copy(input)) {
    ScratchFolder::remove_stale(parent, "input");
    folder_.emplace(parent, "input");
    path_ = reread_input(input, folder_->path());
    shown_.emplace(path_, input);
  }
}

}  // namespace molgauge::session
