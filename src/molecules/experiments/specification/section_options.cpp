#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/text/nearest_name.h"
#include "molecules/experiments/specification/spec_sections.h"

namespace molgauge::experiment {
namespace {

/// Reads an option into a field of a request. A missing option leaves the field unchanged.
class OptionReader {
 public:
  OptionReader(TomlTable& table, const options::Option& option)
      : table_(table), option_(option), key_(option.key_in_specification()) {}

  void operator()(bool* field) { *field = table_.find<bool>(key_).value_or(*field); }
  void operator()(std::string* field) { *field = table_.find<std::string>(key_).value_or(*field); }
  void operator()(std::size_t* field) { *field = table_.find_count(key_, option_.range).value_or(*field); }

  void operator()(std::optional<std::size_t>* field) {
    if (const auto count = table_.find_count(key_, option_.range)) {
      *field = *count;
    }
  }

  void operator()(std::optional<std::string>* field) {
    if (auto text = table_.find<std::string>(key_)) {
      *field = std::move(*text);
    }
  }

  void operator()(double* field) { *field = number().value_or(*field); }

  void operator()(std::optional<double>* field) {
    if (const auto held = number()) {
      *field = *held;
    }
  }

  void operator()(const options::ChoiceField& field) {
    if (const auto word = table_.find<std::string>(key_); word && !field.set(*word)) {
      const std::vector<std::string> words(option_.words().begin(), option_.words().end());
      table_.refuse_key(key_, fmt::format("'{}' is '{}'. It takes {}{}", key_, *word, fmt::join(words, ", "),
                                          did_you_mean(*word, words)));
    }
  }

  void operator()(std::vector<std::string>* field) {
    for (const options::Value& value : table_.values(key_)) {
      field->push_back(options::to_text(value));
    }
  }

 private:
  std::optional<double> number() {
    const auto held = table_.find<double>(key_);
    if (held && option_.range && !option_.range->holds(*held)) {
      table_.refuse_key(key_, fmt::format("'{}' is {}. It takes {}", key_, *held, option_.range->words()));
    }
    return held;
  }

  TomlTable& table_;
  const options::Option& option_;
  std::string key_;
};

}  // namespace

void read_section(TomlTable& table, const options::MutableView& request, options::Section section) {
  for (const options::Option& option : request.options) {
    if (option.specification.section == section) {
      std::visit(OptionReader(table, option), request.slot(option));
    }
  }
}

}  // namespace molgauge::experiment
