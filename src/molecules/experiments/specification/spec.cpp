#include "molecules/experiments/specification/spec.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/core/files/input_descriptor.h"
#include "molecules/experiments/specification/method_kinds.h"
#include "molecules/experiments/specification/spec_sections.h"
#include "molecules/experiments/specification/toml_reader.h"
#include "molecules/experiments/specification/unquoted_letters.h"

namespace molgauge::experiment {
namespace {

/// Throws if the specification has shared options that no method uses.
void require_effect(TomlTable& root, const Spec& spec) {
  for (const MethodKind& kind : method_kinds()) {
    const auto section = root.table(kind.section);
    const auto any_method = [&](const auto& looks) {
      return std::any_of(spec.methods.begin(), spec.methods.end(), [&](const MethodSpec& method) {
        return method_kind(method.kind).name == kind.name && looks(method);
      });
    };
    if (section && !kind.noun.empty() && !any_method([](const MethodSpec&) { return true; })) {
      refuse(section->file(), section->line(),
             fmt::format("[{}] has no effect, because no method is {}. Remove it", kind.section, kind.noun));
    }
    const auto shared = spec.shared.find(kind.section);
    if (shared == spec.shared.end()) {
      continue;
    }
    for (const OptionRange& option : shared->second) {
      const auto looks = [&](const MethodSpec& method) {
        return kind.looks_at == nullptr || kind.looks_at(option.name, method.kind);
      };
      if (!any_method(looks)) {
        section->refuse_key(
            option.name,
            fmt::format("'{}' has no effect, because no method uses it. Remove it", option.name));
      }
    }
  }
}

template <typename Named>
void require_distinct(const std::string& file, const std::vector<Named>& all, const char* what) {
  std::set<std::string> names;
  for (const auto& one : all) {
    if (!names.insert(one.name).second) {
      refuse(file, one.line, fmt::format("two {} have the name '{}'. Rename one of them", what, one.name));
    }
  }
}

/// Throws if a method names an encoder that the matrix does not have, or if an encoder has no method.
void require_encoders(const Spec& spec) {
  for (const MethodSpec& method : spec.methods) {
    for (const std::string& encoder : method.encoders) {
      if (std::find(spec.encoders.begin(), spec.encoders.end(), encoder) == spec.encoders.end()) {
        refuse(spec.file, method.line,
               fmt::format("method '{}' is for the encoder '{}', which [matrix] does not list", method.name,
                           encoder));
      }
    }
  }
  for (const std::string& encoder : spec.encoders) {
    if (std::none_of(spec.methods.begin(), spec.methods.end(),
                     [&](const MethodSpec& method) { return method.is_for(encoder); })) {
      refuse(spec.file, spec.encoders_line, fmt::format("no method is for the encoder '{}'", encoder));
    }
  }
}

void require_filled(const Spec& spec) {
  if (spec.encoders.empty()) {
    refuse(spec.file, 1, "[matrix] needs encoders, for example encoders = [\"minimol\"]");
  }
  if (spec.benchmarks.empty()) {
    refuse(spec.file, 1, "needs at least one [[benchmark]]");
  }
  if (spec.methods.empty()) {
    refuse(spec.file, 1,
           "needs at least one [[method]], for example with name = \"energy-dpo\" and loss = \"dpo\"");
  }
  require_distinct(spec.file, spec.benchmarks, "benchmarks");
  require_distinct(spec.file, spec.methods, "methods");
  require_encoders(spec);
}

Spec read_sections(const toml::table& table, const std::string& file, const std::filesystem::path& data) {
  TomlTable root(table, file);
  Spec spec;
  spec.file = file;
  spec.title = root.find<std::string>("title").value_or("");
  auto matrix = root.tables("matrix");
  if (matrix.size() != 1) {
    refuse(file, 1, "needs one [matrix] with encoders = [...] and seeds = [...]");
  }
  read_matrix(matrix.front(), spec);
  std::string sections;
  for (const MethodKind& kind : method_kinds()) {
    sections += "[" + kind.section + "], ";
    if (auto section = root.table(kind.section)) {
      spec.shared[kind.section] = read_options(*section, kind, kind.name);
    }
  }
  for (auto& benchmark : root.tables("benchmark")) {
    spec.benchmarks.push_back(read_benchmark(benchmark, data));
  }
  for (auto& method : root.tables("method")) {
    spec.methods.push_back(read_method(method));
  }
  if (auto hard_pairs = root.table("hard-pairs")) {
    spec.hard_pairs = read_hard_pairs(*hard_pairs);
  }
  require_effect(root, spec);
  root.require_nothing_else("title, [matrix], " + sections + "[[benchmark]], [[method]], [hard-pairs]");
  require_filled(spec);
  return spec;
}

}  // namespace

bool MethodSpec::is_for(const std::string& encoder) const {
  return encoders.empty() || std::find(encoders.begin(), encoders.end(), encoder) != encoders.end();
}

Spec read_spec(const std::filesystem::path& path, const std::filesystem::path& data) {
  const std::string text = read_input_file(path), file = path.string();
  try {
    // Throws if the text has a syntax error. Ignores letters beyond ASCII.
    static_cast<void>(toml::parse(with_ascii_letters(text), file));
    refuse_unquoted_letters(text, file);
    Spec spec = read_sections(toml::parse(text, file), file, data.empty() ? path.parent_path() : data);
    spec.text = text;
    return spec;
  } catch (const toml::parse_error& problem) {
    refuse(file, problem.source().begin.line,
           std::string(problem.description()) + ". A specification is a TOML file");
  }
}

}  // namespace molgauge::experiment
