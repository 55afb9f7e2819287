#include "serve/guards.h"

#include <gtest/gtest.h>

namespace headroom::serve {
namespace {

unsigned status_of(const Guards& guards, const Sender& sender) {
  const auto refusal = guards.refusal(sender);
  return refusal ? refusal->status : 200;
}

TEST(Guards, KnowTheirOwnNames) {
  const Guards guards("192.168.1.5", {"models.example.org", "other.example.org:8443"}, "");
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

TEST(Guards, AnswerNoPageOfAnotherSite) {
  const Guards guards("127.0.0.1", {}, "");
  EXPECT_EQ(status_of(guards, {.method = "POST", .host = "localhost", .origin = "http://localhost:8080"}),
            200U);
  EXPECT_EQ(status_of(guards, {.method = "POST", .host = "localhost", .origin = "https://evil.example"}),
            403U);
  EXPECT_EQ(status_of(guards, {.method = "GET", .host = "localhost", .origin = "https://evil.example"}),
            403U);
  EXPECT_EQ(status_of(guards, {.method = "POST", .host = "localhost", .origin = "null"}), 403U);
  EXPECT_EQ(status_of(guards, {.method = "DELETE", .host = "localhost", .fetch_site = "cross-site"}), 403U);
  EXPECT_EQ(status_of(guards, {.method = "GET", .host = "localhost", .fetch_site = "cross-site"}), 200U)
      << "a link from elsewhere";
  EXPECT_EQ(status_of(guards, {.method = "POST", .host = "localhost", .fetch_site = "same-origin"}), 200U);
}

TEST(Guards, WantTheToken) {
  const Guards guards("127.0.0.1", {}, "a-long-secret-text");
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
}  // namespace headroom::serve
