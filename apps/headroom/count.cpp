#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "verb.h"

namespace headroom::cli {

void run(const CountRequest& request) {
  const CountReport report = load_engine().run(request);
  print_result("{}: {}, {} invalid\n", request.molecules, counted(report.records, "record"), report.refused);
}

}  // namespace headroom::cli
