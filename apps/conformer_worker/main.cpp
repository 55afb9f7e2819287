// Embeds molecules in three dimensions, one after the other, for a process that sends requests over a socket
// (src/chem/conformers/messages.h). It is not meant to be started by hand.

#include <unistd.h>

#include "chem/conformers/embedding.h"
#include "chem/conformers/messages.h"
#include "chem/rdkit_log.h"

namespace {

using namespace headroom::chem;

ConformerReply answer(const ConformerRequest& request) {
  ConformerReply reply;
  try {
    reply.made = make_conformer(request.record, request.most_atoms);
  } catch (const InvalidMolecule& reason) {
    reply.reason = reason.what();
  }
  return reply;
}

}  // namespace

int main() {
  prepare_rdkit();
  bool is_wanted = send_message(STDOUT_FILENO, {});
  Message message;
  while (is_wanted && receive_message(STDIN_FILENO, message) == Received::whole) {
    const auto request = to_request(message);
    if (!request) {
      return 1;
    }
    alarm(request->seconds);  // the process that asked may have ended by then
    const ConformerReply reply = answer(*request);
    alarm(0);
    is_wanted = send_message(STDOUT_FILENO, to_message(reply));
  }
  return 0;
}
