#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include <sys/types.h>

#include "molecules/chem/conformers/messages.h"
#include "molecules/chem/perception.h"

namespace molgauge::chem {

/// The engine, and limits for each single molecule.
struct ConformerLimits {
  std::chrono::duration<double> deadline{60};
  std::size_t most_atoms = 1000;  ///< maximum number of atoms, including hydrogens
  ConformerEngine engine = ConformerEngine::exact;
};

/// A separate process that generates conformers, because RDKit cannot be interrupted and may never return.
/// The process starts with the first molecule. It is killed if a molecule exceeds its deadline. After a kill
/// or a crash, it restarts for the next molecule. Only the molecule that it was processing fails.
///
/// Thread safety: only one thread at a time may use an object, but threads may use different objects. The
/// separate process ends when its WorkerProcess is destroyed, and also when this process is killed.
class WorkerProcess {
 public:
  /// `program`: the path of the program, or a name that is looked up in PATH. The default is the program in
  /// the folder of Molgauge's libraries.
  explicit WorkerProcess(std::string program = own_program());
  ~WorkerProcess() { end(); }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Throws InvalidMolecule if chem::make_conformer() refuses the molecule, if the deadline passes, or if the
  /// process crashes. Throws Error if the program cannot be started, and Interrupted once the user has asked
  /// to stop.
  MadeConformer make(const MoleculeRecord& record, const ConformerLimits& limits);

  /// Number of processes that crashed or were killed at a deadline.
  std::size_t lost() const { return lost_; }
  /// ID of the running process, or 0 if no process is running.
  pid_t process() const { return process_; }

  static std::string own_program();

 private:
  void start();
  void end();
  void kill_process() const;
  [[noreturn]] void lose(const std::string& reason);
  std::string exit_reason();

  std::string program_;
  pid_t process_ = 0;
  /// Identifies the process, even if the host program waits for it and the system reuses its number. -1 if
  /// unknown.
  int process_descriptor_ = -1;
  int socket_ = -1;
  std::size_t lost_ = 0;
};

}  // namespace molgauge::chem
