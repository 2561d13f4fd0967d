#include "http/client.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace opm::http {
namespace {

// A server on this machine that gives each request of each connection to a test's function. What that returns is
// written as it is; nothing: the connection ends.
class Server {
 public:
  using Handler = std::function<std::optional<std::string>(const std::string& request, int connection)>;

  explicit Server(Handler handler) : handler_(std::move(handler)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(listener_, 64);
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    accepter_ = std::thread([this] { accept_all(); });
  }
  ~Server() {
    ::shutdown(listener_, SHUT_RDWR);
    accepter_.join();
    {
      std::lock_guard lock(mutex_);
      for (int descriptor : open_) ::shutdown(descriptor, SHUT_RDWR);
    }
    for (std::thread& thread : threads_) thread.join();
    ::close(listener_);
  }

  Url url(const std::string& target = "/") const { return *parse_url("http://127.0.0.1:" + std::to_string(port_) + target); }
  int connections() const { return connections_; }

 private:
  void accept_all() {
    for (;;) {
      int descriptor = ::accept(listener_, nullptr, nullptr);
      if (descriptor < 0) return;
      std::lock_guard lock(mutex_);
      open_.push_back(descriptor);
      threads_.emplace_back([this, descriptor, number = ++connections_] { serve(descriptor, number); });
    }
  }

  void serve(int descriptor, int number) {
    std::string pending;
    char buffer[65536];
    for (;;) {
      std::size_t end = pending.find("\r\n\r\n");
      std::size_t length = 0;
      if (end != std::string::npos) {
        std::size_t header = pending.find("Content-Length: ");
        if (header != std::string::npos && header < end) length = std::stoul(pending.substr(header + 16));
      }
      if (end == std::string::npos || pending.size() < end + 4 + length) {
        ssize_t count = ::recv(descriptor, buffer, sizeof buffer, 0);
        if (count <= 0) break;
        pending.append(buffer, static_cast<std::size_t>(count));
        continue;
      }
      std::string request = pending.substr(0, end + 4 + length);
      pending.erase(0, request.size());
      auto answer = handler_(request, number);
      if (!answer || ::send(descriptor, answer->data(), answer->size(), MSG_NOSIGNAL) < 0) break;
    }
    ::shutdown(descriptor, SHUT_RDWR);
  }

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  std::thread accepter_;
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::atomic<int> connections_{0};
};

std::string answered(const std::string& body, const std::string& headers = {}) {
  return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

Request get(const Server& server, const std::string& target = "/") {
  Request request;
  request.url = server.url(target);
  return request;
}

TEST(ClientTest, KeepsItsConnectionAndJoinsHeaders) {
  Server server([](const std::string& request, int) {
    return answered(request.substr(0, request.find('\r')), "X-One: a\r\nX-One: b\r\n");
  });
  auto client = make_client();
  for (int i = 0; i < 5; ++i) {
    auto answer = client->send(get(server, "/" + std::to_string(i)));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, "GET /" + std::to_string(i) + " HTTP/1.1");
    EXPECT_EQ(answer->header("x-one"), "a, b");
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(ClientTest, ServesManyThreads) {
  Server server([](const std::string& request, int) { return answered(request.substr(4, request.find(' ', 4) - 4)); });
  auto client = make_client();
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int j = 0; j < 20; ++j) {
        std::string target = "/" + std::to_string(i) + "-" + std::to_string(j);
        auto answer = client->send(get(server, target));
        good += answer && answer->body == target;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 160);
  EXPECT_LE(server.connections(), 16);
}

TEST(ClientTest, SendsBodiesAgainWhenAKeptConnectionWasClosed) {
  Server server([](const std::string& request, int connection) -> std::optional<std::string> {
    if (connection == 1 && request.find("POST") == 0) return std::nullopt;
    return answered(request.substr(request.find("\r\n\r\n") + 4));
  });
  auto client = make_client();
  ASSERT_TRUE(client->send(get(server)));
  std::string body(100'000, 'x');
  Request post = get(server);
  post.method = "PATCH";
  post.body = body;
  auto answer = client->send(post);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, body);
}

TEST(ClientTest, RefusesMoreThanItMayTake) {
  Server server([](const std::string&, int) { return answered(std::string(5000, 'x')); });
  auto client = make_client();
  Request request = get(server);
  request.max_answer_bytes = 4999;
  EXPECT_EQ(client->send(request).error().kind, FailureKind::too_large);
  request.max_answer_bytes = 5000;
  EXPECT_TRUE(client->send(request));
}

TEST(ClientTest, RefusesHeadersWithoutEnd) {
  std::string headers;
  for (int i = 0; i < 40'000; ++i) headers += "X-Same: " + std::string(40, 'x') + "\r\n";
  Server server([&](const std::string&, int) { return answered("", headers); });
  auto client = make_client();
  EXPECT_FALSE(client->send(get(server)));
}

TEST(ClientTest, GivesPiecesOfGoodAnswersAndEndsWhenThatIsEnough) {
  Server server([](const std::string& request, int) -> std::optional<std::string> {
    if (request.find("/bad") != std::string::npos) return "HTTP/1.1 410 Gone\r\nContent-Length: 4\r\n\r\ngone";
    return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n";  // and no end
  });
  auto client = make_client();
  std::string got;
  Request request = get(server);
  request.on_piece = [&](std::string_view piece) {
    got += piece;
    return got != "onetwo";
  };
  auto answer = client->send(request);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(got, "onetwo");
  got.clear();
  request.url = server.url("/bad");
  answer = client->send(request);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "gone");
  EXPECT_EQ(got, "");
}

TEST(ClientTest, StopsWhenToldTo) {
  Server server([](const std::string&, int) { return "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"; });
  auto client = make_client();
  std::stop_source source;
  Request request = get(server);
  request.stop = source.get_token();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source.request_stop();
  });
  auto started = std::chrono::steady_clock::now();
  EXPECT_EQ(client->send(request).error().kind, FailureKind::stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::milliseconds(900));
  EXPECT_EQ(client->send(request).error().kind, FailureKind::stopped);
}

TEST(ClientTest, TellsFailuresApart) {
  Server server([](const std::string& request, int) -> std::optional<std::string> {
    if (request.find("/slow") != std::string::npos) return "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf";
    if (request.find("/half") != std::string::npos) return std::nullopt;
    return answered("");
  });
  auto client = make_client();
  Request slow = get(server, "/slow");
  slow.timeout = std::chrono::milliseconds(100);
  EXPECT_EQ(client->send(slow).error().kind, FailureKind::too_slow);
  EXPECT_EQ(client->send(get(server, "/half")).error().kind, FailureKind::interrupted);
  Request nobody = get(server);
  nobody.url = *parse_url("http://127.0.0.1:1/");
  EXPECT_EQ(client->send(nobody).error().kind, FailureKind::no_connection);
  EXPECT_TRUE(client->send(get(server)));
}

}  // namespace
}  // namespace opm::http
