#include "served.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/files/atomic_file.h"

namespace molgauge::test {
namespace {

std::string without_chunks(const std::string& body) {
  std::string plain;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t line = body.find("\r\n", at);
    const std::size_t length = std::stoul(body.substr(at, line - at), nullptr, 16);
    plain += body.substr(line + 2, length);
    at = line + 2 + length + 2;
    if (length == 0) {
      break;
    }
  }
  return plain;
}

HttpAnswer parsed(const std::string& text) {
  HttpAnswer answer;
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos) {
    return answer;
  }
  answer.status = std::stoi(text.substr(9, 3));
  answer.header = text.substr(0, end + 2);
  answer.body = text.substr(end + 4);
  if (answer.header.find("Transfer-Encoding: chunked") != std::string::npos) {
    answer.body = without_chunks(answer.body);
  }
  return answer;
}

/// The program under test. $MOLGAUGE_SERVED_PROGRAM names another one, such as an earlier version.
const char* program() {
  const char* const named = std::getenv("MOLGAUGE_SERVED_PROGRAM");
  return named == nullptr ? MOLGAUGE_PROGRAM : named;
}

std::string training_molecules() {
  std::string text = "smiles,name\n";
  int count = 0;
  for (int chain = 1; chain <= 12; ++chain) {
    for (const char* const end : {"O", "N", "C(=O)O", "C#N", "Cl"}) {
      for (const char* const ring : {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1", ""}) {
        text += std::string(ring) + std::string(static_cast<std::size_t>(chain) + 1, 'C') + end + ",m" +
                std::to_string(count++) + "\n";
      }
    }
  }
  return text;
}

}  // namespace

HttpSocket::HttpSocket(unsigned port, double seconds)
    : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  timeval patience{};
  patience.tv_sec = static_cast<time_t>(seconds);
  patience.tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(patience.tv_sec)) * 1e6);
  setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  if (connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    close(descriptor_);
    throw std::runtime_error("cannot connect to the server");
  }
}

HttpSocket::~HttpSocket() { close(descriptor_); }

void HttpSocket::send_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) {
      return;  // the server has closed the connection, and its answer says why
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string HttpSocket::read_all() const {
  std::string text;
  std::array<char, 65536> piece{};
  for (ssize_t count = 0; (count = recv(descriptor_, piece.data(), piece.size(), 0)) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
  return text;
}

std::string many_molecules(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::string(static_cast<std::size_t>(i % 50 + 1), 'C') + "N" +
            std::string(static_cast<std::size_t>(i / 50 % 50 + 1), 'C') + "O" +
            std::string(static_cast<std::size_t>(i / 2500 + 1), 'C') + " molecule-" + std::to_string(i) +
            "\n";
  }
  return text;
}

Served::Served(std::vector<std::string> more) : more_(std::move(more)) {
  // All servers of a test program get a copy of one domain.
  static const TemporaryFolder made;
  if (!std::filesystem::exists(made / "small")) {
    replace_file(made / "train.csv", training_molecules());
    replace_file(made / "one.smi", "CCO\n");
    const std::string folder = made.path().string();
    if (run("domain '" + folder + "/train.csv' '" + folder + "/one.smi' --encoder ecfp --store '" + folder +
            "/store' --save '" + folder + "/small' --out '" + folder + "/one.csv' --quiet") != 0) {
      throw std::runtime_error("the domain of the test cannot be made");
    }
  }
  std::filesystem::copy(made.path(), folder_.path(), std::filesystem::copy_options::recursive);
  start();
}

Served::~Served() {
  if (process_ > 0) {
    end(SIGKILL);
  }
}

int Served::run(const std::string& arguments) const {
  return std::system((std::string(program()) + " " + arguments + " > /dev/null").c_str());
}

std::string Served::file(const std::string& name, const std::string& content) const {
  replace_file(path(name), content);
  return path(name);
}

void Served::start() {
  std::vector<std::string> words{program(),   "serve",  "--model",     path("small"), "--port",
                                 "0",         "--work", path("work"),  "--store",     path("store"),
                                 "--threads", "2",      "--log-level", "warn"};
  words.insert(words.end(), more_.begin(), more_.end());
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  std::filesystem::remove(path("address"));
  process_ = fork();
  if (process_ == 0) {
    const int out = open(path("address").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, STDOUT_FILENO);
    execv(program(), pointers.data());
    _exit(127);
  }
  for (int tries = 0; tries < 3000; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::string text = std::filesystem::exists(path("address")) ? read_file(path("address")) : "";
    if (text.ends_with("/\n")) {
      port_ = static_cast<unsigned>(std::stoul(text.substr(text.rfind(':') + 1)));
      return;
    }
    if (!is_alive()) {
      throw std::runtime_error("the server ended at its start");
    }
  }
  throw std::runtime_error("the server does not start");
}

bool Served::is_alive() const { return kill(process_, 0) == 0 && waitpid(process_, nullptr, WNOHANG) == 0; }

void Served::signal(int signal) const { kill(process_, signal); }

int Served::end(int signal) {
  kill(process_, signal);
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string Served::raw(const std::string& bytes, double seconds) const {
  const HttpSocket socket(port_, seconds);
  socket.send_all(bytes);
  return socket.read_all();
}

HttpAnswer Served::request(const std::string& method, const std::string& target, const std::string& body,
                           Fields fields) const {
  fields.try_emplace("Host", host());
  fields.try_emplace("Connection", "close");
  if (method == "POST") {
    fields.try_emplace("Content-Length", std::to_string(body.size()));
    fields.try_emplace("Content-Type", "text/plain");
  }
  std::string bytes = method + " " + target + " HTTP/1.1\r\n";
  for (const auto& [name, value] : fields) {
    bytes += name + ": " + value + "\r\n";
  }
  return parsed(raw(bytes + "\r\n" + body, 120));
}

HttpAnswer Served::get(const std::string& target, const Fields& fields) const {
  return request("GET", target, "", fields);
}

HttpAnswer Served::post(const std::string& target, const std::string& body, const Fields& fields) const {
  return request("POST", target, body, fields);
}

nlohmann::json Served::finished(const std::string& job) const {
  for (int tries = 0; tries < 6000; ++tries) {
    const nlohmann::json state = get("/api/v1/jobs/" + job).json();
    if (state.at("state") != "waiting" && state.at("state") != "running") {
      return state;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  throw std::runtime_error("the job does not end");
}

}  // namespace molgauge::test
