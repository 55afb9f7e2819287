#include "allocator/frame_names.h"

#include <string_view>

#include <fmt/format.h>

namespace headroom::allocator {
namespace {

bool is_of_the_caller(std::string_view filename) {
  return filename.ends_with(".py") && filename.find("/torch/") == std::string_view::npos &&
         filename.find("<") == std::string_view::npos;
}

}  // namespace

const std::string& FrameNames::of(std::uint32_t frames) {
  const auto [entry, is_new] = names_.try_emplace(frames);
  if (is_new) {
    entry->second = name(frames);
  }
  return entry->second;
}

std::string FrameNames::name(std::uint32_t frames) const {
  const FrameRow* chosen = nullptr;
  for (const auto& item : tables_.items(frames)) {
    const FrameRow* frame = tables_.frame(item);
    if (frame != nullptr && is_of_the_caller(tables_.text_of(frame->filename))) {
      chosen = frame;
      break;
    }
    // A stack of C++ alone: its innermost frame with a name.
    if (chosen == nullptr && frame != nullptr && !tables_.text_of(frame->name).empty()) {
      chosen = frame;
    }
  }
  if (chosen == nullptr) {
    return "no stack recorded";
  }
  const std::string_view path = tables_.text_of(chosen->filename);
  const std::string_view file = path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
  const std::string_view function = tables_.text_of(chosen->name).substr(0, 80);
  return file.empty() || file == "??" ? std::string(function)
                                      : fmt::format("{} ({}:{})", function, file, chosen->line);
}

}  // namespace headroom::allocator
