#include "molecules/encoders/chemprop/checkpoint_values.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/tensors/pickled_array.h"

namespace molgauge::encoders::chemprop {
namespace {

using io::PickleRef;

const io::PickleEntries* entries_of(PickleRef value) {
  if (value == nullptr) {
    return nullptr;
  }
  const auto* object = value->as<io::PickleObject>();
  if (object == nullptr) {
    return io::dict_entries(value);
  }
  if (!object->entries.empty()) {
    return &object->entries;  // Lightning's AttributeDict
  }
  return object->state == nullptr ? nullptr : io::dict_entries(object->state);  // argparse.Namespace
}

const std::vector<PickleRef>* items_of(PickleRef value) {
  if (const auto* list = value->as<io::PickleList>()) {
    return &list->items;
  }
  const auto* tuple = value->as<io::PickleTuple>();
  return tuple == nullptr ? nullptr : &tuple->items;
}

/// Returns the class of an object. If the value is a class, returns the class itself. Returns null for other
/// values.
const io::PickleGlobal* class_of(PickleRef value) {
  if (const auto* type = value->as<io::PickleGlobal>()) {
    return type;
  }
  const auto* object = value->as<io::PickleObject>();
  if (object == nullptr) {
    return nullptr;
  }
  const auto* callable = object->callable->as<io::PickleGlobal>();
  // copyreg.__newobj__ and _reconstructor name the class in their arguments.
  if (callable != nullptr && (callable->module == "copyreg" || callable->module == "copy_reg")) {
    const auto* arguments = items_of(object->arguments);
    return arguments == nullptr || arguments->empty() ? nullptr : arguments->front()->as<io::PickleGlobal>();
  }
  return callable;
}

/// The text of an enumeration value such as Activation("relu") or getattr(Activation, "RELU").
const std::string* enumeration_text(PickleRef value) {
  const auto* object = value->as<io::PickleObject>();
  const auto* arguments = object == nullptr ? nullptr : items_of(object->arguments);
  const auto* text =
      arguments == nullptr || arguments->empty() ? nullptr : arguments->back()->as<std::string>();
  const bool is_enumeration =
      text != nullptr && object->callable->as<io::PickleGlobal>() != nullptr && arguments->size() <= 2;
  return is_enumeration ? text : nullptr;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

std::optional<double> number_of(PickleRef value) {
  if (const auto* integer = value->as<std::int64_t>()) {
    return static_cast<double>(*integer);
  }
  const auto* number = value->as<double>();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

/// An attribute of a module of torch.nn.
std::optional<double> attribute(PickleRef module, const char* name) {
  const auto* object = module->as<io::PickleObject>();
  const io::PickleEntries* state =
      object == nullptr || object->state == nullptr ? nullptr : io::dict_entries(object->state);
  const PickleRef value = state == nullptr ? nullptr : io::find_entry(*state, name);
  return value == nullptr ? std::nullopt : number_of(value);
}

// The defaults of chemprop and torch.nn differ.
constexpr float kChempropLeakySlope = 0.1F;
constexpr double kTorchLeakySlope = 0.01;

}  // namespace

Settings::Settings(PickleRef value, std::string name) : entries_(entries_of(value)), name_(std::move(name)) {}

PickleRef Settings::find(const char* key) const {
  const PickleRef value = entries_ == nullptr ? nullptr : io::find_entry(*entries_, key);
  return value == nullptr || value->as<io::PickleNone>() != nullptr ? nullptr : value;
}

void Settings::refuse(const char* key, const std::string& reason) const {
  throw InputError(fmt::format("{}: {}: {}", name_, key, reason));
}

std::optional<std::string> Settings::text(const char* key) const {
  const PickleRef value = find(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (const auto* text = value->as<std::string>()) {
    return *text;
  }
  if (const std::string* const text = enumeration_text(value)) {
    return *text;
  }
  refuse(key, "is not a text. Save the model again with chemprop");
}

std::optional<double> Settings::number(const char* key) const {
  const PickleRef value = find(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto number = number_of(value);
  if (!number) {
    refuse(key, "is not a number. Save the model again with chemprop");
  }
  return number;
}

std::optional<std::int64_t> Settings::integer(const char* key) const {
  const PickleRef value = find(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto* integer = value->as<std::int64_t>();
  if (integer == nullptr) {
    refuse(key, "is not a whole number. Save the model again with chemprop");
  }
  return *integer;
}

bool Settings::truth(const char* key) const {
  const PickleRef value = find(key);
  const auto* truth = value == nullptr ? nullptr : value->as<bool>();
  if (value != nullptr && truth == nullptr) {
    refuse(key, "is neither True nor False. Save the model again with chemprop");
  }
  return truth != nullptr && *truth;
}

std::vector<std::string> Settings::texts(const char* key) const {
  std::vector<std::string> texts;
  const PickleRef value = find(key);
  if (value == nullptr) {
    return texts;
  }
  const auto* items = items_of(value);
  if (items == nullptr) {
    refuse(key, "is not a list of texts. Save the model again with chemprop");
  }
  for (const PickleRef item : *items) {
    const auto* text = item->as<std::string>();
    if (text == nullptr) {
      refuse(key, "is not a list of texts. Save the model again with chemprop");
    }
    texts.push_back(*text);
  }
  return texts;
}

std::string Settings::class_name(const char* key) const {
  const PickleRef value = find(key);
  const io::PickleGlobal* const type = value == nullptr ? nullptr : class_of(value);
  if (type == nullptr) {
    refuse(key,
           "names no class, as every model of chemprop 2 does. Give a .pt or .ckpt file that chemprop has "
           "saved");
  }
  return type->name;
}

ModelActivation read_activation(const Settings& settings) {
  constexpr const char* kKey = "activation";
  const PickleRef value = settings.find(kKey);
  if (value == nullptr) {
    return {};
  }
  const io::PickleGlobal* const type = value->as<std::string>() == nullptr ? class_of(value) : nullptr;
  const bool is_module = type != nullptr && type->module.starts_with("torch.");
  const std::string name = lower(is_module ? type->name : settings.text(kKey).value_or(""));
  if (name == "relu") {
    return {};
  }
  if (name == "leakyrelu") {
    const double slope = attribute(value, "negative_slope").value_or(kTorchLeakySlope);
    return {ActivationKind::leaky_relu, is_module ? static_cast<float>(slope) : kChempropLeakySlope};
  }
  if (name == "prelu") {
    return {ActivationKind::prelu, 0};
  }
  if (name == "tanh") {
    return {ActivationKind::tanh, 0};
  }
  if (name == "elu") {
    return {ActivationKind::elu,
            is_module ? static_cast<float>(attribute(value, "alpha").value_or(1)) : 1.0F};
  }
  if (name == "selu") {
    return {ActivationKind::selu, 0};
  }
  settings.refuse(kKey,
                  fmt::format("'{}' is not supported. Train the model with relu, leakyrelu, prelu, tanh, "
                              "elu or selu",
                              name.substr(0, 40)));
}

std::vector<double> read_numbers(const Settings& settings, const char* key, const io::RandomAccess& pickle) {
  const PickleRef value = settings.find(key);
  if (value == nullptr) {
    settings.refuse(key, "is missing. Save the model again with chemprop");
  }
  std::vector<double> numbers;
  if (const auto* items = items_of(value)) {
    for (const PickleRef item : *items) {
      const auto number = number_of(item);
      if (!number) {
        settings.refuse(key, "is not a list of numbers. Save the model again with chemprop");
      }
      numbers.push_back(*number);
    }
    return numbers;
  }
  try {
    const io::TensorData array = io::read_array(io::describe_array(value), pickle);
    if (array.type == io::DataType::float64) {
      numbers.resize(array.bytes.size() / sizeof(double));
      std::memcpy(numbers.data(), array.bytes.data(), array.bytes.size());
      return numbers;
    }
    const std::vector<float> single = array.to_float32();
    return {single.begin(), single.end()};
  } catch (const InputError& problem) {
    settings.refuse(key, problem.what());
  }
}

}  // namespace molgauge::encoders::chemprop
