// HTTP as the rest of the service sees it: a request that is complete and within its limits, and a reply.
// Which library speaks it is known to http_server.cpp alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hushwalk::service {

// What the log may say of a request. Written by whoever works on it, read when the reply has left.
struct RequestNote {
  std::string key, route, graph;  // the id of the key; the route without its parameters
  std::string nodes = {};         // whom it asked about, where the log is to say so
  double epsilon = 0;             // what was charged to the one who asked
};

struct HttpRequest {
  std::string method = {}, target = {};  // the target as it was sent
  std::string path = {}, query = {};     // its parts, before and after the first '?'
  std::string authorization = {}, accept = {}, content_type = {};
  std::string body = {};
  std::string peer = {};  // the address it came from, without the port
  std::shared_ptr<RequestNote> note = {};
  std::shared_ptr<void> place = {};  // given back on the network thread when the reply has been taken
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::shared_ptr<const std::string> body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  // beside those that every reply has
  std::function<void()> when_it_leaves = {};                      // on the network thread
};
// With the headers that every reply has: nothing is stored, framed, guessed or sent on.
HttpResponse response_with(int status, std::string type, std::string body);

// Where a worker puts its reply, once: whole, or in pieces. Any thread may call; nobody waits for the client.
class Reply {
 public:
  virtual ~Reply() = default;
  virtual void send(HttpResponse response) = 0;
  // At once, where send() would wait for the end of a bucket: for what depends on no edge.
  virtual void send_now(HttpResponse response) = 0;
  // Pieces are sent when buckets of time end, at most one for each bucket that has passed.
  virtual void begin(HttpResponse head) = 0;
  virtual void piece(std::string text) = 0;
  virtual void end() = 0;
  virtual void abort() = 0;         // the client sees that it is not complete
  virtual bool wanted() const = 0;  // false: nobody is there to get it any more
};

// What became of a request, for the log.
struct Replied {
  int status = 200;
  std::uint64_t bytes = 0;
  std::uint64_t release = 0;  // in what bucket it left, from 1; 0: in none
  bool complete = true;       // false: it ended in the midst of its pieces
};

// What is to be done with a request: an answer that is there, or work. What depends on edges has workers and
// a queue of its own: whoever waits for the others learns nothing of how long it takes.
struct Routed {
  std::optional<HttpResponse> now = {};
  std::function<bool(Reply&)> before = {};  // tried first, as work that depends on no edge; true: it replied
  std::function<void(Reply&)> work = {};    // on a worker; must not throw
  bool in_buckets =
      false;  // depends on edges: the reply leaves when a bucket ends, so that its time says little
};

class Handler {
 public:
  virtual ~Handler() = default;
  virtual Routed route(HttpRequest& request) = 0;  // on the network thread: must not wait
  virtual HttpResponse problem(int status) = 0;    // what the server itself refuses
  virtual void replied(const HttpRequest& request, const Replied& what) = 0;  // given to the network
};

struct HttpLimits {
  std::uint64_t body_bytes = 65'536;
  std::uint32_t header_bytes = 8'192;
  std::uint64_t connections = 2'000;
  std::uint64_t connections_per_address = 1'500;
  std::uint64_t queue = 64;                // requests that wait for a worker or are with one, of either kind
  std::chrono::milliseconds idle{60'000};  // between requests
  std::chrono::milliseconds handshake{10'000};    // of TLS
  std::chrono::milliseconds read_header{10'000};  // from its first byte on
  std::chrono::milliseconds read_body{10'000};
  std::chrono::milliseconds write{30'000};
  std::chrono::milliseconds drain{30'000};  // when asked to stop
  std::chrono::milliseconds bucket{250};
};

struct TlsFiles {
  std::string certificate, key;  // PEM
};

// Certificate and key, read and found to fit. Error{failed} when they do not.
struct TlsContext;
std::shared_ptr<TlsContext> read_tls(const TlsFiles& files);

struct HttpAddress {
  std::string host;
  std::uint16_t port = 0;
  bool loopback() const;
};
HttpAddress parse_address(const std::string& text);  // 127.0.0.1:8080, [::1]:8080; Error{usage}

// One network thread and two pools of workers. Work on edges begins when one of `workers` places is free. Its
// reply leaves at the end of a bucket that is counted from there, and so long it keeps the place, so that
// what begins next shows no finer time either. Listeners are added before run().
class HttpServer {
 public:
  HttpServer(HttpLimits limits, int workers);
  ~HttpServer();
  // Returns the address, with the port that the system chose where 0 was asked for. Error{refused} beyond
  // loopback without TLS, Error{failed} when it cannot listen.
  std::string listen(const HttpAddress& address, std::shared_ptr<Handler> handler,
                     const std::optional<TlsFiles>& tls = {});
  // Until SIGTERM or SIGINT; what was begun is completed, unless it takes longer than `drain` or a second
  // signal comes. `reload` is called on SIGHUP, `every_second` so.
  void run(const std::function<void()>& reload, const std::function<void()>& stopping,
           const std::function<void()>& every_second);
  // For connections to come.
  void renew_tls(const std::shared_ptr<TlsContext>& tls);
  bool is_over() const;  // any thread: nobody waits for anything any more
  // Long work beside the network, one after another, and what is to be done with it there afterwards. Neither
  // may throw.
  void in_background(std::function<void()> work);
  void on_network(std::function<void()> action);
  std::uint64_t connections() const;
  std::uint64_t queued() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace hushwalk::service
