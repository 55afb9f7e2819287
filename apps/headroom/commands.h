#pragma once

#include "verb.h"

namespace headroom::cli {

void add_commands(CLI::App& app, Verbs& verbs);

}  // namespace headroom::cli
