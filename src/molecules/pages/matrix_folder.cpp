#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tables/csv_reader.h"
#include "molecules/pages/folder_kinds.h"
#include "molecules/pages/numbers.h"

namespace molgauge::report {
namespace {

namespace fs = std::filesystem;

/// Parses "dpo-beta=0.1,lambda-reg=0.01". The values stay texts.
options::Values parse_grid(const std::string& text, const std::string& file, std::size_t line) {
  options::Values grid;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string option = text.substr(start, end - start);
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) {
      throw InputError(fmt::format("{}:{}: '{}' is not NAME=VALUE", file, line, option.substr(0, 40)));
    }
    grid[option.substr(0, equals)] = option.substr(equals + 1);
    start = end + 1;
  }
  return grid;
}

/// Throws if the name is not a plain file name. A path could be outside the folder of the matrix.
const std::string& plain_name(const std::string& name, const std::string& file, std::size_t line) {
  if (name.empty() || name == "." || name == ".." ||
      name.find_first_of(std::string("/\0", 2)) != std::string::npos) {
    throw InputError(fmt::format("{}:{}: '{}' is not a name", file, line, name.substr(0, 40)));
  }
  return name;
}

struct PlannedRun {
  matrix::Cell cell;
  std::string mark;  ///< mark of the identity of the result
};

class ListReader {
 public:
  explicit ListReader(const fs::path& path) : file_(path.string()), reader_(file_, ',') {
    const auto header = reader_.next();
    for (std::size_t i = 0; header && i < header->fields.size(); ++i) {
      places_[header->fields[i]] = i;
    }
    columns_ = header ? header->fields.size() : 0;
    for (const char* name :
         {"benchmark", "encoder", "method", "kind", "options", "seed", "data_seed", "identity"}) {
      if (!places_.contains(name)) {
        throw InputError(fmt::format(
            "{}: no column '{}'. Run 'molgauge experiment' again, which keeps finished runs", file_, name));
      }
    }
  }

  std::vector<PlannedRun> read() {
    std::vector<PlannedRun> runs;
    while (const auto row = reader_.next()) {
      if (row->fields.size() != columns_) {
        throw InputError(fmt::format("{}:{}: {} fields, but the header has {}", file_, row->line,
                                     row->fields.size(), columns_));
      }
      const auto field = [&](const char* name) -> const std::string& {
        return row->fields[places_.at(name)];
      };
      const auto name = [&](const char* column) { return plain_name(field(column), file_, row->line); };
      const auto seed = [&](const char* column) { return parse_count(field(column), file_, row->line); };
      matrix::Cell cell = {name("benchmark"),
                           name("encoder"),
                           name("method"),
                           field("kind"),
                           {},
                           parse_grid(field("options"), file_, row->line),
                           seed("seed"),
                           seed("data_seed")};
      plain_name(cell.variant(), file_, row->line);
      runs.push_back({std::move(cell), field("identity")});
    }
    return runs;
  }

 private:
  std::string file_;
  io::CsvReader reader_;
  std::map<std::string, std::size_t> places_;
  std::size_t columns_ = 0;
};

/// The text in the first line of the form title = "...".
std::string title_of(const std::string& specification) {
  const std::string key = "title = \"";
  const std::size_t start = specification.starts_with(key) ? 0 : specification.find("\n" + key);
  if (start == std::string::npos) {
    return "";
  }
  const std::size_t text = specification.find('"', start) + 1;
  return specification.substr(text, specification.find('"', text) - text);
}

void add_specification(Study& study) {
  const fs::path path = study.folder / "spec.toml";
  if (!fs::is_regular_file(path)) {
    study.gaps.emplace_back("The matrix was interrupted before spec.toml was written.");
    return;
  }
  try {
    require_intact(path, "Run 'molgauge experiment' again, which keeps finished runs");
  } catch (const InputError& damage) {
    study.gaps.emplace_back(damage.what());
    return;
  }
  study.specification = read_file(path);
  study.title = title_of(study.specification);
}

}  // namespace

bool is_matrix_folder(const fs::path& folder) { return fs::is_regular_file(folder / "plan.csv"); }

Study read_matrix_folder(const fs::path& folder) {
  Study study;
  study.folder = folder;
  study.kind = StudyKind::matrix;
  require_intact(folder / "plan.csv", "Run 'molgauge experiment' again, which keeps finished runs");
  const auto runs = ListReader(folder / "plan.csv").read();
  study.planned = runs.size();
  for (const auto& [cell, mark] : runs) {
    auto ended = matrix::read_cell(study.run_folder(cell));
    // Until a run of the present specification begins, its folder may hold the result of an earlier
    // specification. This result is not shown.
    if (ended && matrix::identity_mark(ended->identity) == mark) {
      study.outcomes.push_back({cell, std::move(*ended), true});
    }
  }
  if (study.outcomes.size() < study.planned) {
    study.gaps.push_back(
        fmt::format("{} of {} runs are not finished. Run 'molgauge experiment' with the same specification "
                    "to continue them.",
                    study.planned - study.outcomes.size(), study.planned));
  }
  add_specification(study);
  return study;
}

}  // namespace molgauge::report
