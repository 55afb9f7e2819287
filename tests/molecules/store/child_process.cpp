#include "child_process.h"

#include <cstdio>
#include <exception>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace molgauge::store::test {

pid_t start_child(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child < 0) {
    throw std::runtime_error("cannot fork");
  }
  if (child > 0) {
    return child;
  }
  bool right = false;
  try {
    right = work();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "child: %s\n", failure.what());
  }
  _exit(right ? 0 : 1);
}

std::string wait_for_child(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) {
    return "no child";
  }
  return WIFEXITED(status) ? "exit " + std::to_string(WEXITSTATUS(status))
                           : "signal " + std::to_string(WTERMSIG(status));
}

Pipe::Pipe() {
  if (pipe(ends_) != 0) {
    throw std::runtime_error("cannot make a pipe");
  }
}

Pipe::~Pipe() {
  close(ends_[0]);
  close_writing_end();
}

void Pipe::close_writing_end() {
  if (ends_[1] >= 0) {
    close(ends_[1]);
    ends_[1] = -1;
  }
}

void Pipe::send(int value) const {
  if (write(ends_[1], &value, sizeof(value)) != sizeof(value)) {
    throw std::runtime_error("cannot write to the pipe");
  }
}

bool Pipe::receive(int& value) const { return read(ends_[0], &value, sizeof(value)) == sizeof(value); }

}  // namespace molgauge::store::test
