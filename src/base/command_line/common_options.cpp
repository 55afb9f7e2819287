#include <fmt/format.h>

#include "base/command_line/command.h"
#include "base/command_line/engine_loader.h"
#include "base/core/error.h"

namespace molgauge::cli {
namespace {

std::string known_encoders() {
  try {
    std::string text = "Encoders:\n";
    for (const EncoderInfo& encoder : load_engine().run(ListEncodersRequest{})) {
      text += fmt::format("  {:<12}{}. {} numbers\n", encoder.name, encoder.summary, encoder.width);
    }
    return text;
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

std::shared_ptr<bool> add_json(CLI::App& command) {
  auto json = std::make_shared<bool>(false);
  put_in(
      command.add_flag("--json", *json, "Print JSON instead of text. docs/reference/formats.md describes it"),
      options::Group::output);
  return json;
}

void end_with_encoders(CLI::App& command, const std::string& note) {
  command.footer([note] { return note + (note.empty() ? "" : "\n\n") + known_encoders(); });
}

}  // namespace molgauge::cli
