#include "base/runtime/failure_file.h"

#include <string>
#include <vector>

#include "base/io/tables/csv_writer.h"

namespace molgauge::pipeline {

void write_failures(const std::filesystem::path& path, const FailureLog& failed, CsvTexts texts,
                    FailureColumns columns) {
  const bool with_file = columns == FailureColumns::of_several_files;
  std::vector<std::string> header = {"line", "input", "reason"};
  if (with_file) {
    header.insert(header.begin(), "file");
  }
  io::CsvWriter file(path, header, texts);
  failed.for_each([&](const FailedMolecule& molecule) {
    std::vector<std::string> cells = {std::to_string(molecule.line), molecule.text, molecule.reason};
    if (with_file) {
      cells.insert(cells.begin(), molecule.file);
    }
    file.append(cells);
    return true;
  });
  file.finish();
}

}  // namespace molgauge::pipeline
