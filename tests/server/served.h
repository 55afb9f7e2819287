#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

#include "support/fixtures.h"

namespace molgauge::test {

struct HttpAnswer {
  int status = 0;  ///< 0 if the server closed the connection without an answer
  std::string header, body;
  nlohmann::json json() const { return nlohmann::json::parse(body); }
};

/// A connection to a port of this machine. Throws std::runtime_error if nobody listens.
class HttpSocket {
 public:
  /// `seconds`: the timeout of a read.
  HttpSocket(unsigned port, double seconds);
  ~HttpSocket();
  HttpSocket(const HttpSocket&) = delete;
  HttpSocket& operator=(const HttpSocket&) = delete;

  void send_all(std::string_view bytes) const;
  /// All bytes until the server closes.
  std::string read_all() const;

 private:
  int descriptor_;
};

/// `molgauge serve` in a separate process on a free port. The server has a domain with the name "small", with
/// 360 small molecules and the ecfp encoder.
class Served {
 public:
  explicit Served(std::vector<std::string> more = {});
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  /// Starts the server. If it has ended, restarts it with the same folder.
  void start();
  /// Sends a signal. Returns the exit code, or the negative number of the signal that ended it.
  int end(int signal);
  void signal(int signal) const;
  bool is_alive() const;

  unsigned port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Writes a file into the folder and returns its path.
  std::string file(const std::string& name, const std::string& content) const;

  using Fields = std::map<std::string, std::string>;
  HttpAnswer get(const std::string& target, const Fields& fields = {}) const;
  HttpAnswer post(const std::string& target, const std::string& body, const Fields& fields = {}) const;
  HttpAnswer request(const std::string& method, const std::string& target, const std::string& body,
                     Fields fields = {}) const;
  /// Sends the raw bytes. Reads for at most `seconds`, or until the server closes the connection.
  std::string raw(const std::string& bytes, double seconds = 20) const;
  /// Runs the program with other arguments.
  int run(const std::string& arguments) const;
  /// Waits for the end of a job.
  nlohmann::json finished(const std::string& job) const;

 private:
  TemporaryFolder folder_;
  std::vector<std::string> more_;
  pid_t process_ = -1;
  unsigned port_ = 0;
};

/// `count` different lines with a SMILES and a name.
std::string many_molecules(int count);

}  // namespace molgauge::test
