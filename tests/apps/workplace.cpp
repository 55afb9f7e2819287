#include "workplace.h"

#include <sstream>

#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"

namespace molgauge::test {

std::string Workplace::file(const std::string& name, const std::string& content) const {
  replace_file(folder_ / name, content);
  return path(name);
}

std::string Workplace::nci_molecules(std::size_t count) const {
  std::istringstream all(read_file("/usr/share/RDKit/Data/NCI/first_5K.smi"));
  std::string first;
  std::string line;
  for (std::size_t i = 0; i < count && std::getline(all, line); ++i) {
    first += line + "\n";
  }
  return file("nci" + std::to_string(count) + ".smi", first);
}

std::string Workplace::nci_table(std::size_t count) const {
  std::istringstream lines(read_file(nci_molecules(count)));
  std::string table = "smiles,odd\n", line;
  while (std::getline(lines, line)) {
    const std::string smiles = line.substr(0, line.find_first_of(" \t"));
    table += smiles + (smiles.find('N') == std::string::npos ? ",0\n" : ",1\n");
  }
  return file("nci" + std::to_string(count) + ".csv", table);
}

Outcome Workplace::call(std::vector<std::string> words, const std::vector<std::string>& more,
                        const CommandOptions& options) const {
  words.insert(words.end(), more.begin(), more.end());
  return molgauge(words, options);
}

Outcome Workplace::encode(const std::string& molecules, const std::vector<std::string>& more,
                          const CommandOptions& options) const {
  return call({"encode", molecules, "--encoder", "ecfp", "--store", path(store_)}, more, options);
}

Outcome Workplace::split(const std::string& molecules, const std::string& out,
                         const std::vector<std::string>& more, const CommandOptions& options) const {
  return call({"split", molecules, "--domain", "size", "--quiet", "--out", out}, more, options);
}

void Workplace::label_alternately(const std::string& benchmark) const {
  auto file = nlohmann::json::parse(read_file(benchmark));
  int label = 0;
  for (auto& part : file["split"]) {
    for (auto& item : part) {
      item["cls_label"] = label++ % 2;
    }
  }
  replace_file(benchmark, file.dump());
}

Outcome Workplace::train(const std::string& benchmark, const std::string& run,
                         const std::vector<std::string>& more, const CommandOptions& options) const {
  return call({"train", benchmark, "--run", run, "--encoder", "ecfp", "--store", path(store_)}, more,
              options);
}

Outcome Workplace::evaluate(const std::string& run, const std::vector<std::string>& more) const {
  return call({"evaluate", run, "--store", path(store_)}, more);
}

Outcome Workplace::score(const std::string& run, const std::string& molecules,
                         const std::vector<std::string>& more) const {
  return call({"score", run, molecules, "--store", path(store_)}, more);
}

}  // namespace molgauge::test
