#include <map>
#include <unordered_set>
#include <utility>

#include "base/io/bytes/line_reader.h"
#include "molecules/files/molecule_formats.h"

namespace molgauge::io {
namespace {

constexpr std::string_view kEndOfBlock = "M  END", kEndOfRecord = "$$$$";
constexpr std::size_t kLargestRecord = kLongestLine;

struct SdfRecord {
  std::size_t line = 0;
  std::string block, title;
  std::map<std::string, std::string> data;
  std::vector<std::string> names;  ///< names of data fields, in their order
  std::uint64_t bytes = 0;
  bool in_block = true;
  std::string* value = nullptr;  ///< value of the data field that is being read
};

// The name of the field in "> 25 <NAME> (7)".
std::string field_name(std::string_view line) {
  const std::size_t open = line.find('<'), close = line.rfind('>');
  return open == std::string_view::npos || close < open
             ? std::string()
             : std::string(line.substr(open + 1, close - open - 1));
}

class SdfMolecules final : public MoleculeReader {
 public:
  SdfMolecules(const std::string& path, const MoleculeReaderOptions& options)
      : lines_(path, LongLines::are_cut), wanted_(options.extra_columns), own_columns_(options.own_columns) {
    refuse_smiles_column(path, options, "an SDF");
  }

  std::optional<MoleculeRow> next() override {
    auto record = read_record();
    if (!record) {
      return std::nullopt;
    }
    MoleculeRow molecule{{std::move(record->block), chem::RecordFormat::molblock, count_++, record->line,
                          lines_.file(), too_long_record(*record)},
                         {}};
    cut_long_text(molecule.record);
    for (const std::string& name : wanted_) {
      const auto found = record->data.find(name);
      molecule.fields.push_back(found != record->data.end() ? found->second
                                : name == "name"            ? record->title
                                                            : "");
    }
    if (own_columns_ != OwnColumns::none) {
      append_all(*record, molecule.fields);
    }
    return molecule;
  }

  std::vector<std::string> columns() const override { return columns_; }

 private:
  // Reads a record up to "$$$$", which is optional after the last record. White space at the end of the file
  // is not a record. If a record is too large, keeps its beginning and skips the rest.
  std::optional<SdfRecord> read_record() {
    SdfRecord record;
    bool blank = true;
    while (const auto raw = lines_.next()) {
      const std::string_view line = without_carriage_return(*raw);
      if (record.line == 0) {
        record.line = lines_.line();
        record.title = trimmed(line);
      }
      if (line.starts_with(kEndOfRecord)) {
        return record;
      }
      blank = blank && trimmed(line).empty();
      record.bytes += (lines_.cut() ? lines_.cut()->bytes : line.size()) + 1;
      if (record.bytes <= kLargestRecord) {
        take_line(record, line);
      }
    }
    return blank ? std::nullopt : std::optional(std::move(record));
  }

  static void take_line(SdfRecord& record, std::string_view line) {
    if (record.in_block) {
      record.block.append(line).push_back('\n');
      record.in_block = !line.starts_with(kEndOfBlock);
    } else if (record.value == nullptr) {
      if (line.starts_with('>')) {
        record.names.push_back(field_name(line));
        record.value = &record.data[record.names.back()];
      }
    } else if (trimmed(line).empty()) {
      record.value = nullptr;
    } else {
      record.value->append(record.value->empty() ? "" : "\n").append(line);
    }
  }

  void append_all(const SdfRecord& record, std::vector<std::string>& fields) {
    for (const std::string& name : record.names) {
      if (known_.insert(name).second) {
        columns_.push_back(name);
      }
    }
    for (const std::string& name : columns_) {
      const auto found = record.data.find(name);
      fields.push_back(found == record.data.end() ? "" : found->second);
    }
    if (!record.title.empty()) {
      fields[fields.size() - columns_.size()] = record.title;
    }
  }

  static std::string too_long_record(const SdfRecord& record) {
    return record.bytes <= kLargestRecord ? ""
                                          : "the record has " + too_long(record.bytes, kLargestRecord) +
                                                ". Is a line with $$$$ missing?";
  }

  LineReader lines_;
  std::vector<std::string> wanted_;
  OwnColumns own_columns_;
  /// Fields found so far. "name" is the title of the record. If it has no title, "name" is its data field of
  /// this name.
  std::vector<std::string> columns_ = {"name"};
  std::unordered_set<std::string> known_ = {"name"};
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<MoleculeReader> open_sdf(const std::string& path, const MoleculeReaderOptions& options) {
  return std::make_unique<SdfMolecules>(path, options);
}

}  // namespace molgauge::io
