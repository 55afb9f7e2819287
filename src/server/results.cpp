#include "server/results.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/checksum_list.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/files/output_file.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/session/log.h"
#include "base/core/text/sdf_field.h"
#include "base/io/tables/workbook_writer.h"

namespace molgauge::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<const char*, const char*>, 6> kForms{
    {{"json", "application/json"},
     {"ndjson", "application/x-ndjson"},
     {"csv", "text/csv"},
     {"sdf", "chemical/x-mdl-sdfile"},
     {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
     {"html", "text/html"}}};

/// Writes text to an OutputFile.
class TextFile {
 public:
  TextFile(const fs::path& file, const fs::path& shown) : file_(file, shown.string()) {}
  TextFile& operator<<(std::string_view text) {
    file_.append(std::as_bytes(std::span(text)));
    return *this;
  }
  void finish() { file_.finish(); }

 private:
  OutputFile file_;
};

/// Calls visit(line) for each row. Throws Error if the file cannot be read to its end.
void for_each_row_of(const Job& job, const Tools& tools,
                     const std::function<void(const std::string&)>& visit) {
  std::ifstream rows(job.path(), std::ios::binary);
  std::size_t count = 0;
  for (std::string line; std::getline(rows, line); ++count) {
    if (tools.is_ending) {
      throw Interrupted("the server is shutting down. Try again when it has started");
    }
    visit(line);
  }
  if (rows.bad() || count != job.rows()) {
    throw Error(job.path().string() + ": cannot be read. Try again");
  }
}

/// Writes {"model": ..., "rows": [...]}: the fields of the summary, followed by the rows.
void write_json(const Job& job, const Tools& tools, TextFile& file) {
  const std::string summary = job.summary();
  file << summary.substr(0, summary.rfind('}')) << (summary.size() > 2 ? "," : "") << "\"rows\":[";
  bool is_first = true;
  for_each_row_of(job, tools, [&](const std::string& line) {
    file << (is_first ? "\n" : ",\n") << line;
    is_first = false;
  });
  file << "]}\n";
}

/// Writes a data field of an SDF. Missing values have no field. The texts of a list are separated by "; ".
void write_field(const std::string& name, const Json& value, TextFile& file) {
  std::string text;
  if (value.is_array() && !value.empty() && value.front().is_string()) {
    text = fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), "; "));
  } else if (!value.is_null() && !value.empty()) {
    text = value.is_string() ? value.get<std::string>() : json_line(value);
  }
  file << sdf_field(name, std::move(text));
}

/// Writes a record for each row: its 2D structure, and its results as data fields. Leaves out unreadable
/// rows.
void write_sdf(const Job& job, const Tools& tools, TextFile& file) {
  for_each_row_of(job, tools, [&](const std::string& line) {
    const auto row = parse_json<Json>(line);
    try {
      const std::string block = tools.engine.depict({.smiles = row.at("smiles"), .as_mol_block = true});
      file << sdf_line(row.at("name").get<std::string>()) << std::string_view(block).substr(block.find('\n'));
    } catch (const InputError&) {
      return;
    }
    for (const auto& [key, value] : row.items()) {
      if (key == "properties" || key == "predictions") {
        for (const auto& [name, number] : value.items()) {
          write_field(name, number, file);
        }
      } else if (key != "name" && key != "nearest") {
        write_field(key, value, file);
      }
    }
    file << "$$$$\n";
  });
}

/// Whether the file matches the checksum from the time when it was written. Returns false for files
/// without a checksum.
bool is_known_and_intact(const fs::path& file) {
  try {
    const auto list = read_checksum_list(file.parent_path(), "");
    const std::string name = file.filename().string();
    const auto checksum = list && list->lists(name) ? checksum_of_content(file) : std::nullopt;
    return checksum && list->allows(name, *checksum);
  } catch (const InputError&) {
    return false;
  }
}

/// Whether the job has written a file of this name.
bool is_known(const fs::path& file) {
  const auto list = read_checksum_list(file.parent_path(), "");
  return list && list->lists(file.filename().string());
}

/// Returns a file that is made from the rows. Makes the file on the first request, and again if the file is
/// damaged.
template <typename Write>
fs::path made_of_rows(const Job& job, const fs::path& file, Write write) {
  job.require_intact_rows();
  if (!is_known_and_intact(file)) {
    keep_checksums(job.folder());
    replace_file(file, [&](const fs::path& temporary) {
      TextFile text(temporary, file);
      write(text);
      text.finish();
    });
  }
  return file;
}

/// Returns a file that the engine wrote with the result. Refuses the request if the file is damaged.
fs::path written_with_the_result(const fs::path& file) {
  try {
    require_intact(file, "Send the list again");
  } catch (const InputError& problem) {
    log_error("{}", problem.what());
    throw Refused(error_answer(
        500, "damaged",
        "the result of this job is damaged on the disk of the server: " + file.filename().string() +
            " has changed since it was written. Send the list again"));
  }
  return file;
}

/// Returns the CSV file of the job as a workbook. Makes the workbook on the first request, and again if it is
/// damaged.
fs::path workbook_of(const Job& job) {
  const fs::path csv = written_with_the_result(job.result(".csv")), workbook = job.result(".xlsx");
  if (!is_known_and_intact(workbook)) {
    keep_checksums(job.folder());
    io::write_workbook(csv, workbook);
  }
  return workbook;
}

}  // namespace

std::string wanted_form(const Request& request) {
  if (const std::string as = request.parameter("as"); !as.empty()) {
    return as;
  }
  for (const auto& [form, type] : kForms) {
    // A browser accepts HTML for any link. Links to other formats therefore have the parameter `as`.
    if (request.accepts(type)) {
      return form;
    }
  }
  return "json";
}

std::string content_type_of_form(const std::string& as) {
  for (const auto& [form, type] : kForms) {
    if (form == as) {
      return as == "html" || as == "csv" ? std::string(type) + "; charset=utf-8" : type;
    }
  }
  throw UsageError("as=" + as + ": json, ndjson, csv, xlsx, sdf or html is expected");
}

fs::path json_of(const Job& job, const Tools& tools) {
  // The file is not named result.json, because the command line writes a file with this name next to its CSV.
  return made_of_rows(job, job.folder() / "rows.json", [&](TextFile& file) { write_json(job, tools, file); });
}

fs::path sdf_of(const Job& job, const Tools& tools) {
  return made_of_rows(job, job.result(".sdf"), [&](TextFile& file) { write_sdf(job, tools, file); });
}

Answer result_of(const std::shared_ptr<Job>& job, const std::string& as, const Tools& tools) {
  if (job->status() != Job::State::done) {
    return job->failure();
  }
  Answer answer{.content_type = content_type_of_form(as), .keeps = job};
  const bool is_explained = job->order().task == JobOrder::Task::explain;
  const bool is_encoded = job->order().task == JobOrder::Task::encode;
  if (is_explained && as == "json") {
    answer.body = job->summary() + "\n";
    return answer;
  }
  if (as == "ndjson" && !is_explained) {
    job->require_intact_rows();
    answer.file = job->path();
  } else if (as == "json") {
    answer.file = json_of(*job, tools);
  } else if (as == "sdf" && !is_explained && !is_encoded) {
    answer.file = sdf_of(*job, tools);
  } else if (as == "xlsx" && fs::exists(job->result(".csv"))) {
    answer.file = workbook_of(*job);
  } else {
    answer.file = written_with_the_result(job->result(as == "html" ? ".html" : ".csv"));
  }
  if (!fs::exists(answer.file)) {
    if (is_known(answer.file)) {
      throw Refused(error_answer(500, "damaged",
                                 "the result of this job is damaged on the disk of the server: " +
                                     answer.file.filename().string() + " is missing. Send the list again"));
    }
    throw UsageError("as=" + as + ": this result has no such format");
  }
  if (as == "csv" || as == "sdf" || as == "xlsx") {
    answer.fields.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"molgauge-{}.{}\"",
                                                                  to_string(job->order().task), as));
  }
  return answer;
}

}  // namespace molgauge::serve
