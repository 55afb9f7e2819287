// Tests requests that no browser and no well-behaved program sends. The server refuses them with the right
// status and stays alive.

#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "served.h"

namespace molgauge::test {
namespace {

using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;

class HostileRequests : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(served_.get("/api/v1/health").status, 200) << "the server does not work";
  }
  std::string with_host(const std::string& first_line, const std::string& fields = "") const {
    return first_line + " HTTP/1.1\r\nHost: " + served_.host() + "\r\nConnection: close\r\n" + fields +
           "\r\n";
  }
  Served served_{
      {"--max-body", "100KiB", "--max-molecules", "1000", "--max-waiting", "4", "--max-connections", "64"}};
};

TEST_F(HostileRequests, OfOtherSites) {
  EXPECT_EQ(served_.get("/api/v1/health", {{"Host", "evil.example"}}).status, 421);
  EXPECT_EQ(served_.get("/api/v1/health", {{"Host", "127.0.0.1.evil.example"}}).status, 421);
  EXPECT_EQ(served_.get("/api/v1/health", {{"Host", ""}}).status, 421);
  EXPECT_EQ(served_.get("/api/v1/health", {{"Origin", "http://evil.example"}}).status, 403);
  EXPECT_EQ(served_.post("/api/v1/domain", "CCO", {{"Origin", "null"}}).status, 403);
  EXPECT_EQ(served_.post("/api/v1/domain", "CCO", {{"Sec-Fetch-Site", "cross-site"}}).status, 403);
  EXPECT_EQ(served_.post("/api/v1/domain", "CCO", {{"Origin", "http://" + served_.host()}}).status, 200);
  EXPECT_EQ(served_.post("/api/v1/domain", "CCO", {{"Origin", "http://127.0.0.1:3000"}}).status, 403);
  EXPECT_EQ(served_.post("/api/v1/domain", "CCO", {{"Origin", "https://" + served_.host()}}).status, 403);
  for (const char* const site : {"cross-site", "same-site"}) {
    for (const char* const target : {"/api/v1/depict?smiles=CCO", "/api/v1/models", "/metrics"}) {
      EXPECT_EQ(served_.get(target, {{"Sec-Fetch-Site", site}}).status, 403) << target;
    }
    EXPECT_EQ(served_.get("/", {{"Sec-Fetch-Site", site}}).status, 200) << "a link from another site";
  }
  EXPECT_THAT(served_.raw("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n"),
              HasSubstr(" 400 "));
}

TEST_F(HostileRequests, AreAnsweredWhileTheClientStillSends) {
  for (int i = 0; i < 3; ++i) {
    const std::string body(30'000'000, 'C');
    const std::string answer = served_.raw(
        with_host("POST /api/v1/domain",
                  "Content-Type: text/plain\r\nContent-Length: " + std::to_string(body.size()) + "\r\n") +
        body);
    EXPECT_THAT(answer, HasSubstr(" 413 "));
    EXPECT_THAT(answer, HasSubstr("bytes that this server accepts")) << "the answer is lost";
  }
}

TEST_F(HostileRequests, TooLarge) {
  EXPECT_EQ(served_.post("/api/v1/domain", std::string(200'000, 'C')).status, 413);
  std::string many;
  for (int i = 0; i < 2000; ++i) {
    many += "CCO\n";
  }
  EXPECT_THAT(served_.post("/api/v1/domain", many).status, AnyOf(413, 422));
  EXPECT_THAT(served_.raw(with_host("GET /", "X: " + std::string(20'000, 'x') + "\r\n")), HasSubstr(" 431 "));
  std::string flood;
  for (int i = 0; i < 3000; ++i) {
    flood += "X-" + std::to_string(i) + ": y\r\n";
  }
  EXPECT_THAT(served_.raw(with_host("GET /", flood)), HasSubstr(" 431 "));
  std::string just_above;
  for (int i = 0; i < 170; ++i) {
    just_above += "X-" + std::to_string(100 + i) + ": " + std::string(90, 'y') + "\r\n";
  }
  EXPECT_THAT(served_.raw(with_host("GET /", just_above)), HasSubstr(" 431 ")) << just_above.size();
  // An endless body, in pieces.
  std::string endless =
      with_host("POST /api/v1/domain", "Transfer-Encoding: chunked\r\nContent-Type: text/plain\r\n");
  for (int i = 0; i < 100; ++i) {
    endless += "1000\r\n" + std::string(0x1000, 'C') + "\r\n";
  }
  EXPECT_THAT(served_.raw(endless), HasSubstr(" 413 "));
  EXPECT_THAT(served_.raw(with_host("POST /api/v1/domain", "Content-Length: 99999999999999999999\r\n")),
              HasSubstr(" 400 "));
  EXPECT_EQ(served_.request("GET", "/", "body", {{"Content-Length", "4"}}).status, 413);
}

TEST_F(HostileRequests, Malformed) {
  for (const std::string& bytes :
       {std::string("nonsense\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("\x16\x03\x01\x02", 4) + "\r\n\r\n", std::string("GET / HTTP/1.1\r\nHost : x\r\n\r\n"),
        std::string("GET /\0 HTTP/1.1\r\n\r\n", 20)}) {
    EXPECT_THAT(served_.raw(bytes, 3), AnyOf(Eq(""), HasSubstr(" 400 "), HasSubstr(" 421 ")));
  }
  for (const char* const target : {"/%", "/%zz", "/api/v1/depict?smiles=%ff%fe", "/%c0%ae%c0%ae/"}) {
    EXPECT_THAT(served_.raw(with_host("GET " + std::string(target))), HasSubstr(" 400 ")) << target;
  }
  EXPECT_THAT(served_.raw(with_host("BREW /")), HasSubstr(" 405 "));
  EXPECT_EQ(served_.post("/api/v1/domain", "\xff\xfe\x80").status, 422);
  EXPECT_EQ(served_.post("/api/v1/domain", std::string("CC\0O", 4)).status, 422) << "as by a job";
  std::string deep;
  for (int i = 0; i < 30'000; ++i) {
    deep += "[";
  }
  EXPECT_EQ(served_.post("/api/v1/domain", deep, {{"Content-Type", "application/json"}}).status, 422);
}

TEST_F(HostileRequests, ForFilesOfTheMachine) {
  for (const char* const target :
       {"/../../../../etc/passwd", "/page/../../etc/passwd", "/page/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
        "/page/..%2f..%2fetc%2fpasswd", "/api/v1/jobs/../../etc/passwd",
        "/api/v1/jobs/%2e%2e%2f%2e%2e/result", "/page/", "/page//style.css"}) {
    EXPECT_THAT(served_.raw(with_host("GET " + std::string(target))), HasSubstr(" 404 ")) << target;
  }
}

TEST_F(HostileRequests, MarkupIsData) {
  const HttpAnswer answer = served_.post("/api/v1/domain", "CCO <img src=x onerror=alert(1)>\n");
  EXPECT_EQ(answer.json().at("rows")[0].at("name"), "<img src=x onerror=alert(1)>");
  EXPECT_THAT(answer.header, HasSubstr("nosniff"));
  EXPECT_THAT(answer.header, HasSubstr("application/json"));
  EXPECT_THAT(served_.get("/<script>alert(1)</script>").header, HasSubstr("application/json"));
}

/// A client that sends one byte at a time is cut off. Other clients are served meanwhile.
TEST_F(HostileRequests, SlowOnesAreCutOff) {
  const auto begun = std::chrono::steady_clock::now();
  std::string answer;
  std::thread slow([&] { answer = served_.raw("GET / HTTP/1.1\r\nHost: 127", 40); });
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(served_.get("/api/v1/health").status, 200);
  }
  slow.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
  EXPECT_THAT(answer, AnyOf(Eq(""), HasSubstr(" 408 ")));
}

TEST_F(HostileRequests, ManyConnectionsAreRefusedPolitely) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  std::vector<int> sockets;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(served_.port()));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int i = 0; i < 10'000; ++i) {
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
      break;  // this process cannot open more connections
    }
    if (connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) {
      sockets.push_back(descriptor);
    } else {
      close(descriptor);
    }
  }
  EXPECT_GT(sockets.size(), 500U);
  for (const int descriptor : sockets) {
    close(descriptor);
  }
  int status = 0;
  for (int tries = 0; tries < 200 && status != 200; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    status = served_.get("/api/v1/health").status;
  }
  EXPECT_EQ(status, 200);
  EXPECT_THAT(served_.get("/metrics").body,
              testing::Not(HasSubstr("molgauge_connections_refused_total 0\n")));
}

/// A client above the limit of waiting requests is told when to retry.
TEST_F(HostileRequests, TooManyAreTurnedAway) {
  std::string list;
  for (int i = 0; i < 900; ++i) {
    list += std::string(static_cast<std::size_t>(i % 90 + 1), 'C') + "\n";
  }
  int taken = 0, refused = 0;
  for (int i = 0; i < 12; ++i) {
    const HttpAnswer answer = served_.post("/api/v1/domain?job=1", list);
    taken += answer.status == 202 ? 1 : 0;
    refused += answer.status == 503 ? 1 : 0;
    if (answer.status == 503) {
      EXPECT_THAT(answer.header, HasSubstr("Retry-After: "));
    }
  }
  EXPECT_EQ(taken + refused, 12);
  EXPECT_GT(taken, 3);
}

}  // namespace
}  // namespace molgauge::test
