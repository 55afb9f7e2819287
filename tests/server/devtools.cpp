#include "devtools.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::test {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
using net::ip::tcp;

constexpr auto kPatience = std::chrono::seconds(60);

std::string decoded_base64(const std::string& text) {
  static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char letter : text) {
    const std::size_t value = kDigits.find(letter);
    if (value == std::string::npos) {
      break;
    }
    bits = bits << 6 | static_cast<unsigned>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xFF);
    }
  }
  return bytes;
}

}  // namespace

bool has_chromium() { return std::system("command -v chromium > /dev/null 2>&1") == 0; }

struct BrowserPage::Members {
  TemporaryFolder profile;
  pid_t process = -1;
  net::io_context context;
  std::unique_ptr<beast::websocket::stream<beast::tcp_stream>> socket;
  int last = 0;
  std::vector<std::string> complaints;

  void start(int width, int height) {
    const std::string folder = "--user-data-dir=" + (profile / "profile").string();
    const std::string size = "--window-size=" + std::to_string(width) + "," + std::to_string(height);
    process = fork();
    if (process == 0) {
      setpgid(0, 0);
      const int nothing = open("/dev/null", O_RDWR);
      dup2(nothing, STDOUT_FILENO);
      dup2(nothing, STDERR_FILENO);
      unsetenv("LD_LIBRARY_PATH");  // the substitutes for LibTorch are none for Chromium
      execlp("chromium", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--remote-debugging-port=0", folder.c_str(), size.c_str(), "about:blank", nullptr);
      _exit(127);
    }
  }

  unsigned port() {
    const auto file = profile / "profile" / "DevToolsActivePort";
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < end) {
      if (std::filesystem::exists(file)) {
        const std::string text = read_file(file);
        if (text.find('\n') != std::string::npos) {
          return static_cast<unsigned>(std::stoul(text));
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    throw std::runtime_error("Chromium does not start");
  }

  void connect() {
    const std::string port_text = std::to_string(port());
    tcp::resolver resolver(context);
    const auto places = resolver.resolve("127.0.0.1", port_text);
    beast::tcp_stream stream(context);
    stream.connect(places);
    http::request<http::empty_body> request{http::verb::get, "/json/list", 11};
    request.set(http::field::host, "127.0.0.1:" + port_text);
    http::write(stream, request);
    beast::flat_buffer buffer;
    http::response<http::string_body> response;
    http::read(stream, buffer, response);
    std::string path;
    for (const auto& page : nlohmann::json::parse(response.body())) {
      if (page.at("type") == "page") {
        const std::string address = page.at("webSocketDebuggerUrl");
        path = address.substr(address.find('/', 5 + 2));
      }
    }
    socket = std::make_unique<beast::websocket::stream<beast::tcp_stream>>(context);
    beast::get_lowest_layer(*socket).connect(places);
    socket->read_message_max(0);
    socket->handshake("127.0.0.1:" + port_text, path);
  }

  void note(const nlohmann::json& event) {
    const std::string method = event.value("method", "");
    const auto& values = event.contains("params") ? event.at("params") : nlohmann::json::object();
    if (method == "Runtime.exceptionThrown" || method == "Runtime.consoleAPICalled") {
      complaints.push_back(values.dump());
    } else if (method == "Log.entryAdded" && values.at("entry").value("level", "") == "error") {
      complaints.push_back(values.at("entry").dump());
    }
  }

  nlohmann::json call(const std::string& method, const nlohmann::json& values = nlohmann::json::object()) {
    const int id = ++last;
    socket->write(net::buffer(nlohmann::json{{"id", id}, {"method", method}, {"params", values}}.dump()));
    while (true) {
      beast::flat_buffer buffer;
      socket->read(buffer);
      const auto message = nlohmann::json::parse(beast::buffers_to_string(buffer.data()));
      if (message.value("id", 0) == id) {
        if (message.contains("error")) {
          throw std::runtime_error(method + ": " + message.at("error").dump());
        }
        return message.at("result");
      }
      note(message);
    }
  }
};

BrowserPage::BrowserPage(const std::string& address, int width, int height)
    : members_(std::make_unique<Members>()) {
  members_->start(width, height);
  members_->connect();
  for (const char* const domain : {"Runtime.enable", "Log.enable", "Page.enable"}) {
    members_->call(domain);
  }
  members_->call("Emulation.setDeviceMetricsOverride",
                 {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 600}});
  members_->call("Page.navigate", {{"url", address}});
  wait_for("document.readyState === 'complete'");
}

BrowserPage::~BrowserPage() {
  kill(-members_->process, SIGKILL);
  waitpid(members_->process, nullptr, 0);
}

nlohmann::json BrowserPage::evaluate(const std::string& expression) {
  const auto result = members_->call(
      "Runtime.evaluate",
      {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}, {"userGesture", true}});
  if (result.contains("exceptionDetails")) {
    throw std::runtime_error(expression + ": " + result.at("exceptionDetails").dump());
  }
  return result.at("result").value("value", nlohmann::json());
}

void BrowserPage::wait_for(const std::string& condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end) {
    if (evaluate("Boolean(" + condition + ")") == true) {
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw std::runtime_error("this did not come true: " + condition);
}

const std::vector<std::string>& BrowserPage::complaints() const { return members_->complaints; }

void BrowserPage::screenshot(const std::string& name) {
  if (const char* const folder = std::getenv("MOLGAUGE_SCREENSHOTS")) {
    const auto picture = members_->call("Page.captureScreenshot", {{"format", "png"}});
    std::ofstream(std::string(folder) + "/" + name + ".png", std::ios::binary)
        << decoded_base64(picture.at("data").get<std::string>());
  }
}

void BrowserPage::press(const std::string& key) {
  for (const char* const type : {"keyDown", "keyUp"}) {
    nlohmann::json event{{"type", type}, {"key", key}, {"code", key}};
    if (key == "Enter") {
      event["text"] = "\r";
      event["windowsVirtualKeyCode"] = 13;
    }
    members_->call("Input.dispatchKeyEvent", event);
  }
}

}  // namespace molgauge::test
