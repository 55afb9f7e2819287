// A process that the tests kill. It encodes chains with a slow fake encoder into a feature store.
//   encode_slowly STORE MOLECULES MILLISECONDS_A_BATCH
// Exits with the code of the error if there is one.

#include <chrono>
#include <cstdio>
#include <string>

#include "base/core/error.h"
#include "fakes.h"

int main(int argc, char** argv) {
  using namespace molgauge;
  if (argc != 4) {
    return static_cast<int>(ExitCode::wrong_usage);
  }
  try {
    pipeline::test::FakeEncoder encoder;
    encoder.delay = std::chrono::milliseconds(std::stoi(argv[3]));
    const auto store = store::FeatureStore::open(argv[1], store::Access::write);
    pipeline::StoredRows table(store.table(pipeline::feature_space(encoder)));
    auto options = pipeline::test::quietly(2);
    options.batch_tokens = 128;
    const auto records = pipeline::test::chains(std::stoul(argv[2]));
    pipeline::encode_molecules(pipeline::source_of(records), encoder, table, options);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
