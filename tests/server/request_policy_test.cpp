#include "server/request_policy.h"

#include <gtest/gtest.h>

namespace molgauge::serve {
namespace {

unsigned status_of(const RequestPolicy& guards, const Sender& sender) {
  const auto refusal = guards.refusal(sender);
  return refusal ? refusal->status : 200;
}

TEST(RequestPolicy, KnowTheirOwnNames) {
  const RequestPolicy guards("192.168.1.5", {"models.example.org", "other.example.org:8443"}, "");
  for (const char* const host :
       {"localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:8080", "[::1]",
        "192.168.1.5:8080", "models.example.org", "models.example.org:99", "other.example.org:8443"}) {
    EXPECT_EQ(status_of(guards, {.method = "GET", .target = "/", .host = host}), 200U) << host;
  }
  for (const char* const host :
       {"", "example.org", "xlocalhost", "localhost.example.org", "other.example.org", "other.example.org:1",
        "127.0.0.1.example.org", "[::1", "::1"}) {
    EXPECT_EQ(status_of(guards, {.method = "GET", .target = "/", .host = host}), 421U) << host;
  }
}

TEST(RequestPolicy, AnswerNoPageOfAnotherSite) {
  const RequestPolicy guards("127.0.0.1", {}, "");
  for (const char* const method : {"GET", "POST", "DELETE"}) {
    const auto status = [&](std::string_view origin, std::string_view fetch_site = {}) {
      return status_of(guards, {.method = method,
                                .target = "/api/v1/models",
                                .host = "localhost:8080",
                                .origin = origin,
                                .fetch_site = fetch_site});
    };
    EXPECT_EQ(status("http://localhost:8080"), 200U) << method;
    EXPECT_EQ(status("HTTP://LOCALHOST:8080", "same-origin"), 200U) << method;
    for (const char* const other : {"https://evil.example", "null", "http://localhost:3000",
                                    "http://localhost", "https://localhost:8080", "http://127.0.0.1:8080",
                                    "localhost:8080", "http://localhost:8080.evil.example"}) {
      EXPECT_EQ(status(other), 403U) << method << ' ' << other;
    }
    EXPECT_EQ(status("", "same-origin"), 200U) << method;
    EXPECT_EQ(status("", "none"), 200U) << method;
    EXPECT_EQ(status("", "cross-site"), 403U) << method;
    EXPECT_EQ(status("", "same-site"), 403U) << method << " of another port of this machine";
  }
  for (const char* const file : {"/", "/page/app.js"}) {
    EXPECT_EQ(
        status_of(guards, {.method = "GET", .target = file, .host = "localhost", .fetch_site = "cross-site"}),
        200U)
        << "a link from another site";
    EXPECT_EQ(status_of(guards,
                        {.method = "POST", .target = file, .host = "localhost", .fetch_site = "cross-site"}),
              403U);
  }
  EXPECT_EQ(status_of(guards, {.method = "POST", .host = "localhost", .origin = "http://localhost:80"}),
            200U);
}

TEST(RequestPolicy, KnowTheOriginsOfAProxy) {
  const RequestPolicy guards("127.0.0.1", {"models.example.org", "other.example.org:8443"}, "");
  const auto status = [&](std::string_view host, std::string_view origin) {
    return status_of(guards, {.method = "POST", .host = host, .origin = origin});
  };
  EXPECT_EQ(status("models.example.org", "https://models.example.org"), 200U);
  EXPECT_EQ(status("models.example.org", "https://models.example.org:443"), 200U);
  EXPECT_EQ(status("models.example.org:99", "https://models.example.org:99"), 200U);
  EXPECT_EQ(status("other.example.org:8443", "https://other.example.org:8443"), 200U);
  EXPECT_EQ(status("models.example.org", "https://models.example.org:3000"), 403U);
  EXPECT_EQ(status("models.example.org", "https://other.example.org:1"), 403U);
  EXPECT_EQ(status("localhost:8080", "https://localhost:8080"), 403U);
}

TEST(RequestPolicy, WantTheToken) {
  const RequestPolicy guards("127.0.0.1", {}, "a-long-secret-text");
  const auto status = [&](std::string_view target, std::string_view authorization) {
    return status_of(
        guards, {.method = "GET", .target = target, .host = "localhost", .authorization = authorization});
  };
  EXPECT_EQ(status("/", ""), 200U);
  EXPECT_EQ(status("/page/app.js", ""), 200U);
  EXPECT_EQ(status("/api/v1/models", ""), 401U);
  EXPECT_EQ(status("/metrics", "Bearer wrong"), 401U);
  EXPECT_EQ(status("/api/v1/models", "a-long-secret-text"), 401U);
  EXPECT_EQ(status("/api/v1/models", "Bearer a-long-secret-texta-long-secret-text"), 401U);
  EXPECT_EQ(status("/api/v1/models", "Bearer a-long-secret-text"), 200U);
}

}  // namespace
}  // namespace molgauge::serve
