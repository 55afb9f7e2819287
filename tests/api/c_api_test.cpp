#include <array>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/memory/measure/host_memory.h"
#include "c_program.h"
#include "molgauge/molgauge.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

using nlohmann::json;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::size_t kWidth = 512;  // width of ecfp

/// A text from the library. The destructor frees it.
struct Text {
  char* text = nullptr;
  ~Text() { molgauge_free(text); }
  json parsed() const { return json::parse(text == nullptr ? "null" : text); }
};

class CApi : public testing::Test {
 protected:
  void SetUp() override {
    molgauge_session_options options = {};
    options.struct_size = sizeof(options);
    options.log_level = MOLGAUGE_LOG_INFO;
    options.log = [](void* user, molgauge_log_level, const char* text) {
      static_cast<CApi*>(user)->log_ += std::string(text) + "\n";
    };
    options.progress = [](void* user, const molgauge_progress* progress) {
      static_cast<CApi*>(user)->last_done_ = progress->done;
    };
    options.user = this;
    ASSERT_EQ(molgauge_open(&options, &session_), MOLGAUGE_DONE) << molgauge_last_error();
  }
  void TearDown() override { molgauge_close(session_); }

  /// Options of `encode` with a store in the folder of the test.
  json request() const { return {{"encoder", "ecfp"}, {"store", folder_ / "store"}}; }

  molgauge_status encode(const std::vector<const char*>& smiles, std::vector<float>& rows, Text& report) {
    rows.assign(smiles.size() * kWidth, -1.0F);
    return molgauge_encode(session_, request().dump().c_str(), smiles.data(), smiles.size(), rows.data(),
                           kWidth, &report.text);
  }

  test::TemporaryFolder folder_;
  molgauge_session* session_ = nullptr;
  std::string log_;
  std::size_t last_done_ = 0;
};

TEST(CProgram, OpensASession) { EXPECT_EQ(open_and_close_a_session(), MOLGAUGE_DONE); }

TEST_F(CApi, HasOneSessionAtATime) {
  molgauge_session* second = nullptr;
  EXPECT_EQ(molgauge_open(nullptr, &second), MOLGAUGE_WRONG_USAGE);
  EXPECT_EQ(second, nullptr);
  EXPECT_THAT(molgauge_last_error(), HasSubstr("already open in this process"));
}

TEST_F(CApi, EncodesMoleculesAtHand) {
  std::vector<float> rows;
  Text report;
  ASSERT_EQ(encode({"CCO", "nonsense", "c1ccccc1", "CCO"}, rows, report), MOLGAUGE_DONE)
      << molgauge_last_error();
  EXPECT_STREQ(molgauge_last_error(), "");
  const auto row = [&](std::size_t i) { return std::vector(&rows[i * kWidth], &rows[i * kWidth] + kWidth); };
  EXPECT_EQ(row(0), row(3));
  EXPECT_NE(row(0), row(2));
  EXPECT_TRUE(std::isnan(rows[kWidth]));
  EXPECT_TRUE(std::isnan(rows[2 * kWidth - 1]));
  const json told = report.parsed();
  EXPECT_EQ(told["rows"], 4);
  EXPECT_EQ(told["failed_records"], 1);
  EXPECT_EQ(told["failed"][0]["row"], 1);
  EXPECT_EQ(told["failed"][0]["text"], "nonsense");
  EXPECT_EQ(last_done_, 4U);
}

TEST_F(CApi, GivesTheRowsOfTheCommandLine) {
  std::vector<float> rows;
  Text report, of_file;
  ASSERT_EQ(encode({"CCO", "CN"}, rows, report), MOLGAUGE_DONE);
  replace_file(folder_ / "m.smi", "CCO\nCN\n");
  json request = this->request();
  request["molecules"] = folder_ / "m.smi";
  request["out"] = folder_ / "features.npy";
  request["store"] = folder_ / "another-store";
  ASSERT_EQ(molgauge_run(session_, "encode", request.dump().c_str(), &of_file.text), MOLGAUGE_DONE)
      << molgauge_last_error();
  EXPECT_EQ(of_file.parsed()["encoded"], 2);
  const std::string file = read_file(folder_ / "features.npy");
  const std::size_t bytes = rows.size() * sizeof(float);
  ASSERT_GT(file.size(), bytes);
  EXPECT_EQ(file.substr(file.size() - bytes), std::string(reinterpret_cast<const char*>(rows.data()), bytes));
}

TEST_F(CApi, LooksIntoAStore) {
  std::vector<float> rows;
  Text report, info, verified, written;
  ASSERT_EQ(encode({"CCO", "CN"}, rows, report), MOLGAUGE_DONE);
  const json store = {{"store", request()["store"]}};
  ASSERT_EQ(molgauge_run(session_, "store_info", store.dump().c_str(), &info.text), MOLGAUGE_DONE)
      << molgauge_last_error();
  EXPECT_EQ(info.parsed()["databases"][0]["rows"], 2);
  ASSERT_EQ(molgauge_run(session_, "store_verify", store.dump().c_str(), &verified.text), MOLGAUGE_DONE);
  EXPECT_EQ(verified.parsed()["damaged"], 0);
  json wanted = store;
  wanted["out"] = folder_ / "all.safetensors";
  ASSERT_EQ(molgauge_run(session_, "store_export", wanted.dump().c_str(), &written.text), MOLGAUGE_DONE)
      << molgauge_last_error();
  EXPECT_EQ(written.parsed()["rows"], 2);
}

TEST_F(CApi, TellsTheWidthOfAnEncoder) {
  std::size_t width = 0;
  EXPECT_EQ(molgauge_encoder_width(session_, "ecfp", &width), MOLGAUGE_DONE);
  EXPECT_EQ(width, kWidth);
  EXPECT_EQ(molgauge_encoder_width(session_, "efcp", &width), MOLGAUGE_WRONG_USAGE);
  Text encoders;
  ASSERT_EQ(molgauge_run(session_, "encoders", nullptr, &encoders.text), MOLGAUGE_DONE);
  EXPECT_THAT(encoders.parsed().dump(), HasSubstr("minimol"));
}

TEST_F(CApi, ExplainsAMessageInMemory) {
  const std::string message =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total capacity of "
      "79.15 GiB of which 1.71 GiB is free. Of the allocated memory 70.02 GiB is allocated by PyTorch, and "
      "6.21 GiB is reserved by PyTorch but unallocated.";
  Text report;
  ASSERT_EQ(molgauge_explain(session_, nullptr, message.data(), message.size(), &report.text), MOLGAUGE_DONE)
      << molgauge_last_error();
  EXPECT_EQ(report.parsed().at("device"), 5);
  EXPECT_EQ(molgauge_explain(session_, nullptr, message.data(), 0, nullptr), MOLGAUGE_WRONG_USAGE);
  EXPECT_THAT(molgauge_last_error(), HasSubstr("the content is empty"));
  EXPECT_EQ(molgauge_explain(session_, R"({"file": "x"})", message.data(), message.size(), nullptr),
            MOLGAUGE_WRONG_USAGE);
  EXPECT_EQ(molgauge_explain(session_, nullptr, "\x80\x04junk", 6, nullptr), MOLGAUGE_INPUT_REFUSED);
}

TEST_F(CApi, ListsItsVerbs) {
  std::istringstream names(molgauge_verbs());
  std::size_t count = 0;
  for (std::string name; names >> name; ++count) {
    molgauge_run(session_, name.c_str(), R"({"no such key": 1})", nullptr);
    EXPECT_THAT(molgauge_last_error(), Not(HasSubstr("no verb"))) << name;
  }
  EXPECT_GT(count, 25U);
}

/// A program that was compiled with an older header, which lacks the last fields.
TEST(CSessions, OpenWithTheOptionsOfAnOlderHeader) {
  molgauge_session_options options = {};
  options.struct_size = offsetof(molgauge_session_options, progress);
  options.log_level = MOLGAUGE_LOG_ERROR;
  options.progress = [](void*, const molgauge_progress*) { FAIL() << "beyond the size"; };
  options.quiet = 0;
  molgauge_session* session = nullptr;
  ASSERT_EQ(molgauge_open(&options, &session), MOLGAUGE_DONE) << molgauge_last_error();
  const test::TemporaryFolder folder;
  const std::string request = json({{"encoder", "ecfp"}, {"store", folder / "store"}}).dump();
  const std::array<const char*, 2> smiles = {"CCO", "CCN"};
  std::vector<float> rows(2 * kWidth);
  EXPECT_EQ(molgauge_encode(session, request.c_str(), smiles.data(), 2, rows.data(), kWidth, nullptr),
            MOLGAUGE_DONE);
  molgauge_close(session);
  options.struct_size = 1;
  EXPECT_EQ(molgauge_open(&options, &session), MOLGAUGE_WRONG_USAGE);
}

TEST_F(CApi, TakesBudgetsInBytes) {
  const test::TemporaryFolder folder;
  json request = {
      {"encoder", "ecfp"}, {"store", folder / "store"}, {"memory_budget", std::uint64_t{1} << 31}};
  const std::array<const char*, 2> smiles = {"CCO", "CCN"};
  std::vector<float> rows(2 * kWidth);
  EXPECT_EQ(molgauge_encode(session_, request.dump().c_str(), smiles.data(), 2, rows.data(), kWidth, nullptr),
            MOLGAUGE_DONE)
      << molgauge_last_error();
  request["memory_budget"] = 1 << 20;
  EXPECT_EQ(molgauge_encode(session_, request.dump().c_str(), smiles.data(), 2, rows.data(), kWidth, nullptr),
            MOLGAUGE_OVER_BUDGET);
  request["memory_budget"] = -1;
  EXPECT_EQ(molgauge_encode(session_, request.dump().c_str(), smiles.data(), 2, rows.data(), kWidth, nullptr),
            MOLGAUGE_WRONG_USAGE);
}

TEST_F(CApi, RefusesWhatItCannotDo) {
  const auto refusal = [&](const char* verb, const char* request) {
    EXPECT_EQ(molgauge_run(session_, verb, request, nullptr), MOLGAUGE_WRONG_USAGE) << request;
    return std::string(molgauge_last_error());
  };
  EXPECT_THAT(refusal("encod", "{}"), HasSubstr("no verb 'encod'. Available: baseline, "));
  EXPECT_THAT(refusal("encod", "{}"), HasSubstr("Did you mean 'encode'"));
  EXPECT_THAT(refusal("encode", "{"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("encode", "[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("encode", "{}"), HasSubstr("'molecules' is missing"));
  EXPECT_THAT(refusal("encode", R"({"molecules": "m.smi", "encoderr": "ecfp"})"), HasSubstr("encoder"));
  EXPECT_THAT(refusal("encode", R"({"molecules": "m.smi", "threads": "two"})"), HasSubstr("'threads' takes"));
  EXPECT_THAT(refusal("encode", R"({"molecules": ["m.smi"]})"), HasSubstr("not a list"));
  EXPECT_THAT(refusal("explain", "{}"),
              HasSubstr("FILE is missing. Give a memory trace, a PyTorch snapshot, or message "));
  EXPECT_THAT(refusal("explain", R"({"file": "s.pickle", "device": "both"})"), HasSubstr("auto, all"));
  EXPECT_THAT(refusal("simulate", R"({"trace": "s.pickle", "capacity": "much"})"), HasSubstr("'capacity'"));
  EXPECT_THAT(refusal("store_prune", "{}"), HasSubstr("name the rows to remove"));
  EXPECT_EQ(molgauge_run(nullptr, "encode", "{}", nullptr), MOLGAUGE_WRONG_USAGE);
  EXPECT_EQ(
      molgauge_run(session_, "encode", R"({"molecules": "/nonexistent.smi", "encoder": "ecfp"})", nullptr),
      MOLGAUGE_INPUT_REFUSED)
      << molgauge_last_error();
}

TEST_F(CApi, WantsRoomForEveryNumber) {
  const std::array<const char*, 1> smiles = {"CCO"};
  std::array<float, 3> rows = {};
  EXPECT_EQ(molgauge_encode(session_, request().dump().c_str(), smiles.data(), 1, rows.data(), rows.size(),
                            nullptr),
            MOLGAUGE_WRONG_USAGE);
  EXPECT_THAT(molgauge_last_error(), HasSubstr("512"));
  EXPECT_THAT(rows, Each(0.0F));
}

TEST_F(CApi, LetsThreadsTakeTheirTurns) {
  std::vector<std::thread> threads;
  std::array<molgauge_status, 4> statuses = {};
  std::array<std::vector<float>, 4> rows;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    threads.emplace_back([&, i] {
      Text report;
      statuses[i] = encode({"CCO", i % 2 == 0 ? "CN" : "CCC"}, rows[i], report);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_THAT(statuses, Each(MOLGAUGE_DONE));
  EXPECT_EQ(rows[0], rows[2]);
  EXPECT_NE(rows[0], rows[1]);
}

TEST_F(CApi, KeepsNoStoreThatWasReplaced) {
  std::vector<float> first, again;
  Text report, report_again, info;
  ASSERT_EQ(encode({"CCO"}, first, report), MOLGAUGE_DONE) << molgauge_last_error();
  std::filesystem::remove_all(folder_ / "store");
  ASSERT_EQ(encode({"CCO"}, again, report_again), MOLGAUGE_DONE) << molgauge_last_error();
  EXPECT_EQ(report_again.parsed()["encoded"], 1);
  EXPECT_EQ(again, first);
  const json store = {{"store", request()["store"]}};
  ASSERT_EQ(molgauge_run(session_, "store_info", store.dump().c_str(), &info.text), MOLGAUGE_DONE)
      << molgauge_last_error();
  EXPECT_EQ(info.parsed()["databases"][0]["rows"], 1);
}

TEST_F(CApi, GoesOnWithTheSameStoreAndSeesWhatOthersDidToIt) {
  std::vector<float> rows;
  for (int call = 0; call < 3; ++call) {
    Text report;
    ASSERT_EQ(encode({"CCO", "CN"}, rows, report), MOLGAUGE_DONE) << molgauge_last_error();
    EXPECT_EQ(report.parsed()["encoded"], call == 0 ? 2 : 0);
  }
  Text info, pruned, report;
  json store = {{"store", request()["store"]}};
  ASSERT_EQ(molgauge_run(session_, "store_info", store.dump().c_str(), &info.text), MOLGAUGE_DONE);
  store["database"] = info.parsed()["databases"][0]["name"];
  ASSERT_EQ(molgauge_run(session_, "store_prune", store.dump().c_str(), &pruned.text), MOLGAUGE_DONE)
      << molgauge_last_error();
  ASSERT_EQ(encode({"CCO", "CN"}, rows, report), MOLGAUGE_DONE) << molgauge_last_error();
  EXPECT_EQ(report.parsed()["encoded"], 2);
}

TEST_F(CApi, EightThreadsEncodeAndCompareAtOnce) {
  std::string training = "smiles\n";
  for (std::size_t i = 1; i <= 100; ++i) {
    training += std::string(i, 'C') + "OCC\n";
  }
  replace_file(folder_ / "training.csv", training);
  replace_file(folder_ / "candidates.csv", "smiles\nCCCCOCC\n[Na+].[Cl-].[Fe]\n");
  constexpr std::size_t kThreads = 8;
  std::array<molgauge_status, kThreads> statuses = {};
  std::array<std::vector<float>, kThreads> rows;
  std::array<std::string, kThreads> verdicts;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      if (i % 2 == 0) {
        Text report;
        statuses[i] = encode({"CCO", "CN"}, rows[i], report);
        return;
      }
      json domain = request();
      const std::string out = folder_ / ("verdicts" + std::to_string(i) + ".csv");
      domain.update(
          {{"train", folder_ / "training.csv"}, {"candidates", folder_ / "candidates.csv"}, {"out", out}});
      Text report;
      statuses[i] = molgauge_run(session_, "domain", domain.dump().c_str(), &report.text);
      verdicts[i] = statuses[i] == MOLGAUGE_DONE ? read_file(out) : molgauge_last_error();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_THAT(statuses, Each(MOLGAUGE_DONE)) << verdicts[1];
  for (std::size_t i = 2; i < kThreads; ++i) {
    EXPECT_EQ(i % 2 == 0 ? rows[i] == rows[0] : verdicts[i] == verdicts[1], true) << verdicts[i];
  }
}

TEST(CSessions, AThousandOpenAndCloseWithoutGrowth) {
  const test::TemporaryFolder folder;
  const std::string request = json({{"encoder", "ecfp"}, {"store", folder / "store"}, {"threads", 1}}).dump();
  const auto use_a_session = [&](bool encodes) {
    molgauge_session_options options = {};
    options.struct_size = sizeof(options);
    options.quiet = 1;
    molgauge_session* session = nullptr;
    ASSERT_EQ(molgauge_open(&options, &session), MOLGAUGE_DONE) << molgauge_last_error();
    if (encodes) {
      const std::array<const char*, 1> smiles = {"CCO"};
      std::vector<float> rows(kWidth);
      ASSERT_EQ(molgauge_encode(session, request.c_str(), smiles.data(), 1, rows.data(), kWidth, nullptr),
                MOLGAUGE_DONE)
          << molgauge_last_error();
    }
    molgauge_close(session);
  };
  const auto open_files = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  [[maybe_unused]] std::uint64_t bytes = 0;
  std::ptrdiff_t files = 0;
  for (std::size_t cycle = 0; cycle < 1000; ++cycle) {
    use_a_session(cycle % 10 == 0);
    if (cycle == 200) {
      bytes = memory::resident_bytes();
      files = open_files();
    }
  }
  EXPECT_EQ(open_files(), files);
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer keeps freed memory, so the measurement would fail
  EXPECT_LT(memory::resident_bytes(), bytes + (std::uint64_t{2} << 20));
#endif
}

TEST_F(CApi, IsClosedDuringWork) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 20'000; ++i) {
    texts.push_back(std::string(i % 100 + 1, 'C') + "O" + std::string(i / 100, 'N'));
  }
  std::vector<const char*> smiles;
  for (const std::string& text : texts) {
    smiles.push_back(text.c_str());
  }
  std::vector<float> rows;
  Text report;
  molgauge_status status = MOLGAUGE_DONE;
  std::thread work([&] { status = encode(smiles, rows, report); });
  while (!std::filesystem::exists(folder_ / "store" / "data.mdb")) {
    std::this_thread::yield();
  }
  molgauge_close(session_);
  session_ = nullptr;
  work.join();
  EXPECT_TRUE(status == MOLGAUGE_INTERRUPTED || status == MOLGAUGE_DONE) << status;
}

TEST_F(CApi, KeepsErrorsOfThreadsApart) {
  EXPECT_EQ(molgauge_run(session_, "nothing", nullptr, nullptr), MOLGAUGE_WRONG_USAGE);
  std::string of_another = "not asked yet";
  std::thread([&] { of_another = molgauge_last_error(); }).join();
  EXPECT_THAT(of_another, IsEmpty());
  EXPECT_STRNE(molgauge_last_error(), "");
}

}  // namespace
}  // namespace molgauge
