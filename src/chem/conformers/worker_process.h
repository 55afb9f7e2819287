#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include <sys/types.h>

#include "chem/conformers/messages.h"
#include "chem/perception.h"

namespace headroom::chem {

/// The limits that hold for each molecule by itself.
struct ConformerLimits {
  std::chrono::duration<double> deadline{60};
  std::size_t most_atoms = 1000;  ///< hydrogens counted
};

/// A process of its own that makes conformers, since RDKit can neither be told to stop nor be trusted to come
/// back: it is started with the first molecule, ended at a deadline, and started anew after it has died. A
/// molecule that ends it fails alone.
///
/// Thread safety: one thread at a time; as many objects side by side as there are threads. The processes end
/// with their objects, and by themselves where this process is killed.
class WorkerProcess {
 public:
  /// `program`: with its path, or by name to be looked for in PATH. By default the one that lies beside
  /// Headroom's libraries.
  explicit WorkerProcess(std::string program = own_program());
  ~WorkerProcess() { end(); }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Throws InvalidMolecule with the reason: that of chem::make_conformer, a deadline, a crash. Throws Error
  /// when the program cannot be started, Interrupted once the user has asked to stop.
  MadeConformer make(const MoleculeRecord& record, const ConformerLimits& limits);

  /// Processes that died, or were ended at a deadline.
  std::size_t lost() const { return lost_; }
  /// Of the process that runs; 0: none does.
  pid_t process() const { return process_; }

  static std::string own_program();

 private:
  void start();
  void end();
  [[noreturn]] void lose(const std::string& reason);
  std::string cause_of_death();

  std::string program_;
  pid_t process_ = 0;
  int socket_ = -1;
  std::size_t lost_ = 0;
};

}  // namespace headroom::chem
