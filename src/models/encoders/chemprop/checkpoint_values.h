#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/io/bytes/random_access.h"
#include "data/io/pickle/pickle_lookup.h"
#include "models/encoders/chemprop/model.h"

namespace headroom::encoders::chemprop {

/// The settings of a checkpoint: a dict, a dict with attributes, or an argparse.Namespace. A key that is
/// absent or None has no value. A value of another kind throws InputError, its text starting with the file
/// and the key.
class Settings {
 public:
  /// `value` may be null: no settings. `name`: of the file, and of the settings if they have a name.
  Settings(io::PickleRef value, std::string name);

  bool has(const char* key) const { return find(key) != nullptr; }
  /// The value that is not None, else null.
  io::PickleRef find(const char* key) const;
  Settings inner(const char* key) const { return {find(key), name_ + ": " + key}; }

  std::optional<std::string> text(const char* key) const;
  std::optional<std::int64_t> integer(const char* key) const;
  std::optional<double> number(const char* key) const;
  bool truth(const char* key) const;
  /// Texts of a list or tuple. Empty if there is none.
  std::vector<std::string> texts(const char* key) const;
  /// The name of the class that `key` holds or is an object of. Throws InputError for other values.
  std::string class_name(const char* key) const;

  const std::string& name() const { return name_; }
  [[noreturn]] void refuse(const char* key, const std::string& reason) const;

 private:
  const io::PickleEntries* entries_ = nullptr;
  std::string name_;
};

/// The activation in a setting: a text, a member of chemprop's enumeration, or a module of torch.nn. The
/// slope of PReLU is a parameter, which the caller reads. ReLU if there is none. Throws InputError if it is
/// not supported.
ModelActivation read_activation(const Settings& settings);

/// The numbers of a list, tuple or NumPy array. `pickle`: the bytes of the pickle. Throws InputError.
std::vector<float> read_numbers(const Settings& settings, const char* key, const io::RandomAccess& pickle);

}  // namespace headroom::encoders::chemprop
