#include "molecules/store/weights/sha256.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <vector>

#include <openssl/evp.h>

#include "base/core/error.h"
#include "base/core/files/read_problem.h"
#include "base/core/files/regular_file.h"
#include "base/core/files/watched_inputs.h"
#include "base/core/text/hexadecimal.h"

namespace molgauge::store {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
  }
  void update(const void* bytes, std::size_t count) {
    require(EVP_DigestUpdate(context_.get(), bytes, count));
  }
  std::string finish() {
    std::array<std::uint8_t, 32> digest{};
    require(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr));
    return to_hexadecimal(digest);
  }

 private:
  static void require(int outcome) {
    if (outcome != 1) {
      throw Error("OpenSSL cannot compute SHA-256");
    }
  }
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes.data(), bytes.size());
  return hash.finish();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  require_regular_file(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw read_problem(path.string(), errno);
  }
  Sha256 hash;
  const auto pass = WatchedPass::begin(path.string());
  std::vector<char> piece(kPiece);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    const auto count = static_cast<std::size_t>(file.gcount());
    hash.update(piece.data(), count);
    if (pass != nullptr) {
      pass->append(std::span(piece).first(count));
    }
  }
  if (file.bad()) {
    throw InputError(path.string() + ": cannot read to the end");
  }
  if (pass != nullptr) {
    try {
      pass->end();
    } catch (const InputError& problem) {
      throw InputError(path.string() + ": " + problem.what());
    }
  }
  return hash.finish();
}

std::string sha256_if_file(const std::filesystem::path& path) {
  return std::filesystem::is_regular_file(path) ? sha256_of_file(path) : "";
}

}  // namespace molgauge::store
