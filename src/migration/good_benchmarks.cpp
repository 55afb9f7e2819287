#include "migration/good_benchmarks.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "migration/command_line.h"
#include "migration/shell_words.h"

namespace headroom::migration {
namespace {

constexpr std::string_view kGood = "good_";

/// The columns of the table that hold labels, without which every molecule would be in one class. For HIV and
/// PCBA GOOD orders sizes by other rules than for the values of ZINC.
void add_labels(Line& split, const std::string& molecules, const std::string& table) {
  if (molecules == "hiv") {
    split.option("--label-column", "HIV_active");
  } else if (molecules == "zinc") {
    split.option("--label-column", "logp").option("--style", "values");
  } else if (molecules == "pcba") {
    split.as_it_is(
        fmt::format("$(head -n 1 {} | tr -d '\\r' | tr , '\\n' | sed -n 's/^PCBA/--label-column &/p')",
                    shell_word(table)));
  }
}

std::string columns_of(const std::string& molecules) {
  return molecules == "hiv"    ? "smiles and HIV_active"
         : molecules == "zinc" ? "smiles and logp, the value"
         : molecules == "pcba" ? "smiles and PCBA-..., one for each task"
                               : "smiles, and a label to be named with --label-column";
}

}  // namespace

bool is_good_data_set(const std::string& name) { return lower(name).starts_with(kGood); }

GoodBenchmark make_good_benchmark(const std::string& data_set, const std::string& domain,
                                  const std::string& shift, const std::string& folder) {
  const std::string name = lower(data_set);
  const std::string molecules = name.starts_with(kGood) ? name.substr(kGood.size()) : name;
  const std::string new_shift = shift == "no_shift" ? "none" : shift;
  const std::filesystem::path place(folder);
  const std::string table = (place / (molecules + ".csv")).string();
  GoodBenchmark made;
  made.file = (place / fmt::format("good_{}_{}_{}.json", molecules, domain, new_shift)).string();
  Line split;
  split.word("headroom").word("split").word(table);
  add_labels(split, molecules, table);
  split.option("--algorithm", "good").option("--domain", domain).option("--shift", new_shift);
  split.option("--out", made.file);
  made.command = fmt::format("[ -e {} ] || {}", shell_word(made.file), split.text());
  made.remark = fmt::format(
      "the first command makes the same split from the table {} (columns {}); GOOD's own folder "
      "(GOODHIV/scaffold/processed) may be named instead of the table",
      table, columns_of(molecules));
  return made;
}

}  // namespace headroom::migration
