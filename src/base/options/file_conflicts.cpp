#include "base/options/file_conflicts.h"

#include <cerrno>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/call_outputs.h"
#include "base/options/own_folder.h"

namespace molgauge::options {
namespace {

namespace fs = std::filesystem;

using Does = FileUse::Does;

std::vector<std::string> values_of(const ConstSlot& slot) {
  if (const auto* const text = std::get_if<const std::string*>(&slot)) {
    return {**text};
  }
  if (const auto* const texts = std::get_if<const std::vector<std::string>*>(&slot)) {
    return **texts;
  }
  const auto* const maybe = std::get_if<const std::optional<std::string>*>(&slot);
  return maybe != nullptr && **maybe ? std::vector<std::string>{***maybe} : std::vector<std::string>{};
}

bool has_value(const View& request, std::string_view name) {
  for (const std::string& value : values_of(request.slot(option_named(request.options, name)))) {
    if (!value.empty()) {
      return true;
    }
  }
  return false;
}

/// Applies a pattern of FileUse::with to a path, and returns the path of the further file.
fs::path with_it(const fs::path& path, std::string_view pattern) {
  if (pattern.front() == '.') {
    return fs::path(path).replace_extension(pattern);
  }
  if (pattern.front() == '+') {
    return path.string() + std::string(pattern.substr(1));
  }
  return path.parent_path() / pattern;
}

void add_files(const View& request, const Option& option, const std::string& path, RequestFiles& files) {
  const FileUse& use = option.files;
  std::vector<RequestFile>& list = use.does == Does::reads ? files.reads : files.writes;
  const bool is_shared = !use.folder_if.empty() && has_value(request, use.folder_if);
  list.push_back({&option, path, PathIdentity(path), is_shared ? FolderKind::shared : use.folder, true});
  if (is_shared) {
    return;
  }
  for (const std::string_view pattern : use.with) {
    const fs::path further = with_it(path, pattern);
    list.push_back({&option, further.string(), PathIdentity(further),
                    pattern.front() == '+' ? FolderKind::unfinished : FolderKind::none, false});
  }
}

std::string shown(const Option& option, const std::string& value) {
  return option.is_positional() ? fmt::format("{} {}", option.name, value)
                                : fmt::format("--{} {}", option.name, value);
}

/// Returns the beginning of a message, for example "--out o.csv: also writes o.json, and that". The message
/// names the path that the user gave, even if the conflict is in a derived file.
std::string writes(const RequestFile& output, const RequestFiles& files) {
  if (output.is_named) {
    return shown(*output.option, output.path) + ":";
  }
  for (const RequestFile& file : files.writes) {
    if (file.option == output.option && file.is_named) {
      return fmt::format("{}: also writes {}, and that", shown(*file.option, file.path), output.path);
    }
  }
  return output.path + ":";
}

[[noreturn]] void refuse(const RequestFile& output, const RequestFiles& files, const std::string& why) {
  throw UsageError(fmt::format("{} {}. Name another {} with --{}", writes(output, files), why,
                               output.folder == FolderKind::none ? "file" : "folder", output.option->name));
}

bool is_folder(const RequestFile& file) {
  std::error_code unknown;
  return fs::is_directory(file.identity.resolved(), unknown);
}

/// Whether one of Molgauge's files in the folder is the output under another name, for example because the
/// file in the folder is a link.
bool holds(const fs::path& folder, const RequestFile& output) {
  std::error_code unknown;
  for (fs::directory_iterator entry(folder, unknown), end; !unknown && entry != end;
       entry.increment(unknown)) {
    const fs::path& file = entry->path();
    if (is_own_file_name(file.filename().string()) && output.identity.is_same(PathIdentity(file))) {
      return true;
    }
  }
  return false;
}

/// Whether a folder of this kind can contain the file.
bool belongs_to(const RequestFile& folder, const PathIdentity& file) {
  const fs::path& path = file.resolved();
  switch (folder.folder) {
    case FolderKind::none:  // such a folder can contain any file
    case FolderKind::unfinished:
      return true;
    case FolderKind::shared:
      return is_shared_file(folder.identity.resolved(), path);
    default:
      return is_own_file_name(path.filename().string());
  }
}

void require_apart(const RequestFile& output, const RequestFile& input, const RequestFiles& files) {
  const std::string reader = shown(*input.option, input.path);
  const bool writes_folder = output.folder != FolderKind::none;
  if (!writes_folder && output.identity.is_same(input.identity)) {
    refuse(output, files, fmt::format("is the file that is read as {}", reader));
  }
  if (!writes_folder) {
    const bool is_there = output.identity.exists() && is_folder(input);
    const bool is_inside = is_there && output.identity.is_within(input.identity);
    if (is_inside
            ? belongs_to(input, output.identity)
            : is_there && input.folder != FolderKind::shared && holds(input.identity.resolved(), output)) {
      refuse(output, files, fmt::format("would replace a file in the folder that is read as {}", reader));
    }
    return;
  }
  if (output.folder == FolderKind::shared) {
    if (!is_folder(input) && belongs_to(output, input.identity)) {
      refuse(output, files, fmt::format("is the folder of {}", reader));
    }
    return;
  }
  const bool is_own = input.folder != FolderKind::none;
  const bool is_result = output.folder == FolderKind::evaluation && is_own;
  if (input.option->files.may_lie_in_output || is_result || !input.identity.is_within(output.identity)) {
    return;
  }
  if (!is_folder(input) || !is_own || output.identity.is_same(input.identity)) {
    refuse(output, files, fmt::format("would write into the folder that holds {}", reader));
  }
}

void require_apart(const RequestFile& one, const RequestFile& other, const RequestFile& other_named,
                   const RequestFiles& files) {
  if (one.identity.is_same(other.identity)) {
    refuse(one, files, fmt::format("is also written for {}", shown(*other.option, other_named.path)));
  }
  const bool is_in_folder = one.folder == FolderKind::none && other.folder != FolderKind::none &&
                            one.identity.is_within(other.identity);
  if (is_in_folder && belongs_to(other, one.identity)) {
    refuse(one, files,
           fmt::format("would replace a file in the folder of {}", shown(*other.option, other_named.path)));
  }
}

/// Throws UsageError if the output file is a folder, or if its folder is not writable or does not exist. A
/// folder that the same request writes is created, so it need not exist. If the system cannot say whether the
/// folder exists, the error that occurs later names the reason.
void require_parent(const RequestFile& output, const RequestFiles& files) {
  std::error_code problem;
  if (output.folder != FolderKind::none) {
    return;
  }
  if (fs::is_directory(output.path, problem)) {
    throw UsageError(
        fmt::format("{} is a folder. Name a file with --{}", writes(output, files), output.option->name));
  }
  const fs::path given = fs::path(output.path).parent_path(), parent = given.empty() ? fs::path(".") : given;
  if (access(parent.c_str(), W_OK) != 0 && (errno == EACCES || errno == EROFS)) {
    throw UsageError(
        fmt::format("{} the folder {} is not writable. Change its permissions, or name another file with "
                    "--{}",
                    writes(output, files), parent.string(), output.option->name));
  }
  const fs::file_type type = fs::status(parent, problem).type();
  if (type != fs::file_type::not_found && type != fs::file_type::regular) {
    return;
  }
  for (const RequestFile& other : files.writes) {
    if (other.folder != FolderKind::none && output.identity.is_within(other.identity)) {
      return;
    }
  }
  throw UsageError(fmt::format(
      "{} the folder {} {}, or name another file with --{}", writes(output, files), parent.string(),
      type == fs::file_type::regular ? "is a file. Remove it" : "does not exist. Create it",
      output.option->name));
}

/// Returns the file that the user gave for the option of `output`.
const RequestFile& named(const RequestFile& output, const RequestFiles& files) {
  for (const RequestFile& file : files.writes) {
    if (file.option == output.option && file.is_named) {
      return file;
    }
  }
  return output;
}

}  // namespace

RequestFiles files_of(const View& request) {
  RequestFiles files;
  for (const Option& option : request.options) {
    if (option.files.does == Does::nothing || option.files.does == Does::looks_up) {
      continue;
    }
    for (const std::string& value : values_of(request.slot(option))) {
      if (!value.empty() && value != "-") {
        add_files(request, option, value, files);
      } else if (value.empty() && option.files.otherwise != nullptr) {
        if (const std::string path = option.files.otherwise(request.request); !path.empty()) {
          add_files(request, option, path, files);
        }
      }
    }
  }
  return files;
}

void require_no_conflicts(const View& request) {
  const bool has_outputs = [&] {
    for (const Option& option : request.options) {
      const FileUse& use = option.files;
      const bool counts = use.does == Does::writes && (use.folder != FolderKind::shared);
      if (counts && (use.otherwise != nullptr || has_value(request, option.name))) {
        return true;
      }
    }
    return false;
  }();
  if (!has_outputs) {  // returns early, because a call for a single molecule must take less than a
                       // millisecond
    set_call_outputs({});
    return;
  }
  const RequestFiles files = files_of(request);
  for (std::size_t i = 0; i < files.writes.size(); ++i) {
    const RequestFile& output = files.writes[i];
    for (const RequestFile& input : files.reads) {
      require_apart(output, input, files);
    }
    for (std::size_t j = 0; j < files.writes.size(); ++j) {
      if (files.writes[j].option != output.option) {
        require_apart(output, files.writes[j], named(files.writes[j], files), files);
      }
    }
    const RequestFile& by_user = named(output, files);
    require_own_folder(output.path, output.folder, shown(*by_user.option, by_user.path));
    if (output.is_named) {
      require_parent(output, files);
    }
    if (output.folder == FolderKind::none) {
      if (const FolderKind owner = owner_of(output.identity.resolved()); owner != FolderKind::none) {
        refuse(output, files, fmt::format("would replace a file of {}", name_of(owner)));
      }
    }
  }
  std::vector<CallOutput> outputs;
  for (const RequestFile& output : files.writes) {
    if (output.folder == FolderKind::none) {
      const RequestFile& by_user = named(output, files);
      outputs.push_back({shown(*by_user.option, by_user.path), output.identity});
    }
  }
  set_call_outputs(std::move(outputs));
}

}  // namespace molgauge::options
