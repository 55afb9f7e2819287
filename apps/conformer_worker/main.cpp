// Generates conformers one after another. libmolgauge.so starts this program and sends requests over a socket
// (src/molecules/chem/conformers/messages.h). It is not meant to be started by hand.

#include <cerrno>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "molecules/chem/conformers/embedding.h"
#include "molecules/chem/conformers/messages.h"
#include "molecules/chem/rdkit_log.h"

namespace {

using namespace molgauge::chem;

ConformerReply answer(const ConformerRequest& request) {
  ConformerReply reply;
  try {
    reply.made = make_conformer(request.record, request.most_atoms, request.engine);
  } catch (const InvalidMolecule& reason) {
    reply.reason = reason.what();
  }
  return reply;
}

/// Ends this process as soon as its parent process has ended, for example because the parent was killed.
/// Otherwise RDKit would finish the current molecule and compete with a restarted run for the processors.
void end_with_the_asking_process() {
  std::thread([] {
    pollfd socket{.fd = STDIN_FILENO, .events = POLLRDHUP, .revents = 0};
    while (poll(&socket, 1, -1) < 0 && errno == EINTR) {
    }
    _exit(0);
  }).detach();
}

}  // namespace

int main() {
  end_with_the_asking_process();
  prepare_rdkit();
  bool is_wanted = send_message(STDOUT_FILENO, {});
  Message message;
  while (is_wanted && receive_message(STDIN_FILENO, message) == Received::whole) {
    const auto request = to_request(message);
    if (!request) {
      return 1;
    }
    alarm(request->seconds);  // a suspended parent cannot end this process at the deadline
    const ConformerReply reply = answer(*request);
    alarm(0);
    is_wanted = send_message(STDOUT_FILENO, to_message(reply));
  }
  return 0;
}
