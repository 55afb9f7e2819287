#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom::migration {

/// The texts that the variables of a shell script can hold, as far as its assignments and `for` loops name
/// them. Nothing is run: a variable with one assignment that is no plain text has unknown values.
class KnownValues {
 public:
  /// Takes the assignments out of a command: A=b c, export A=b, for A in b "${C[@]}", read A.
  void learn(const std::vector<std::string>& words);

  /// A=(b c), A+=(d).
  void learn_array(const std::string& name, const std::vector<std::string>& items);

  /// The texts that a word can stand for: itself, or the values of the variable that it consists of. Nothing
  /// where they are unknown.
  std::optional<std::set<std::string>> of(const std::string& word) const;

 private:
  struct Values {
    std::set<std::string> texts;
    std::set<std::string> sources;  ///< variables whose values these are, too
    bool is_unknown = false;
  };
  void add(const std::string& name, const std::string& word);
  bool collect(const std::string& name, std::set<std::string>& seen, std::set<std::string>& texts) const;

  std::map<std::string, Values> values_;
};

}  // namespace headroom::migration
