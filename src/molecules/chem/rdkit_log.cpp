#include "molecules/chem/rdkit_log.h"

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <sstream>

#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>

namespace molgauge::chem {
namespace {

/// Threads that use RDKit share `passage`. A thread that captures the log holds it exclusively. `turnstile`
/// prevents sharing threads from blocking the capturing thread forever.
struct Gate {
  std::mutex turnstile;
  std::shared_mutex passage;
};

Gate& gate() {
  static Gate the_gate;
  return the_gate;
}

/// Redirects the error log of RDKit into a string while the object exists.
class CapturedErrorLog {
 public:
  CapturedErrorLog()
      : log_(*rdErrorLog), former_destination_(log_.dp_dest), former_enabled_(log_.df_enabled) {
    log_.dp_dest = &text_;
    log_.df_enabled = true;
  }
  ~CapturedErrorLog() {
    log_.dp_dest = former_destination_;
    log_.df_enabled = former_enabled_;
  }
  CapturedErrorLog(const CapturedErrorLog&) = delete;
  CapturedErrorLog& operator=(const CapturedErrorLog&) = delete;
  std::string text() const { return text_.str(); }

 private:
  boost::logging::rdLogger& log_;
  std::ostream* former_destination_;
  bool former_enabled_;
  std::ostringstream text_;
};

/// The message in "[04:46:39] SMILES Parse Error: ..." without the time and the following lines.
std::string first_message(const std::string& log) {
  const std::size_t time_end = log.starts_with('[') ? log.find("] ") : std::string::npos;
  const std::size_t start = time_end == std::string::npos ? 0 : time_end + 2;
  return log.substr(start, log.find('\n', start) - start);
}

}  // namespace

void prepare_rdkit() {
  static std::once_flag prepared;
  std::call_once(prepared, [] {
    RDLog::InitLogs();
    boost::logging::disable_logs("rdApp.*");
    const std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol("C/C=C/[C@H](F)c1ccc[nH]1.[2H]Cl"));
  });
}

QuietRdkit::QuietRdkit() {
  const std::lock_guard in_turn(gate().turnstile);
  gate().passage.lock_shared();
}

QuietRdkit::~QuietRdkit() { gate().passage.unlock_shared(); }

std::string parser_complaint(const std::string& smiles) {
  const std::lock_guard in_turn(gate().turnstile);
  const std::lock_guard alone(gate().passage);
  const CapturedErrorLog log;
  const std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(smiles, 0, false));
  return first_message(log.text());
}

}  // namespace molgauge::chem
