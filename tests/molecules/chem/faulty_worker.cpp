// This program replaces the process that makes conformers. The text of a molecule determines whether the
// program crashes, exits, hangs or gives a wrong answer, as RDKit may do.

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <unistd.h>

#include "molecules/chem/conformers/messages.h"

using namespace molgauge::chem;

int main() {
  send_message(STDOUT_FILENO, {});
  Message message;
  while (receive_message(STDIN_FILENO, message) == Received::whole) {
    const std::string text = to_request(message).value().record.text;
    if (text == "crash") {
      std::raise(SIGKILL);
    } else if (text == "leave") {
      std::exit(3);
    } else if (text == "hang") {
      std::this_thread::sleep_for(std::chrono::hours(1));
    } else if (text == "babble") {
      send_message(STDOUT_FILENO, std::as_bytes(std::span("no answer")));
      continue;
    }
    ConformerReply reply;
    if (text == "refuse") {
      reply.reason = "refused as asked";
    } else {
      reply.made = MadeConformer{{{6}, {{1, 2, 3}}}, Embedding::flat, Refinement::none};
    }
    send_message(STDOUT_FILENO, to_message(reply));
  }
  return 0;
}
