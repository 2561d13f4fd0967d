#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "kube/client.h"
#include "kube/watch.h"

namespace opm::kube {
namespace {

// Answers everything at once, counts how many ask at the same time, and lets watches wait until they are stopped.
class BusyTransport : public http::Client {
 public:
  BusyTransport(std::atomic<int>& most, std::atomic<int>& asked) : most_(most), asked_(asked) {}

  std::expected<http::Answer, http::Failure> send(const http::Request& request) override {
    if (request.on_piece) {
      if (!request.on_piece(R"({"type":"ADDED","object":{"metadata":{"name":"b","resourceVersion":"2"}}})" "\n"))
        return http::Answer{200, {}, {}};
      while (!request.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return std::unexpected(http::Failure{http::FailureKind::stopped, "stopped"});
    }
    int now = ++inside_;
    for (int most = most_; now > most && !most_.compare_exchange_weak(most, now);) {
    }
    int number = ++asked_;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    --inside_;
    // Every seventh is too much for it.
    if (number % 7 == 0) return http::Answer{429, {{"warning", "299 - \"busy\""}}, {}};
    if (request.url.target.find('?') != std::string::npos)
      return http::Answer{200, {}, R"({"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a"}}]})"};
    return http::Answer{200, {{"warning", "299 - \"once\""}}, R"({"metadata":{"name":"x"}})"};
  }

 private:
  std::atomic<int>& most_;
  std::atomic<int>& asked_;
  std::atomic<int> inside_{0};
};

class ClientThreadsTest : public testing::Test {
 protected:
  ClientThreadsTest() {
    Connection connection;
    connection.server = *http::parse_url("https://one.example");
    connection.server.target.clear();
    client_ = std::make_unique<Client>(
        connection,
        ClientServices{base::real_environment(), base::real_file_system(), base::real_file_writer(), base::real_clock(),
                       [this](http::ClientOptions) { return std::make_unique<BusyTransport>(most_, asked_); }},
        ClientOptions{.retry = {.first_wait = std::chrono::milliseconds(1)}});
  }

  Resource pods_{{"", "v1"}, "Pod", "pods", true, {}, {}, {}};
  std::atomic<int> most_{0}, asked_{0};
  std::unique_ptr<Client> client_;
};

TEST_F(ClientThreadsTest, RunsManyAtOnceAndNotMoreThanAllowed) {
  std::vector<Operation> operations(200, get_object(pods_, "n", "x"));
  std::atomic<std::size_t> done{0};
  std::jthread other([&] { (void)client_->run_all(operations); });
  auto results = client_->run_all(operations, [&](std::size_t, const auto& result) { done += result.has_value(); });
  other.join();
  for (const auto& result : results) EXPECT_TRUE(result);
  EXPECT_EQ(done, 200U);
  EXPECT_GT(most_, 4);
  EXPECT_LE(most_, 16);
  EXPECT_EQ(client_->take_warnings().size(), 2U);
}

TEST_F(ClientThreadsTest, StopsWhatIsOnItsWay) {
  std::vector<Operation> operations(100, get_object(pods_, "n", "x"));
  std::stop_source source;
  source.request_stop();
  // The fake does not look at it; but nobody waits for a busy server any more.
  auto results = client_->run_all(operations, {}, source.get_token());
  bool one_stopped = false;
  for (const auto& result : results) one_stopped |= !result && result.error().kind == FailureKind::stopped;
  EXPECT_TRUE(one_stopped);
}

TEST_F(ClientThreadsTest, WatchesSeveralKindsAndEndsThem) {
  auto watches = std::make_unique<WatchSet>(*client_);
  for (int i = 0; i < 4; ++i) watches->add(pods_, "n");
  std::vector<int> told(4);
  for (int i = 0; i < 12; ++i) {
    auto item = watches->next(std::chrono::seconds(20));
    ASSERT_TRUE(item);
    ASSERT_TRUE(item->event);
    ++told[item->watch];
  }
  EXPECT_EQ(told, std::vector<int>(4, 3));  // a, that this was all, b
  EXPECT_FALSE(watches->next(std::chrono::milliseconds(1)));
  watches.reset();
}

}  // namespace
}  // namespace opm::kube
