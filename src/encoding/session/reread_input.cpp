#include "encoding/session/reread_input.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "data/io/bytes/byte_source.h"
#include "data/io/bytes/staged_file.h"
#include "data/io/molecules/named_table.h"

namespace headroom::session {

std::string reread_input(const std::string& input, const std::filesystem::path& folder) {
  if (io::is_rereadable(input)) {
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
  if (io::is_rereadable(input)) {
    return;
  }
  std::string name = (parent / "input-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(name + ": cannot make a folder for a copy of the input: " +
                std::generic_category().message(errno) + ". Give a file instead of a pipe");
  }
  folder_ = name;
  path_ = reread_input(input, folder_);
}

RereadInput::~RereadInput() {
  std::error_code ignored;
  if (!folder_.empty()) {
    std::filesystem::remove_all(folder_, ignored);
  }
}

}  // namespace headroom::session
