#pragma once

#include "verb.h"

namespace molgauge::cli {

void add_commands(CLI::App& app, Verbs& verbs);

}  // namespace molgauge::cli
