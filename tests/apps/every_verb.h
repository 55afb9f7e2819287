#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/options/option.h"

namespace molgauge::test {

/// A verb, its options, and valid values of these options.
struct VerbOfFiles {
  std::vector<std::string> words;
  std::span<const options::Option> options;
  std::map<std::string, std::vector<std::string>> inputs;   ///< suitable file names for each option
  std::map<std::string, std::vector<std::string>> endings;  ///< accepted endings of output files for each
                                                            ///< option
  std::vector<std::string> more = {};
  double weight = 1;
  std::string always = {};  ///< an optional input that every call has
};

/// Every verb, some several times with other inputs. Names of inputs are files that
/// make_inputs_of_every_verb() writes.
std::vector<VerbOfFiles> verbs_of_files();

/// The name of models in the folder `weights`.
inline constexpr const char* kInstalled = "admet-ai";

/// Fills a folder with inputs of all verbs and with results of earlier calls. The names of the inputs share
/// stems. Fails the test if a call ends with an error.
void make_inputs_of_every_verb(const std::filesystem::path& folder);

}  // namespace molgauge::test
