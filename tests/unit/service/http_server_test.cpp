// When replies leave, and who waits for whom. Buckets here end after ten minutes or at once, so that no test
// depends on how fast anything is.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <semaphore>
#include <thread>

#include "service/http.h"
#include "service/problem.h"

namespace hushwalk::service {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr auto never = 10min;

HttpResponse said(std::string text) { return response_with(200, "text/plain", std::move(text)); }

// Work on edges begins, and ends when it is let.
class Scripted final : public Handler {
 public:
  Routed route(HttpRequest& request) override {
    if (request.path == "/now") return {.now = said("now")};
    if (request.path == "/others") return {.work = [](Reply& reply) { reply.send(said("others")); }};
    if (request.path == "/straight")
      return {.work = [this](Reply& reply) { on_edges(reply); }, .in_buckets = true};
    if (request.path == "/repeat")
      return {.before = [](Reply& reply) { return reply.send_now(said("repeat")), true; },
              .work = [](Reply& reply) { reply.send(said("never")); },
              .in_buckets = true};
    return {.before = [](Reply&) { return false; },
            .work = [this](Reply& reply) { on_edges(reply); },
            .in_buckets = true};
  }
  HttpResponse problem(int status) override { return service::problem(status); }
  void replied(const HttpRequest&, int, std::uint64_t, std::uint64_t release) override {
    releases.push_back(release);
  }

  std::counting_semaphore<> begun{0}, let{0}, ended{0};
  std::atomic<bool> left = false;
  std::vector<std::uint64_t> releases;  // of the network thread

 private:
  void on_edges(Reply& reply) {
    begun.release();
    let.acquire();
    HttpResponse response = said("edges");
    response.when_it_leaves = [this] { left = true; };
    reply.send(std::move(response));
    ended.release();
  }
};

class Client {
 public:
  Client(int port, const std::string& path) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 120, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
    const std::string text = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) < 0) throw std::runtime_error("cannot send");
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  std::string reply() const {  // until the server closes
    std::string text(100'000, '\0');
    std::size_t size = 0;
    for (ssize_t read = 1; read > 0 && size < text.size(); size += static_cast<std::size_t>(read))
      if (read = recv(socket_, text.data() + size, text.size() - size, 0); read < 0) break;
    return text.substr(0, size);
  }
  bool has_reply() const {
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    return poll(&waiting, 1, 0) > 0;
  }

 private:
  int socket_;
};

class Running {
 public:
  explicit Running(std::chrono::milliseconds bucket, int workers = 1, std::uint64_t queue = 64)
      : server_(HttpLimits{.queue = queue, .drain = 1ms, .bucket = bucket}, workers) {
    const std::string address = server_.listen({"127.0.0.1", 0}, handler);
    port_ = std::stoi(address.substr(address.rfind(':') + 1));
    thread_ = std::thread([this] { server_.run([] {}, [] {}, [] {}); });
    EXPECT_THAT(ask("/now"), HasSubstr("now"));  // it runs, and hears signals
  }
  ~Running() {
    handler->let.release(100);
    kill(getpid(), SIGTERM);
    thread_.join();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  std::unique_ptr<Client> begin(const std::string& path) const {
    return std::make_unique<Client>(port_, path);
  }
  std::string ask(const std::string& path) const { return begin(path)->reply(); }
  std::uint64_t queued() const { return server_.queued(); }

  const std::shared_ptr<Scripted> handler = std::make_shared<Scripted>();

 private:
  HttpServer server_;
  int port_ = 0;
  std::thread thread_;
};

TEST(HttpServer, HoldsWhatDependsOnEdgesUntilABucketEnds) {
  const Running running(never);
  const auto asked = running.begin("/edges");
  running.handler->let.release();
  running.handler->ended.acquire();
  EXPECT_THAT(running.ask("/others"), HasSubstr("others"));  // the network thread has seen the answer by now
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(asked->has_reply());
  EXPECT_FALSE(running.handler->left);
}

TEST(HttpServer, SendsItWhenTheBucketEnds) {
  const Running running(1ms);
  const auto asked = running.begin("/edges");
  running.handler->begun.acquire();
  std::this_thread::sleep_for(20ms);
  running.handler->let.release();
  EXPECT_THAT(asked->reply(), HasSubstr("edges"));
  EXPECT_TRUE(running.handler->left);
  EXPECT_GT(running.handler->releases.back(), 20U) << "the first buckets are over";
}

TEST(HttpServer, LetsNobodyWaitForWorkOnEdgesWhoAsksForSomethingElse) {
  const Running running(never);
  const auto asked = running.begin("/edges");
  running.handler->begun.acquire();  // the one worker for edges is busy until the end of this test
  for (const std::string what : {"now", "others", "repeat"})
    EXPECT_THAT(running.ask("/" + what), HasSubstr("\r\n\r\n" + what));
  EXPECT_FALSE(asked->has_reply());
}

TEST(HttpServer, GivesAPlaceInTheQueueAwayWhenABucketEndsAndNotBefore) {
  const Running running(never, 1, 1);
  const auto asked = running.begin("/edges");
  running.handler->let.release();
  running.handler->ended.acquire();
  std::this_thread::sleep_for(50ms);  // as if one could see from outside that the work is done
  EXPECT_THAT(running.ask("/edges"), StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(running.ask("/others"), HasSubstr("others"));
}

TEST(HttpServer, HasPlacesAgainAfterwards) {
  const Running running(1ms, 1, 1);
  running.handler->let.release(3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(running.ask("/edges"), HasSubstr("edges"));
    while (running.queued() > 0) std::this_thread::sleep_for(1ms);
  }
}

TEST(HttpServer, SaysWhenToComeAgainBeyondItsQueue) {
  const Running running(1ms, 1, 2);
  const auto first = running.begin("/straight"), second = running.begin("/straight");
  running.handler->begun.acquire();
  while (running.queued() < 2) std::this_thread::sleep_for(1ms);
  const std::string turned_away = running.ask("/straight");
  EXPECT_THAT(turned_away, StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(turned_away, HasSubstr("Retry-After: 1"));
  running.handler->let.release(2);
  EXPECT_THAT(first->reply(), HasSubstr("edges"));
  EXPECT_THAT(second->reply(), HasSubstr("edges"));
}

TEST(HttpServer, ListensBeyondLoopbackOnlyWithTls) {
  HttpServer server({}, 1);
  for (const char* host : {"0.0.0.0", "::", "192.0.2.1"})
    EXPECT_THROW(server.listen({host, 0}, std::make_shared<Scripted>()), Error) << host;
}

TEST(HttpAddress, IsAHostAndAPort) {
  EXPECT_TRUE(parse_address("localhost:80").loopback());
  EXPECT_TRUE(parse_address("[::1]:0").loopback());
  EXPECT_TRUE(parse_address("127.1.2.3:65535").loopback());
  EXPECT_FALSE(parse_address("0.0.0.0:80").loopback());
  EXPECT_FALSE(parse_address("[::]:80").loopback());
  EXPECT_FALSE(parse_address("[::ffff:192.0.2.1]:80").loopback());
  for (const char* text :
       {"", "80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "name:80", "127.0.0.1:80x"})
    EXPECT_THROW(parse_address(text), Error) << text;
}

}  // namespace
}  // namespace hushwalk::service
