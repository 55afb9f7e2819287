// docs/migrating.md says what the program does.

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "migration/old_options.h"

namespace headroom::migration {
namespace {

TEST(MigratingGuide, HasTheTableOfOptionsAsTheProgramPrintsIt) {
  const std::string guide = read_file(std::filesystem::path(HEADROOM_DOCUMENTS) / "migrating.md");
  EXPECT_NE(guide.find(old_options_as_markdown()), std::string::npos)
      << "put the output of `headroom migrate --options` under \"Every option\"";
}

}  // namespace
}  // namespace headroom::migration
