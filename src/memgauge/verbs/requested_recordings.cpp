#include "memgauge/verbs/requested_recordings.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "base/core/error.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/recordings/recording_file.h"

namespace molgauge::allocator {

namespace {

bool is_snapshot(const std::filesystem::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  return entry.is_regular_file() &&
         (name.ends_with(".pickle") || name.ends_with(".pickle.gz") || name.ends_with(".pkl"));
}

/// The first number in a file name, for example 10 for "rank10.pickle".
std::uint64_t number_in(const std::string& name) {
  const std::size_t start = name.find_first_of("0123456789");
  std::uint64_t number = 0;
  if (start != std::string::npos) {
    std::from_chars(name.data() + start, name.data() + name.size(), number);
  }
  return number;
}

}  // namespace

ExplainMemoryRequest with_files_of_folder(ExplainMemoryRequest request) {
  std::error_code problem;
  if (!std::filesystem::is_directory(request.file, problem)) {
    return request;
  }
  if (!request.other_ranks.empty()) {
    throw UsageError(request.file + ": a folder contains all ranks. Give the folder alone, or only files");
  }
  std::vector<std::pair<std::uint64_t, std::string>> files;
  for (std::filesystem::directory_iterator entry(request.file, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    if (is_snapshot(*entry)) {
      files.emplace_back(number_in(entry->path().filename().string()), entry->path().string());
    }
  }
  if (problem) {
    throw InputError(request.file + ": cannot list the folder: " + problem.message());
  }
  if (files.empty()) {
    throw InputError(request.file +
                     ": the folder contains no snapshot (*.pickle). Give the folder into which the "
                     "ranks wrote their snapshots");
  }
  std::sort(files.begin(), files.end());
  request.file = files.front().second;
  for (std::size_t i = 1; i < files.size(); ++i) {
    request.other_ranks.push_back(files[i].second);
  }
  return request;
}

std::vector<Recording> recordings_of(const ExplainMemoryRequest& request) {
  OpenedRecording file(request.file);
  return recordings_of(request, file);
}

std::vector<Recording> recordings_of(const ExplainMemoryRequest& request, OpenedRecording& file) {
  const std::string& name = request.content.empty() ? request.file : kInMemory;
  const TraceRange range = parse_trace_range(request.from, request.to);
  auto recordings = read_recordings(file, name, named_device(request), range);
  std::set<std::string> named{request.file};
  for (const auto& rank : request.other_ranks) {
    if (!named.insert(rank).second) {
      throw UsageError(rank + ": is named twice. Give each rank's own snapshot");
    }
    std::ranges::move(read_recordings(rank, std::nullopt, range), std::back_inserter(recordings));
  }
  return recordings;
}

}  // namespace molgauge::allocator
