#include "memgauge/explain/unwrapped_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "memgauge/explain/message_numbers.h"

namespace molgauge::allocator {
namespace {

/// Frames of tables, as in the tracebacks of Rich.
constexpr std::array<std::string_view, 4> kFrames = {"│", "┃", "║", "|"};

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

std::string without_colours(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (is_digit(text[i]) || text[i] == ';')) {
        ++i;
      }
      continue;
    }
    plain.push_back(text[i]);
  }
  return plain;
}

std::string_view without_frame(std::string_view line) {
  line = trimmed_end(trimmed_start(line));
  for (const std::string_view frame : kFrames) {
    if (line.starts_with(frame)) {
      line.remove_prefix(frame.size());
    }
    if (line.ends_with(frame)) {
      line.remove_suffix(frame.size());
    }
    line = trimmed_end(trimmed_start(line));
  }
  return line;
}

/// Removes "[rank1]:", "[default1]:", "1: " and "(RayWorker pid=4711)" from the beginning of a line.
std::string_view without_mark(std::string_view line, std::optional<std::uint64_t>& rank) {
  for (const std::string_view mark : {"[rank", "[default"}) {
    const std::size_t end = line.starts_with(mark) ? line.find(']') : std::string_view::npos;
    if (end != std::string_view::npos && end > mark.size() && is_digit(line[mark.size()])) {
      rank = count_after(line, mark);
      line.remove_prefix(end + 1);
      line.remove_prefix(line.starts_with(":") ? 1 : 0);
      return trimmed_start(line);
    }
  }
  std::size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) {
    ++digits;
  }
  if (digits > 0 && digits < 5 && line.substr(digits).starts_with(": ")) {
    return trimmed_start(line.substr(digits + 2));
  }
  const std::size_t end = line.starts_with("(") ? line.find(')') : std::string_view::npos;
  return end != std::string_view::npos && contains(line.substr(0, end), "pid=")
             ? trimmed_start(line.substr(end + 1))
             : line;
}

void append_words(std::string& text, std::string_view line) {
  bool in_space = false;
  for (const char letter : line) {
    const bool space = letter == ' ' || letter == '\t' || letter == '\r';
    if (!space || !in_space) {
      text.push_back(space ? ' ' : letter);
    }
    in_space = space;
  }
}

}  // namespace

const UnwrappedText::Line* UnwrappedText::line_of(std::size_t position) const {
  const auto next = std::upper_bound(lines.begin(), lines.end(), position,
                                     [](std::size_t at, const Line& line) { return at < line.begin; });
  return next == lines.begin() ? nullptr : &*(next - 1);
}

std::optional<std::uint64_t> UnwrappedText::rank_at(std::size_t position) const {
  const Line* const line = line_of(position);
  return line == nullptr ? std::nullopt : line->rank;
}

bool UnwrappedText::begins_line(std::size_t position) const {
  const Line* const line = line_of(position);
  return line != nullptr && text.substr(line->begin, position - line->begin).find(' ') == std::string::npos;
}

UnwrappedText unwrapped(std::string_view text) {
  const std::string plain = without_colours(text);
  UnwrappedText flat;
  flat.text.reserve(plain.size());
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    UnwrappedText::Line line;
    std::string_view content = without_frame(std::string_view(plain).substr(at, end - at));
    content = without_frame(without_mark(content, line.rank));
    at = end + 1;
    if (content.empty()) {
      continue;
    }
    if (!flat.text.empty()) {
      flat.text.push_back(' ');
    }
    line.begin = flat.text.size();
    append_words(flat.text, content);
    flat.lines.push_back(line);
  }
  return flat;
}

}  // namespace molgauge::allocator
