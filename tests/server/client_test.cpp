// Tests examples/client/molgauge_client.py with a server.

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "served.h"

namespace molgauge::test {
namespace {

TEST(ServerClient, OfPythonGetsVerdictsAndFeatures) {
  const Served served;
  const std::string list = served.file("list.smi", many_molecules(300));
  ASSERT_EQ(std::system(("python3 " MOLGAUGE_EXAMPLES "/client/molgauge_client.py --server http://" +
                         served.host() + " '" + list + "' > '" + served.path("out") + "'")
                            .c_str()),
            0);
  const std::string out = read_file(served.path("out"));
  EXPECT_NE(out.find("molecule-0"), std::string::npos) << out.substr(0, 500);
  EXPECT_NE(out.find("outside"), std::string::npos);
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 300);
}

}  // namespace
}  // namespace molgauge::test
