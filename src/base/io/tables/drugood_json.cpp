#include "base/io/tables/drugood_json.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/json/json_reader.h"
#include "base/io/bytes/byte_source.h"
#include "base/io/bytes/line_counting_iterator.h"
#include "base/io/bytes/line_reader.h"
#include "base/io/bytes/staged_file.h"

namespace molgauge::io {
namespace {

using Json = nlohmann::ordered_json;
using PartLines = std::array<std::vector<std::size_t>, kDrugOodParts.size()>;

// Records the line of every object in split.<part>[] while the text is parsed.
class ItemLines {
 public:
  explicit ItemLines(const std::size_t& line) : line_(line) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    if (event == Event::key && depth == 1) {
      in_split_ = value == "split";
    } else if (event == Event::key && depth == 2 && in_split_) {
      part_ = nullptr;
      for (const DrugOodPart part : kDrugOodParts) {
        if (value == to_string(part)) {
          part_ = &lines_[static_cast<std::size_t>(part)];
          part_->clear();
        }
      }
    } else if (event == Event::object_start && depth == 3 && in_split_ && part_ != nullptr) {
      part_->push_back(line_);
    }
    return true;
  }

  const PartLines& lines() const { return lines_; }

 private:
  const std::size_t& line_;
  PartLines lines_;
  std::vector<std::size_t>* part_ = nullptr;
  bool in_split_ = false;
};

// Parses one item. `where` is its position for messages.
class ItemParser {
 public:
  ItemParser(const Json& item, std::string where) : item_(item), where_(std::move(where)) {}

  DrugOodItem parse(std::size_t line) const {
    if (!item_.is_object()) {
      throw InputError(where_ + ": an object is expected");
    }
    DrugOodItem parsed;
    parsed.smiles = text("smiles");
    parsed.reg_label = number("reg_label");
    parsed.assay_id = integer("assay_id");
    parsed.domain_id = integer("domain_id");
    parsed.line = line;
    const std::int64_t label = integer("cls_label");
    if (label != 0 && label != 1) {
      fail("cls_label", "0 or 1");
    }
    parsed.cls_label = static_cast<int>(label);
    if (item_.contains("protein")) {
      parsed.protein = text("protein");
    }
    if (item_.contains("labels")) {
      parsed.labels = labels();
    }
    if (item_.contains("environment")) {
      parsed.environment = integer("environment");
    }
    return parsed;
  }

 private:
  std::string text(const char* key) const {
    const Json& value = find(key);
    if (!value.is_string()) {
      fail(key, "a text");
    }
    return value.get<std::string>();
  }

  double number(const char* key) const {
    const Json& value = find(key);
    if (!value.is_number()) {
      fail(key, "a number");
    }
    return value.get<double>();
  }

  // Some programs write 1.0 instead of 1.
  std::int64_t integer(const char* key) const {
    const double value = number(key);
    if (value != std::floor(value) || std::abs(value) > 0x1p53) {
      fail(key, "an integer");
    }
    return static_cast<std::int64_t>(value);
  }

  std::vector<std::optional<double>> labels() const {
    const Json& list = find("labels");
    const auto is_label = [](const Json& label) { return label.is_number() || label.is_null(); };
    if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_label)) {
      fail("labels", "a list of numbers and nulls");
    }
    std::vector<std::optional<double>> labels;
    for (const Json& label : list) {
      labels.push_back(label.is_null() ? std::nullopt : std::optional(label.get<double>()));
    }
    return labels;
  }

  const Json& find(const char* key) const {
    const auto found = item_.find(key);
    if (found == item_.end()) {
      throw InputError(fmt::format("{}.{}: is missing", where_, key));
    }
    return *found;
  }

  [[noreturn]] void fail(const char* key, const char* expected) const {
    throw InputError(fmt::format("{}.{}: {} is expected", where_, key, expected));
  }

  const Json& item_;
  std::string where_;
};

std::vector<DrugOodItem> parse_part(const Json& split, const std::string& path, const std::string& name,
                                    const std::vector<std::size_t>& lines) {
  const auto found = split.find(name);
  if (found == split.end() || !found->is_array()) {
    throw InputError(
        fmt::format("{}: split.{}: a list of molecules is expected (it may be empty)", path, name));
  }
  std::vector<DrugOodItem> items;
  items.reserve(found->size());
  for (std::size_t i = 0; i < found->size(); ++i) {
    // The line numbers are correct only if all items before this item are objects.
    const std::size_t line = i < lines.size() ? lines[i] : 0;
    const std::string file = line == 0 ? path : fmt::format("{}:{}", path, line);
    items.push_back(ItemParser((*found)[i], fmt::format("{}: split.{}[{}]", file, name, i)).parse(line));
  }
  return items;
}

Json to_json(const DrugOodItem& item) {
  Json json = {{"smiles", item.smiles},
               {"reg_label", item.reg_label},
               {"assay_id", item.assay_id},
               {"cls_label", item.cls_label},
               {"domain_id", item.domain_id}};
  if (item.protein) {
    json["protein"] = *item.protein;
  }
  for (const auto& label : item.labels) {
    json["labels"].push_back(label ? Json(*label) : Json());
  }
  if (item.environment) {
    json["environment"] = *item.environment;
  }
  return json;
}

}  // namespace

const char* to_string(DrugOodPart part) {
  constexpr std::array kNames = {"train", "iid_val", "iid_test", "ood_val", "ood_test"};
  return kNames[static_cast<std::size_t>(part)];
}

namespace {

/// Returns the order of the parts in the file. `split` must have every part.
std::array<DrugOodPart, kDrugOodParts.size()> order_of_parts(const Json& split) {
  std::array<DrugOodPart, kDrugOodParts.size()> order{};
  std::size_t found = 0;
  for (const auto& [name, list] : split.items()) {
    for (const DrugOodPart part : kDrugOodParts) {
      if (name == to_string(part)) {
        order.at(found++) = part;
      }
    }
  }
  return order;
}

/// Whether the name of a file is the name of a list of molecules, such as a.csv or a.smi.gz.
bool is_named_as_molecules(const std::filesystem::path& path) {
  const auto name = path.extension() == ".gz" ? path.stem() : path.filename();
  const std::string extension = name.extension().string();
  return extension == ".csv" || extension == ".tsv" || extension == ".smi" || extension == ".sdf";
}

}  // namespace

DrugOodFile read_drugood_json(const std::string& path) {
  const std::string text = read_all(path);
  std::size_t line = 1;
  ItemLines items(line);
  Json json;
  try {
    require_shallow_json(text);
    json = Json::parse(LineCountingIterator(text.data(), &line),
                       LineCountingIterator(text.data() + text.size(), &line), std::ref(items));
  } catch (const nlohmann::json::exception& error) {
    if (is_named_as_molecules(path)) {
      throw InputError(path +
                       ": is a list of molecules, not a benchmark (DrugOOD JSON). Create a benchmark with "
                       "molgauge split. molgauge train also accepts the list itself with --ood nci");
    }
    throw InputError(
        fmt::format("{}:{}: {}. A benchmark is a DrugOOD JSON file. Create one with molgauge split", path,
                    line, json_problem(error)));
  }
  if (!json.is_object() || !json.contains("split") || !json["split"].is_object()) {
    throw InputError(
        path +
        ": is not a DrugOOD file: an object with \"split\" is expected. Make one with: molgauge split");
  }
  DrugOodFile content;
  content.cfg = json.value("cfg", Json::object());
  content.statistics = json.value("statistics", Json::object());
  for (const DrugOodPart part : kDrugOodParts) {
    content[part] =
        parse_part(json["split"], path, to_string(part), items.lines()[static_cast<std::size_t>(part)]);
  }
  content.order = order_of_parts(json["split"]);
  return content;
}

void write_drugood_json(const std::filesystem::path& path, const DrugOodFile& content) {
  StagedFile file(path);
  const auto dump = [](const Json& json) { return json.is_null() ? std::string("{}") : json.dump(); };
  try {
    file.append("{\"cfg\": " + dump(content.cfg) + ",\n\"split\": {");
    for (const DrugOodPart part : content.order) {
      file.append(fmt::format("{}\n\"{}\": [", part == content.order.front() ? "" : ",", to_string(part)));
      const char* separator = "\n";
      for (const DrugOodItem& item : content[part]) {
        file.append(separator + dump(to_json(item)));
        separator = ",\n";
      }
      file.append("]");
    }
    file.append("},\n\"statistics\": " + dump(content.statistics) + "}\n");
  } catch (const nlohmann::json::exception& error) {
    throw Error(path.string() + ": cannot write: " + json_problem(error));
  }
  file.commit();
}

}  // namespace molgauge::io
