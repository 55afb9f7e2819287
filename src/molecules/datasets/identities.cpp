#include "molecules/datasets/identities.h"

#include "base/core/session/cancellation.h"
#include "base/core/session/progress.h"
#include "base/core/threads/worker_group.h"
#include "molecules/chem/perception.h"

namespace molgauge::datasets {

Identities identify_all(const std::vector<chem::MoleculeRecord>& records, bool with_scaffolds,
                        std::size_t threads, bool quiet) {
  Identities identities;
  identities.of_record.resize(records.size());
  std::vector<std::string> reasons(records.size());
  Progress progress("read", "molecule", records.size(), quiet);
  parallel_for(records.size(), threads == 0 ? available_processors() : threads, [&](std::size_t i) {
    throw_if_cancelled();
    try {
      identities.of_record[i] = chem::identify(records[i], with_scaffolds);
    } catch (const chem::InvalidMolecule& invalid) {
      reasons[i] = invalid.what();
    }
    progress.advance(1);
  });
  progress.finish();
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!identities.of_record[i]) {
      const auto& record = records[i];
      identities.failed.push_back({record.row, record.line, record.file, record.text, reasons[i]});
    }
  }
  return identities;
}

}  // namespace molgauge::datasets
