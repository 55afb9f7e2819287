#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/io/bytes/random_access.h"
#include "base/io/pickle/pickle_lookup.h"
#include "molecules/encoders/chemprop/model.h"

namespace molgauge::encoders::chemprop {

/// The settings of a checkpoint: a dict, a dict with attributes, or an argparse.Namespace. A missing key
/// counts as None. The methods throw InputError with the file and the key if a value has another type.
class Settings {
 public:
  /// `value`: may be null if there are no settings. `name`: the file, and the name of the settings if they
  /// have one.
  Settings(io::PickleRef value, std::string name);

  bool has(const char* key) const { return find(key) != nullptr; }
  /// Returns the value of a key, or null if it is missing or None.
  io::PickleRef find(const char* key) const;
  Settings inner(const char* key) const { return {find(key), name_ + ": " + key}; }

  std::optional<std::string> text(const char* key) const;
  std::optional<std::int64_t> integer(const char* key) const;
  std::optional<double> number(const char* key) const;
  bool truth(const char* key) const;
  /// Returns the texts of a list or tuple, or an empty list if there is none.
  std::vector<std::string> texts(const char* key) const;
  /// Returns the name of the class under `key`. If the value is an object, returns the name of its class.
  /// Throws InputError for other values.
  std::string class_name(const char* key) const;

  const std::string& name() const { return name_; }
  [[noreturn]] void refuse(const char* key, const std::string& reason) const;

 private:
  const io::PickleEntries* entries_ = nullptr;
  std::string name_;
};

/// The activation in a setting: a text, a value of the enumeration of chemprop, or a module of torch.nn.
/// Returns ReLU if there is none. The slope of PReLU is a parameter, which the caller reads. Throws
/// InputError if the activation is not supported.
ModelActivation read_activation(const Settings& settings);

/// Reads the numbers of a list, tuple or NumPy array. `pickle`: the bytes of the pickle. Throws InputError.
std::vector<double> read_numbers(const Settings& settings, const char* key, const io::RandomAccess& pickle);

}  // namespace molgauge::encoders::chemprop
