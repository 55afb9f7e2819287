#include "molecules/encoding/session/molecule_input.h"

#include <algorithm>
#include <filesystem>

#include "base/core/error.h"
#include "molecules/chem/perception.h"
#include "molecules/encoding/pipeline/file_source.h"
#include "molecules/encoding/pipeline/packing.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/files/named_table.h"

namespace molgauge::session {
namespace {

std::unique_ptr<io::MoleculeReader> open(const std::string& path, const std::string& smiles_column,
                                         io::OwnColumns own_columns = io::OwnColumns::none) {
  io::MoleculeReaderOptions options;
  options.smiles_column = smiles_column;
  options.own_columns = own_columns;
  return io::open_molecules(path, options);
}

/// Forwards the rows of a reader, and stores its columns.
class ColumnKeeper final : public io::MoleculeReader {
 public:
  ColumnKeeper(std::unique_ptr<io::MoleculeReader> reader, std::shared_ptr<std::vector<std::string>> columns)
      : reader_(std::move(reader)), columns_(std::move(columns)) {
    *columns_ = reader_->columns();
  }

  std::optional<io::MoleculeRow> next() override {
    auto row = reader_->next();
    if (row && row->fields.size() != columns_->size()) {
      *columns_ = reader_->columns();
    }
    return row;
  }
  std::optional<std::size_t> smiles_field() const override { return reader_->smiles_field(); }

 private:
  std::unique_ptr<io::MoleculeReader> reader_;
  std::shared_ptr<std::vector<std::string>> columns_;
};

/// Number of sizes that remain when the list is shortened. They take half a mebibyte.
constexpr std::size_t kSizesKept = 32768;

/// Keeps the largest kSizesKept sizes, in their original order.
void drop_small(std::vector<encoders::MoleculeSize>& sizes) {
  std::vector<encoders::MoleculeSize> sorted = sizes;
  const auto smallest_kept = sorted.begin() + kSizesKept - 1;
  std::nth_element(sorted.begin(), smallest_kept, sorted.end(),
                   [](const auto& one, const auto& other) { return one.atoms > other.atoms; });
  const std::uint64_t atoms = smallest_kept->atoms;
  auto of_that_size = std::count_if(sorted.begin(), smallest_kept + 1,
                                    [&](const encoders::MoleculeSize& size) { return size.atoms == atoms; });
  std::erase_if(sizes, [&](const encoders::MoleculeSize& size) {
    if (size.atoms == atoms && of_that_size > 0) {
      --of_that_size;
      return false;
    }
    return size.atoms <= atoms;
  });
}

/// Bytes of a text in a list, including the overhead of the heap.
std::uint64_t bytes_of(const std::string& text) {
  constexpr std::uint64_t kOfTheHeap = 16;
  return sizeof(std::string) + (text.size() < sizeof(std::string) / 2 ? 0 : text.size() + kOfTheHeap);
}

/// Adds up the bytes of the columns of records.
class ColumnBytes {
 public:
  explicit ColumnBytes(std::string name_column) : name_column_(std::move(name_column)) {}

  void add(const io::MoleculeReader& reader, const io::MoleculeRow& row, MoleculeList& list) {
    std::uint64_t bytes = 0, longest = 0;
    for (const std::string& field : row.fields) {
      bytes += bytes_of(field);
      longest = std::max<std::uint64_t>(longest, field.size());
    }
    fields_ += row.fields.size();
    if (longest > kShortName) {
      const std::uint64_t name = name_bytes(reader, row.fields);
      list.long_name_bytes += name > kShortName ? name : 0;
    }
    if (!reader.smiles_field()) {
      bytes += bytes_of(row.record.text) + bytes_of({});
    }
    list.row_bytes += bytes;
    list.longest_row = std::max(list.longest_row, bytes);
    block_ = (list.records % kRowsInBlock == 0 ? 0 : block_) + bytes + 2 * bytes_of(row.record.text);
    list.block_bytes = std::max(list.block_bytes, block_);
  }
  /// If a data field of an .sdf first occurs in a later record, the earlier records also get a cell for it.
  void end(const io::MoleculeReader& reader, MoleculeList& list) const {
    list.row_bytes += (list.records * reader.columns().size() - fields_) * bytes_of({});
  }

 private:
  std::uint64_t name_bytes(const io::MoleculeReader& reader, const std::vector<std::string>& fields) const {
    const std::vector<std::string> columns = reader.columns();
    if (name_column_.empty()) {
      return io::name_in_row(columns, fields).size();
    }
    const auto column = io::find_column(columns, name_column_);
    return column && *column < fields.size() ? fields[*column].size() : 0;
  }

  std::string name_column_;
  std::size_t fields_ = 0;
  std::uint64_t block_ = 0;
};

MoleculeList read_list(const std::string& path, const std::string& smiles_column,
                       const std::string& name_column) {
  const auto reader = open(path, smiles_column, io::OwnColumns::of_tables);
  MoleculeList list;
  ColumnBytes bytes(name_column);
  while (const auto row = reader->next()) {
    bytes.add(*reader, *row, list);
    add_record(row->record, list);
  }
  bytes.end(*reader, list);
  return list;
}

}  // namespace

std::uint64_t bytes_of_reading(const MoleculeList& molecules) {
  // the line while it grows, its fields, and the fields of the record
  return 5 * molecules.longest_row;
}

std::uint64_t bytes_of_rewriting(const MoleculeList& molecules) {
  // in addition, a copy of the fields, and the written line with its last field
  return bytes_of_reading(molecules) + 4 * molecules.longest_row;
}

void add_record(const chem::MoleculeRecord& record, MoleculeList& list) {
  ++list.records;
  list.text_bytes += record.text.size();
  list.longest_text = std::max<std::uint64_t>(list.longest_text, record.text.size());
  if (pipeline::will_be_refused(record)) {
    ++list.refused;
    return;
  }
  list.longest_molecule = std::max<std::uint64_t>(list.longest_molecule, record.text.size());
  const encoders::MoleculeSize size = pipeline::estimate_size(record);
  list.atoms += size.atoms;
  list.sizes.push_back(size);
  if (list.sizes.size() == 2 * kSizesKept) {
    drop_small(list.sizes);
  }
}

pipeline::MoleculeSource molecules_of(const std::string& path, const std::string& smiles_column) {
  if (io::is_rereadable(path)) {
    return pipeline::reopening_source([path, smiles_column] { return open(path, smiles_column); });
  }
  const std::shared_ptr<io::MoleculeReader> reader = open(path, smiles_column);
  return [reader]() -> std::optional<chem::MoleculeRecord> {
    auto row = reader->next();
    return row ? std::optional(std::move(row->record)) : std::nullopt;
  };
}

MoleculeTable table_of(const std::string& path, const std::string& smiles_column,
                       std::function<void(const io::MoleculeRow&)> see) {
  const auto columns = std::make_shared<std::vector<std::string>>();
  const auto open_table = [path, smiles_column, columns] {
    return std::make_unique<ColumnKeeper>(open(path, smiles_column, io::OwnColumns::of_tables), columns);
  };
  std::shared_ptr<io::MoleculeReader> reader = open_table();
  MoleculeTable table{columns, reader->smiles_field(), {}};
  if (io::is_rereadable(path)) {
    table.source = pipeline::reopening_source(open_table, std::move(see));
    return table;
  }
  table.source = [reader = std::move(reader), see = std::move(see)]() -> std::optional<chem::MoleculeRecord> {
    auto row = reader->next();
    if (!row) {
      return std::nullopt;
    }
    see(*row);
    return std::move(row->record);
  };
  return table;
}

MoleculeList list_molecules(const std::string& path, const std::string& smiles_column,
                            const std::string& name_column) {
  if (!io::is_rereadable(path)) {
    return {};
  }
  try {
    return read_list(path, smiles_column, name_column);
  } catch (const InputError&) {
    return {};
  }
}

MoleculeList require_molecules(const std::string& path, const std::string& smiles_column,
                               const std::string& name_column) {
  const bool is_stream = path == "-" || (std::filesystem::exists(path) &&
                                         !std::filesystem::is_directory(path) && !io::is_rereadable(path));
  if (is_stream) {
    return {};
  }
  MoleculeList list = read_list(path, smiles_column, name_column);
  if (list.records == 0) {
    throw InputError(path + ": contains no molecules. Add a row for each molecule");
  }
  return list;
}

MoleculeList list_molecules(std::span<const chem::MoleculeRecord> records) {
  MoleculeList list;
  for (const chem::MoleculeRecord& record : records) {
    add_record(record, list);
  }
  return list;
}

}  // namespace molgauge::session
