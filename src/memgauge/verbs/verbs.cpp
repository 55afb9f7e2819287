#include "memgauge/verbs/verbs.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/json_reader.h"
#include "base/io/bytes/byte_source.h"
#include "base/options/file_conflicts.h"
#include "base/options/tables.h"
#include "base/options/verb.h"
#include "memgauge/explain/difference.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/explain/message_explanation.h"
#include "memgauge/explain/rank_comparison.h"
#include "memgauge/explain/simulation.h"
#include "memgauge/page/explanation_page.h"
#include "memgauge/recordings/recording_file.h"
#include "memgauge/verbs/requested_recordings.h"

namespace molgauge::allocator {
namespace {

/// Maximum size of the text with the error message. The text may be the whole output of a program.
constexpr std::size_t kLongestText = std::size_t{64} << 20;

std::string text_of(io::ByteSource& source, const std::string& name) {
  std::string text;
  std::vector<char> piece(std::size_t{1} << 16);
  for (std::size_t count = source.read(piece); count > 0; count = source.read(piece)) {
    text.append(piece.data(), count);
    if (text.size() > kLongestText) {
      throw InputError(name +
                       ": the text is longer than 64 MiB. Give only the lines around the error message");
    }
  }
  return text;
}

/// Throws if options of recordings are given, because they have no effect on a message.
void require_message_alone(const ExplainMemoryRequest& request) {
  if (!request.other_ranks.empty() || request.settings || request.capacity_bytes || !request.page.empty() ||
      !request.from.empty() || !request.to.empty() || request.device != ExplainMemoryRequest{}.device) {
    throw UsageError(
        "--capacity, --setting, --device, --from, --to, --page and further files have no effect on an error "
        "message. Leave them out");
  }
}

/// Refuses a text that was given where the name of a file belongs.
void refuse_text(const std::string& file) {
  std::error_code absent;
  if (file.find(' ') != std::string::npos && file.find("memory") != std::string::npos &&
      !std::filesystem::exists(file, absent)) {
    throw UsageError(
        "an error message stands where the name of a file belongs. Pipe the message and give - as FILE, or "
        "give --message with a file that contains it");
  }
}

MemoryExplanation explain_text(const ExplainMemoryRequest& request, io::ByteSource& source,
                               const std::string& path) {
  require_message_alone(request);
  const std::string name = path == "-" ? "standard input" : path;
  return explain_message(text_of(source, name), name);
}

}  // namespace

MemoryExplanation explain_memory(const ExplainMemoryRequest& given) {
  options::require_no_conflicts(options::view(given));
  const ExplainMemoryRequest request = with_files_of_folder(given);
  const bool in_memory = !request.content.empty();
  if (in_memory && (!request.file.empty() || !request.message.empty())) {
    throw UsageError("a recording in memory replaces a file. Remove `file` and `message`");
  }
  if (!in_memory && request.file.empty() == request.message.empty()) {
    throw UsageError(
        "FILE is missing. Give a memory trace, a PyTorch snapshot, or --message with the text of an error "
        "message");
  }
  refuse_text(request.file + request.message);
  if (!request.message.empty()) {
    const auto source = io::open_byte_source(request.message);
    return explain_text(request, *source, request.message);
  }
  OpenedRecording file = in_memory ? OpenedRecording(request.content) : OpenedRecording(request.file);
  if ((in_memory || request.file == "-") && !file.is_recording()) {
    return explain_text(request, file, in_memory ? kInMemory : request.file);
  }
  if (!request.page.empty()) {
    file_to_replace(request.page);  // checked early, because the work may take a while for a large snapshot
  }
  const auto recordings = recordings_of(request, file);
  auto explained = explain(recordings, request);
  if (!request.other_ranks.empty()) {
    add_ranks(compare_ranks(recordings), explained.front().explanation);
  }
  if (!request.page.empty()) {
    replace_file(request.page, explanation_page(explained));
  }
  MemoryExplanation explanation = std::move(explained.front().explanation);
  if (request.device == "all") {
    explanation.json = "[" + explanation.json;
    for (std::size_t i = 1; i < explained.size(); ++i) {
      explanation.text += "\n" + explained[i].explanation.text;
      explanation.json += "," + explained[i].explanation.json;
    }
    explanation.json += "]\n";
  }
  return explanation;
}

SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request) {
  return simulate(read_recording(request.trace, request.device), request);
}

MemoryDifference diff_memory(const DiffMemoryRequest& request) {
  return difference_between(read_recording(request.before, request.device),
                            read_recording(request.after, request.device));
}

}  // namespace molgauge::allocator

namespace molgauge {

// These reports already contain their JSON.
inline void to_json(nlohmann::json& object, const MemoryDifference& report) {
  object = parse_json(report.json);
}
inline void to_json(nlohmann::json& object, const MemoryExplanation& report) {
  object = parse_json(report.json);
}
inline void to_json(nlohmann::json& object, const SimulateMemoryReport& report) {
  object = parse_json(report.json);
}

template <>
verbs::Verb verbs::verb<DiffMemoryRequest>() {
  return row<DiffMemoryRequest>("diff", allocator::diff_memory);
}

template <>
verbs::Verb verbs::verb<ExplainMemoryRequest>() {
  return row<ExplainMemoryRequest>("explain", allocator::explain_memory);
}

template <>
verbs::Verb verbs::verb<SimulateMemoryRequest>() {
  return row<SimulateMemoryRequest>("simulate", allocator::simulate_memory);
}

}  // namespace molgauge
