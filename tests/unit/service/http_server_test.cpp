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
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr auto never = 60min;

HttpResponse said(std::string text) { return response_with(200, "text/plain", std::move(text)); }

// Work on edges begins, and ends when it is let.
class Scripted final : public Handler {
 public:
  Routed route(HttpRequest& request) override {
    if (request.path == "/now") return {.now = said("now")};
    if (request.path == "/others") return {.work = [](Reply& reply) { reply.send(said("others")); }};
    if (request.path == "/large") return {.now = large_};
    if (request.path == "/pieces")
      return {.work = [](Reply& reply) { in_pieces(reply), reply.end(); }, .in_buckets = true};
    if (request.path == "/aborted")
      return {.work = [](Reply& reply) { in_pieces(reply), reply.abort(); }, .in_buckets = true};
    if (request.path == "/endless") {
      request.place = std::shared_ptr<void>(nullptr, [this](void*) { place_is_free = true; });
      return {.work = [this](Reply& reply) { until_nobody_waits(reply); }, .in_buckets = true};
    }
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
  void replied(const HttpRequest&, const Replied& what) override { replies.push_back(what); }

  std::counting_semaphore<> begun{0}, let{0}, ended{0};
  std::atomic<bool> left = false, place_is_free = false;
  std::vector<Replied> replies;  // of the network thread

 private:
  static void in_pieces(Reply& reply) {
    reply.begin(said(""));
    reply.piece("one ");
    reply.piece("two");
  }
  void until_nobody_waits(Reply& reply) {
    begun.release();
    reply.begin(said(""));
    for (; reply.wanted(); std::this_thread::sleep_for(1ms)) reply.piece("more ");
    ended.release();
  }
  void on_edges(Reply& reply) {
    begun.release();
    let.acquire();
    HttpResponse response = said("edges");
    response.when_it_leaves = [this] { left = true; };
    reply.send(std::move(response));
    ended.release();
  }
  const HttpResponse large_ = said(std::string(30'000'000, 'x'));  // more than fits on the way
};

class Client {
 public:
  Client(int port, const std::string& text) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 1800, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
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
      : Running(HttpLimits{.queue = queue, .drain = 1ms, .bucket = bucket}, workers) {}
  explicit Running(const HttpLimits& limits, int workers = 1) : server_(limits, workers) {
    const std::string address = server_.listen({"127.0.0.1", 0}, handler);
    port_ = std::stoi(address.substr(address.rfind(':') + 1));
    thread_ = std::thread([this] { server_.run([] {}, [] {}, [] {}); });
    EXPECT_THAT(ask("/now"), HasSubstr("now"));  // it runs, and hears signals
  }
  ~Running() {
    handler->let.release(100);
    if (thread_.joinable()) stop();
  }
  void stop() {
    kill(getpid(), SIGTERM);
    thread_.join();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  std::unique_ptr<Client> begin(const std::string& path) const {
    return say("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  }
  std::unique_ptr<Client> say(const std::string& text) const { return std::make_unique<Client>(port_, text); }
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
  EXPECT_GT(running.handler->replies.back().release, 20U) << "the first buckets are over";
}

TEST(HttpServer, BeginsWhatWaitsWhenABucketEndsAndNotBefore) {
  const Running running(never);
  running.handler->let.release(2);
  const auto first = running.begin("/edges");
  running.handler->begun.acquire();
  running.handler->ended.acquire();
  const auto second = running.begin("/edges");
  while (running.queued() < 2) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(running.handler->begun.try_acquire()) << "that the first is computed shows in the second";
}

TEST(HttpServer, CountsBucketsFromTheBeginningOfTheWorkWhateverItWaitedFor) {
  constexpr auto bucket = 200ms;
  Running running(bucket);
  const auto filler = running.begin("/edges"), asked = running.begin("/edges");
  running.handler->begun.acquire();
  while (running.queued() < 2) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(11 * bucket);
  const auto begun = std::chrono::steady_clock::now();  // the work of the second is still to begin
  running.handler->let.release(2);
  EXPECT_THAT(filler->reply(), HasSubstr("edges"));
  EXPECT_THAT(asked->reply(), HasSubstr("edges"));
  const auto buckets = static_cast<std::uint64_t>((std::chrono::steady_clock::now() - begun) / bucket);
  running.stop();
  ASSERT_EQ(running.handler->replies.size(), 3U);
  EXPECT_GE(running.handler->replies[1].release, 11U);
  EXPECT_LE(running.handler->replies[2].release, buckets + 2) << "what it waited for is counted, too";
}

TEST(HttpServer, SendsOnePieceInABucketAndKeepsThePlaceForAll) {
  constexpr auto bucket = 200ms;
  Running running(bucket);
  const auto begun = std::chrono::steady_clock::now();
  const auto first = running.begin("/pieces"), second = running.begin("/straight");
  EXPECT_THAT(first->reply(), HasSubstr("two"));
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 2 * bucket) << "both were there in the first";
  running.handler->begun.acquire();
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 2 * bucket) << "that both were there shows in the next";
}

// The work sees that nobody waits when its first piece has left, at the end of a bucket.
TEST(HttpServer, KeepsThePlaceOfAKeyUntilABucketEndsAlsoWhenNobodyWaits) {
  constexpr auto bucket = 200ms;
  const Running running(bucket);
  const auto asked = std::chrono::steady_clock::now();
  running.begin("/endless");  // and goes away
  while (!running.handler->place_is_free) std::this_thread::sleep_for(1ms);
  EXPECT_GE(std::chrono::steady_clock::now() - asked, 2 * bucket)
      << "when the work ended shows to who asks with the same key";
}

TEST(HttpServer, SaysOfPiecesWhatLeftAndWhetherItWasAll) {
  Running running(1ms);
  EXPECT_THAT(running.ask("/pieces"), AllOf(HasSubstr("one "), HasSubstr("two")));
  running.ask("/aborted");
  running.stop();
  ASSERT_EQ(running.handler->replies.size(), 3U);
  EXPECT_TRUE(running.handler->replies[1].complete);
  EXPECT_EQ(running.handler->replies[1].bytes, 7U);
  EXPECT_FALSE(running.handler->replies[2].complete);
}

// More than there are places for, and for those that may be closing.
std::vector<std::unique_ptr<Client>> many(const Running& running, const std::string& text) {
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 90; ++i) clients.push_back(running.say(text));
  return clients;
}

TEST(HttpServer, GivesTheRoomOfThoseWhoDoNotEndTheirQuestionToOthers) {
  const Running running(HttpLimits{.connections = 20, .drain = 1ms});
  const auto slow = many(running, "POST /now HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\na");
  for (int i = 0; i < 5; ++i) EXPECT_THAT(running.ask("/now"), HasSubstr("now"));
}

TEST(HttpServer, GivesTheRoomOfThoseWhoDoNotTakeTheirAnswerToOthers) {
  const Running running(HttpLimits{.connections = 20, .drain = 1ms});
  const auto slow = many(running, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  for (int i = 0; i < 5; ++i) EXPECT_THAT(running.ask("/now"), HasSubstr("now"));
}

TEST(HttpServer, GivesNobodyTheRoomOfThoseWhoAreWorkedFor) {
  const Running running(HttpLimits{.connections = 2, .drain = 1ms, .bucket = 1ms}, 2);
  const auto first = running.begin("/straight"), second = running.begin("/straight");
  for (int i = 0; i < 2; ++i) running.handler->begun.acquire();
  EXPECT_EQ(running.ask("/now"), "");
  running.handler->let.release(2);
  EXPECT_THAT(first->reply() + second->reply(), HasSubstr("edges"));
}

TEST(HttpServer, HasSoManyPlacesForEachAddress) {
  const Running running(HttpLimits{.connections_per_address = 3, .drain = 1ms});
  const auto first = running.say("");
  const auto second = running.say(""), third = running.say("");
  EXPECT_THAT(running.ask("/now"), HasSubstr("now"));
  EXPECT_EQ(first->reply(), "") << "the oldest was closed";
  EXPECT_FALSE(second->has_reply());
}

TEST(HttpServer, DoesNotBeginWhatWaitsWhenItIsOver) {
  Running running(HttpLimits{.drain = 1ms, .bucket = 1ms});
  const auto worked_for = running.begin("/endless"), waits = running.begin("/straight");
  running.handler->begun.acquire();
  while (running.queued() < 2) std::this_thread::sleep_for(1ms);
  running.stop();
  EXPECT_TRUE(running.handler->ended.try_acquire()) << "what goes on sees that nobody waits for it";
  EXPECT_FALSE(running.handler->begun.try_acquire());
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
  // Others have a place of their own, which the question before gives back a moment after its reply.
  std::string others = running.ask("/others");
  while (others.starts_with("HTTP/1.1 503")) others = running.ask("/others");
  EXPECT_THAT(others, HasSubstr("others"));
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
