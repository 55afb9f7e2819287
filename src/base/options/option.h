#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/options/file_use.h"
#include "base/options/group.h"
#include "base/options/names.h"
#include "base/options/range.h"
#include "molgauge/choices.h"

/// The option tables. A table has one row for each option, and the row contains all facts about the option.
/// The command line, specifications, config.json, checks and the identities of results are derived from the
/// rows. A new option needs three additions: a field in a request, a row in a table, and code that uses the
/// field.
namespace molgauge::options {

/// Reads and writes the word of a field whose type is a choice (molgauge/choices.h) or an optional choice.
/// The word is empty if the optional has no value.
struct ChoiceType {
  bool is_optional = false;
  std::string (*read)(const void* field) = nullptr;
  bool (*write)(void* field, std::string_view word) = nullptr;  ///< returns false if the word is unknown
};

/// A pointer to a field that is a choice. ChoiceType tells how to read and write the field.
struct ConstChoiceField {
  const void* field = nullptr;
  const ChoiceType* type = nullptr;

  const ConstChoiceField& operator*() const { return *this; }
  std::string word() const { return type->read(field); }
  bool operator==(const ConstChoiceField& other) const { return word() == other.word(); }
};

struct ChoiceField {
  void* field = nullptr;
  const ChoiceType* type = nullptr;

  const ChoiceField& operator*() const { return *this; }
  std::string word() const { return type->read(field); }
  bool set(std::string_view word) const { return type->write(field, word); }
};

/// A pointer to the field of an option. The type of the pointer gives the type of the option.
using Slot =
    std::variant<bool*, std::size_t*, double*, std::string*, std::optional<std::size_t>*,
                 std::optional<double>*, std::optional<std::string>*, std::vector<std::string>*, ChoiceField>;
using ConstSlot =
    std::variant<const bool*, const std::size_t*, const double*, const std::string*,
                 const std::optional<std::size_t>*, const std::optional<double>*,
                 const std::optional<std::string>*, const std::vector<std::string>*, ConstChoiceField>;

template <typename Field>
inline constexpr bool kIsChoice = false;
template <Choice Enum>
inline constexpr bool kIsChoice<Enum> = true;
template <Choice Enum>
inline constexpr bool kIsChoice<std::optional<Enum>> = true;

/// Returns the words that a field accepts. The list is empty if the field is not a choice.
template <typename Field>
constexpr Names words_of_field() {
  if constexpr (Choice<Field>) {
    const std::span<const std::string_view> words = kWords<Field>;
    return Names(words.front().empty() ? words.subspan(1) : words);
  } else if constexpr (kIsChoice<Field>) {
    return words_of_field<typename Field::value_type>();
  } else {
    return {};
  }
}

template <Choice Enum>
bool set_word(Enum& value, std::string_view word) {
  const auto found = from_word<Enum>(word);
  value = found.value_or(value);
  return found.has_value();
}
template <Choice Enum>
bool set_word(std::optional<Enum>& value, std::string_view word) {
  value = from_word<Enum>(word);
  return value.has_value() || word.empty();
}

template <typename Field>
inline constexpr ChoiceType kChoiceType = {
    !Choice<Field>, [](const void* field) { return to_string(*static_cast<const Field*>(field)); },
    [](void* field, std::string_view word) { return set_word(*static_cast<Field*>(field), word); }};

template <typename Field>
Slot slot_of(Field& field) {
  if constexpr (kIsChoice<Field>) {
    return ChoiceField{&field, &kChoiceType<Field>};
  } else {
    return &field;
  }
}
template <typename Field>
ConstSlot slot_of(const Field& field) {
  if constexpr (kIsChoice<Field>) {
    return ConstChoiceField{&field, &kChoiceType<Field>};
  } else {
    return &field;
  }
}

/// Finds the field of an option in a request. `request` must point to a request of the verb to which the
/// option belongs.
struct Access {
  Slot (*writable)(void* request) = nullptr;
  ConstSlot (*readable)(const void* request) = nullptr;
  Names words = {};  ///< the words, if the field is a choice
};

template <auto first, auto... rest>
constexpr auto& reach(auto& request) {
  if constexpr (sizeof...(rest) == 0) {
    return request.*first;
  } else {
    return reach<rest...>(request.*first);
  }
}

/// Accesses a field through a path of members: field<TrainRequest, &TrainRequest::compute,
/// &ComputeOptions::device>.
template <typename Request, auto... path>
inline constexpr Access field = {
    [](void* request) { return slot_of(reach<path...>(*static_cast<Request*>(request))); },
    [](const void* request) { return slot_of(reach<path...>(*static_cast<const Request*>(request))); },
    words_of_field<std::remove_cvref_t<decltype(reach<path...>(std::declval<Request&>()))>>()};

/// A condition on the value of another option.
struct Condition {
  /// The name of the other option, which is a text or a flag. If empty, there is no condition.
  std::string_view option = {};
  Names values = {};  ///< values that meet the condition. If the list is empty, every nonempty value meets it
  /// If true, the other option must have one of `values`. If false, it must have another value.
  bool is_wanted = true;
  /// The end of the message if the condition does not hold, such as "it belongs to the loss dpo".
  std::string_view remark = {};
};

/// The key of an option in config.json of a run folder.
struct ConfigKey {
  std::string_view name = {};  ///< if empty, the option is not in config.json
  /// Whether config.json may lack the key. The option then has its default. This is set for keys
  /// that runs of the Python project lack.
  bool may_be_missing = false;
  /// The key is only a remark for readers. Results are reused even if its value differs.
  bool is_remark = false;
};

/// The identity to which an option belongs. Results are stored with their identity. A later call reuses them
/// only if its identity is equal.
enum class Part {
  none,  ///< no identity, because no result depends on the option
  /// The option affects the trained energy head or pocket encoder. A training continues from a checkpoint
  /// only if the checkpoint has the same value of the option.
  training,
  /// The option sets the length of a training. A training may continue from a checkpoint that has another
  /// value.
  length,
  classifier,  ///< the option affects the results of every baseline
  /// The option affects the baselines whose classifier maximises the area under the ROC curve.
  auc_margin,
  detector,  ///< the option affects every baseline after its classifier is trained
  draw,      ///< the option affects which molecules are drawn from a benchmark
};

struct Identity {
  Part part = Part::none;
  std::string_view label = {};
};

/// The section of a specification in which the option may occur.
enum class Section { none, matrix, benchmark, method };

struct Place {
  Section section = Section::none;
  std::string_view key = {};  ///< if empty, the key is the name of the option
};

/// The unit of an option for a size. The value can be given with a unit, such as 24GiB.
inline constexpr std::string_view kBytes = "bytes";

struct Option {
  /// Name without dashes ("grad-clip"). The name of a positional argument is in capitals ("MOLECULES").
  std::string_view name;
  Access field;
  Group group = Group::none;
  std::string_view help = {};

  bool is_common = false;  ///< whether --help shows the option. --help-all shows all options
  /// If set, --help shows the option only if this condition holds. Commands always accept the option.
  Condition shown_with = {};
  bool is_required = false;
  bool clears = false;      ///< the flag sets its field to false, such as --restart for the field `resume`
  bool is_in_plan = false;  ///< the option affects memory, so `molgauge memory plan` has it, too
  /// The range of a number. The value of a text option with a range is one of `choices` or a whole number in
  /// the range.
  std::optional<NumericRange> range = {};
  std::string_view unit = {};  ///< unit of the number: "seconds", "atoms" or kBytes, for example
  Names choices = {};          ///< accepted values of a text. If empty, the verb checks the text
  Names needs = {}, excludes = {};
  std::array<Condition, 2> conditions = {};

  /// How the verb uses the files of the option.
  FileUse files = {};

  Place specification = {};
  ConfigKey config = {};
  Identity identity = {};

  /// Returns the words that the option accepts. The list is empty for a number, a flag and a text that the
  /// verb checks.
  const Names& words() const { return field.words.empty() ? choices : field.words; }
  bool is_positional() const { return name.front() >= 'A' && name.front() <= 'Z'; }
  std::string_view key_in_specification() const {
    return specification.key.empty() ? name : specification.key;
  }
};

/// The options of a request with their values.
struct View {
  std::span<const Option> options;
  const void* request = nullptr;

  ConstSlot slot(const Option& option) const { return option.field.readable(request); }
};

struct MutableView {
  std::span<const Option> options;
  void* request = nullptr;

  Slot slot(const Option& option) const { return option.field.writable(request); }
  operator View() const { return {options, request}; }  // NOLINT(google-explicit-constructor)
};

/// Returns the row with that name, or null.
const Option* find_option(std::span<const Option> options, std::string_view name);

/// Returns the row with that name. Throws std::logic_error if there is none.
const Option& option_named(std::span<const Option> options, std::string_view name);

/// Returns the value as typed on the command line: true, 50, 0.1, dpo. Returns "default" for an optional
/// number without a value. The items of a list are separated by commas.
std::string to_text(const ConstSlot& slot);

}  // namespace molgauge::options
