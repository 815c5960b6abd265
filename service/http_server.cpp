// Boost.Beast, and nothing that is ours but limits, times and the order of things. One network thread runs
// everything here, so that nothing needs a lock; workers reach it by posting.
#include <utility>  // Boost 1.74 forgets it for C++20

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast.hpp>
#include <boost/beast/ssl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <deque>
#include <set>
#include <type_traits>

#include "http.h"
#include "hushwalk/error.h"

namespace hushwalk::service {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using ErrorValue = beast::error_code;
using TlsStream = beast::ssl_stream<beast::tcp_stream>;

struct TlsContext {
  asio::ssl::context context{asio::ssl::context::tls_server};
};

namespace {

constexpr std::size_t first_read = 2'048;        // bytes of room for an idle connection
constexpr std::size_t most_ignored = 1U << 20U;  // bytes read after a refusal, so that it arrives
constexpr auto ignoring = std::chrono::seconds(2);

// What a parser does not refuse and nobody here needs. 0: nothing.
int fault_of(const http::request_header<>& header) {
  const auto count = [&](http::field name) { return header.count(name); };
  if (header.version() != 11) return 505;
  if (count(http::field::transfer_encoding) > 0) return 411;
  if (count(http::field::expect) > 0) return 417;
  if (count(http::field::upgrade) > 0) return 400;
  if (count(http::field::host) != 1) return 400;
  for (const auto name : {http::field::content_length, http::field::authorization, http::field::content_type})
    if (count(name) > 1) return 400;
  const auto target = header.target();
  const bool printable = std::ranges::all_of(target, [](char c) { return c > ' ' && c < 127; });
  return printable && target.starts_with('/') ? 0 : 400;
}

int status_of(const ErrorValue& error) {
  if (error == http::error::body_limit) return 413;
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  return 400;
}

bool is_syntax(const ErrorValue& error) {
  return error.category() == make_error_code(http::error::bad_version).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

HttpRequest request_of(http::request<http::string_body>&& read, std::string peer) {
  const auto text = [&](http::field name) { return std::string(read[name]); };
  HttpRequest request{.method = std::string(read.method_string()), .target = std::string(read.target())};
  const std::size_t mark = request.target.find('?');
  request.path = request.target.substr(0, mark);
  if (mark != std::string::npos) request.query = request.target.substr(mark + 1);
  request.authorization = text(http::field::authorization);
  request.accept = text(http::field::accept);
  request.content_type = text(http::field::content_type);
  request.body = std::move(read.body());
  request.peer = std::move(peer);
  return request;
}

// What a connection is about; the first ones lose the least when they are dropped.
enum class Stage {
  asking,   // idle, or in the midst of a question
  writing,  // of an answer that is not taken quickly, and may be had again
  working,
};

class AnySession {
 public:
  virtual ~AnySession() = default;
  virtual void stop_when_done() = 0;
  virtual void drop() = 0;
  void enter(Stage next) { stage = next, since = Clock::now(); }
  Stage stage = Stage::asking;
  Clock::time_point since = Clock::now();
  std::string network;  // where it comes from
};

// The address; of IPv6 what one customer has, who can use each address in it.
std::string network_of(const tcp::socket& socket) {
  ErrorValue error;
  const auto address = socket.remote_endpoint(error).address();
  if (!address.is_v6() || address.to_v6().is_v4_mapped()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return asio::ip::address_v6(bytes).to_string();
}

// What work on edges holds until the end of a bucket, also when nobody waits for it any more.
struct HeldPlace {
  Clock::time_point begun;
  std::shared_ptr<const std::uint64_t> pieces;  // of a reply that is complete
  std::shared_ptr<void> of_key;
};

struct Listener {
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  std::shared_ptr<Handler> handler;
  std::shared_ptr<TlsContext> tls;  // none: plain
};

}  // namespace

struct HttpServer::Impl {
  // Threads, and the requests that wait for one or are with one.
  struct Workers {
    explicit Workers(int wanted) : threads(static_cast<std::size_t>(wanted)) {}
    asio::thread_pool threads;
    std::atomic<std::uint64_t> queued = 0;
  };

  Impl(HttpLimits of, int workers)
      : limits(of), on_edges(workers), others(workers), background(1), free_places(workers) {}

  HttpLimits limits;
  std::atomic<std::uint64_t> open = 0;
  std::set<AnySession*> sessions;
  bool draining = false;
  asio::io_context io{1};
  asio::signal_set stop{io, SIGTERM, SIGINT}, again{io, SIGHUP};  // heard from now on, heeded by run()
  std::atomic<bool> over = false;                                 // nobody waits for anything any more
  Workers on_edges, others;
  asio::thread_pool background;
  int free_places;                            // for work on edges
  std::deque<std::function<void()>> waiting;  // for one
  std::vector<std::unique_ptr<Listener>> listeners;

  void accept(Listener& listener);
  void accepted(Listener& listener, tcp::socket socket);
  bool make_room(const std::string* network = nullptr);
  void begin_waiting();
  void hold_place(HeldPlace held);
  Clock::time_point end_of_bucket(const HeldPlace& held) const;
  void drain(const std::function<void()>& stopping);
  void cut_off();
  void join_workers() { others.threads.join(), on_edges.threads.join(), background.join(); }
  void stop_if_done() {
    if (draining && sessions.empty()) io.stop();
  }
};

namespace {

using Server = HttpServer::Impl;

template <class Stream>
class Session final : public AnySession, public std::enable_shared_from_this<Session<Stream>> {
 public:
  static constexpr bool encrypted = std::is_same_v<Stream, TlsStream>;

  template <class... Tls>
  Session(Server& server, std::shared_ptr<Handler> handler, std::shared_ptr<TlsContext> context,
          tcp::socket socket, Tls&... tls)
      : server_(server),
        handler_(std::move(handler)),
        context_(std::move(context)),
        stream_(std::move(socket), tls...),
        timer_(server.io) {
    ErrorValue error;
    const auto endpoint = lowest().socket().remote_endpoint(error);
    if (!error) peer_ = endpoint.address().to_string();
    network = network_of(lowest().socket());
    lowest().socket().set_option(tcp::no_delay(true), error);
    server_.sessions.insert(this);
    server_.open = server_.sessions.size();
  }
  ~Session() override { leave(); }

  void start() {
    if constexpr (encrypted) {
      lowest().expires_after(server_.limits.handshake);
      stream_.async_handshake(asio::ssl::stream_base::server, then([](Session& self, ErrorValue error) {
                                if (!error) self.wait_for_request();
                              }));
    } else {
      wait_for_request();
    }
  }

  void stop_when_done() override {
    last_ = true;
    if (stage == Stage::asking) drop();
  }
  void drop() override {
    gone_ = true;
    report(false);
    timer_.cancel();
    lowest().cancel(), lowest().socket().close(ignored_);
    leave();
  }

 private:
  class ReplyTo;

  beast::tcp_stream& lowest() { return beast::get_lowest_layer(stream_); }

  // A completion that keeps the session alive.
  template <class Function>
  auto then(Function function) {
    return
        [self = this->shared_from_this(), function](ErrorValue error, auto&&...) { function(*self, error); };
  }

  void leave() {
    server_.sessions.erase(this);
    server_.open = server_.sessions.size();
    server_.stop_if_done();
  }

  void wait_for_request() {
    enter(Stage::asking);
    if (last_) return close();
    if (buffer_.size() > 0) return read_header();
    buffer_.shrink_to_fit();
    lowest().expires_after(server_.limits.idle);
    stream_.async_read_some(buffer_.prepare(first_read),
                            [self = this->shared_from_this()](ErrorValue error, std::size_t bytes) {
                              if (error) return;
                              self->buffer_.commit(bytes);
                              self->read_header();
                            });
  }

  void read_header() {
    enter(Stage::asking);
    parser_.emplace();
    parser_->body_limit(server_.limits.body_bytes);
    parser_->header_limit(server_.limits.header_bytes);
    lowest().expires_after(server_.limits.read_header);  // for all of it, so that a trickle ends too
    http::async_read_header(stream_, buffer_, *parser_, then([](Session& self, ErrorValue error) {
                              if (error) return self.refuse_unread(error);
                              if (const int status = fault_of(self.parser_->get()))
                                return self.refuse(status);
                              self.read_body();
                            }));
  }

  void read_body() {
    lowest().expires_after(server_.limits.read_body);
    http::async_read(stream_, buffer_, *parser_, then([](Session& self, ErrorValue error) {
                       if (error) return self.refuse_unread(error);
                       self.dispatch();
                     }));
  }

  void refuse_unread(const ErrorValue& error) {
    if (error == http::error::body_limit || error == http::error::header_limit || is_syntax(error))
      refuse(status_of(error));
  }

  void refuse(int status) {
    last_ = ignore_rest_ = true;
    request_ = {.peer = peer_};
    write(handler_->problem(status), 0);
  }

  void dispatch() {
    lowest().expires_never();
    begun_ = Clock::now();  // once more when work on edges begins
    enter(Stage::working);
    if (!parser_->keep_alive()) last_ = true;
    request_ = request_of(parser_->release(), peer_);
    parser_.reset();
    Routed routed = handler_->route(request_);
    if (routed.now) return write(*routed.now, 0);
    in_buckets_ = routed.in_buckets;
    if (routed.before) return try_first(std::move(routed.before), std::move(routed.work));
    in_buckets_ ? work_on_edges(std::move(routed.work)) : work_on_others(std::move(routed.work));
  }

  void try_first(std::function<bool(Reply&)> before, std::function<void(Reply&)> work) {
    work_on_others([self = this->shared_from_this(), before = std::move(before),
                    work = std::move(work)](Reply& reply) mutable {
      if (!before(reply))
        asio::post(self->server_.io,
                   [self, work = std::move(work)]() mutable { self->work_on_edges(std::move(work)); });
    });
  }

  void work_on_others(std::function<void(Reply&)> work) {
    if (has_no_place_in(server_.others)) return;
    give(server_.others, std::move(work), [&server = server_] { --server.others.queued; });
  }

  void work_on_edges(std::function<void(Reply&)> work) {
    if (has_no_place_in(server_.on_edges)) return;
    server_.waiting.emplace_back([self = this->shared_from_this(), work = std::move(work)]() mutable {
      self->begun_ = Clock::now();
      self->in_all_ = std::make_shared<std::uint64_t>(0);
      self->give(
          self->server_.on_edges, std::move(work),
          [&server = self->server_, held = HeldPlace{self->begun_, self->in_all_, self->request_.place}] {
            asio::post(server.io, [&server, held] { server.hold_place(held); });
          });
    });
    server_.begin_waiting();
  }

  bool has_no_place_in(Server::Workers& workers) {
    if (workers.queued < server_.limits.queue) return ++workers.queued, false;
    write(handler_->problem(503), 0);
    return true;
  }

  template <class Done>
  void give(Server::Workers& workers, std::function<void(Reply&)> work, Done done) {
    asio::post(workers.threads, [reply = std::make_shared<ReplyTo>(this->shared_from_this()),
                                 work = std::move(work), done = std::move(done)]() mutable {
      work(*reply);
      work = nullptr;
      reply.reset();
      done();
    });
  }

  // Which bucket of time it is now, counted from when the work began.
  std::uint64_t bucket_now() const {
    return static_cast<std::uint64_t>((Clock::now() - begun_) / server_.limits.bucket) + 1;
  }

  template <class Function>
  void at_end_of_bucket(std::uint64_t bucket, Function function) {
    timer_.expires_at(begun_ + bucket * server_.limits.bucket);
    timer_.async_wait(then([function](Session& self, ErrorValue error) {
      if (!error) function(self);
    }));
  }

  void answer(HttpResponse response) {
    if (!in_buckets_) return write(response, 0);
    const std::uint64_t bucket = bucket_now();
    held_ = std::move(response);
    at_end_of_bucket(bucket, [bucket](Session& self) { self.write(std::exchange(self.held_, {}), bucket); });
  }

  template <class Message>
  void set_head(Message& message, const HttpResponse& response) {
    message.result(static_cast<unsigned>(response.status));
    message.version(11);
    message.set(http::field::content_type, response.type);
    for (const auto& [name, value] : response.headers) message.set(name, value);
    message.keep_alive(!last_);
  }

  void write(const HttpResponse& response, std::uint64_t bucket) {
    body_ = response.body ? response.body : std::make_shared<const std::string>();
    message_.emplace();
    set_head(*message_, response);
    message_->body() = beast::span<const char>(body_->data(), body_->size());
    message_->prepare_payload();
    handler_->replied(request_, {response.status, body_->size(), bucket});
    if (response.when_it_leaves) response.when_it_leaves();
    begin_writing();
    http::async_write(stream_, *message_, then([](Session& self, ErrorValue error) { self.written(error); }));
  }

  void begin_writing() {
    enter(Stage::writing);
    lowest().expires_after(server_.limits.write);
  }

  void written(const ErrorValue& error) {
    message_.reset();
    body_.reset();
    request_ = {};
    if (error) return;
    last_ ? close() : wait_for_request();
  }

  // A reply in pieces. Whatever has come together leaves when a bucket ends.
  void begin_pieces(HttpResponse head) {
    held_ = std::move(head);
    pieces_.clear();
    sending_.clear();
    head_sent_ = ended_ = aborted_ = no_more_ = false;
    given_ = left_ = 0;
    unreported_ = true;
    released_ = 0, sent_bytes_ = 0;
    wait_for_pieces();
  }
  void wait_for_pieces() {
    enter(Stage::working);
    const std::uint64_t bucket = bucket_now();
    at_end_of_bucket(bucket, [bucket](Session& self) { self.send_pieces(bucket); });
  }
  // What is there at the end of a bucket, and no more: who takes it slowly learns no finer time. The n-th
  // piece leaves in the n-th bucket or later, as if each had been asked for by itself.
  void send_pieces(std::uint64_t bucket) {
    if (aborted_) return drop();
    for (; !pieces_.empty() && left_ < bucket; ++left_) {
      sending_ += pieces_.front();
      pieces_.pop_front();
    }
    no_more_ = ended_ && pieces_.empty();
    head_sent_ ? send_taken() : send_head(bucket);
  }
  void send_taken() {
    if (sending_.empty()) return no_more_ ? send_last_chunk() : wait_for_pieces();
    begin_writing();
    asio::async_write(stream_, http::make_chunk(asio::buffer(sending_)),
                      then([](Session& self, ErrorValue error) {
                        if (error) return self.drop();
                        self.sent_bytes_ += self.sending_.size();
                        self.sending_.clear();
                        self.no_more_ ? self.send_last_chunk() : self.wait_for_pieces();
                      }));
  }
  void send_head(std::uint64_t bucket) {
    head_sent_ = true;
    released_ = bucket;
    chunked_.emplace();
    set_head(*chunked_, held_);
    chunked_->chunked(true);
    serializer_.emplace(*chunked_);
    begin_writing();
    http::async_write_header(stream_, *serializer_, then([](Session& self, ErrorValue error) {
                               error ? self.drop() : self.send_taken();
                             }));
  }
  void send_last_chunk() {
    begin_writing();
    asio::async_write(stream_, http::make_chunk_last(), then([](Session& self, ErrorValue error) {
                        if (error) return self.drop();
                        self.report(true);
                        self.serializer_.reset();
                        self.chunked_.reset();
                        self.written(error);
                      }));
  }
  // Once, when all pieces have left or no more will.
  void report(bool complete) {
    if (std::exchange(unreported_, false))
      handler_->replied(request_, {held_.status, sent_bytes_, released_, complete});
  }

  void close() {
    enter(Stage::asking);
    if (ignore_rest_) return ignore_rest();
    if constexpr (encrypted) {
      lowest().expires_after(server_.limits.handshake);
      stream_.async_shutdown(then([](Session&, ErrorValue) {}));
    } else {
      lowest().socket().shutdown(tcp::socket::shutdown_send, ignored_);
    }
  }

  // To close while the client is still sending would take its answer away from it.
  void ignore_rest() {
    if (ignored_bytes_ == 0) {
      lowest().socket().shutdown(tcp::socket::shutdown_send, ignored_);
      lowest().expires_after(ignoring);
    }
    buffer_.clear();
    lowest().async_read_some(buffer_.prepare(first_read),
                             [self = this->shared_from_this()](ErrorValue error, std::size_t bytes) {
                               self->ignored_bytes_ += bytes;
                               if (!error && self->ignored_bytes_ < most_ignored) self->ignore_rest();
                             });
  }

  Server& server_;
  std::shared_ptr<Handler> handler_;
  std::shared_ptr<TlsContext> context_;
  Stream stream_;
  asio::steady_timer timer_;
  std::string peer_;
  beast::flat_buffer buffer_{2 * (server_.limits.header_bytes + server_.limits.body_bytes)};
  std::optional<http::request_parser<http::string_body>> parser_;
  HttpRequest request_;
  Clock::time_point begun_;  // work on edges
  bool in_buckets_ = false, last_ = false, ignore_rest_ = false;
  std::size_t ignored_bytes_ = 0;
  ErrorValue ignored_;

  HttpResponse held_;
  std::shared_ptr<const std::string> body_;
  std::optional<http::response<http::span_body<const char>>> message_;
  std::optional<http::response<http::empty_body>> chunked_;
  std::optional<http::response_serializer<http::empty_body>> serializer_;
  std::deque<std::string> pieces_;
  std::string sending_;
  std::uint64_t given_ = 0, left_ = 0;  // pieces, and how many of them have been taken for sending
  std::shared_ptr<std::uint64_t> in_all_ = std::make_shared<std::uint64_t>(0);  // once the reply is complete
  bool head_sent_ = false, ended_ = false, aborted_ = false, no_more_ = false, unreported_ = false;
  std::uint64_t released_ = 0, sent_bytes_ = 0;
  std::atomic<bool> gone_ = false;
};

template <class Stream>
class Session<Stream>::ReplyTo final : public Reply {
 public:
  explicit ReplyTo(std::shared_ptr<Session> session)
      : io_(session->server_.io), session_(std::move(session)) {}
  // The session ends on the network thread, like everything of it.
  ~ReplyTo() override {
    asio::post(io_, [session = std::move(session_)] {});
  }

  void send(HttpResponse response) override {
    post([response = std::move(response)](Session& to) mutable { to.answer(std::move(response)); });
  }
  void send_now(HttpResponse response) override {
    post([response = std::move(response)](Session& to) { to.write(response, 0); });
  }
  void begin(HttpResponse head) override {
    post([head = std::move(head)](Session& to) mutable { to.begin_pieces(std::move(head)); });
  }
  void piece(std::string text) override {
    post([text = std::move(text)](Session& to) mutable {
      to.pieces_.push_back(std::move(text));
      ++to.given_;
    });
  }
  void end() override {
    post([](Session& to) {
      to.ended_ = true;
      *to.in_all_ = to.given_;
    });
  }
  void abort() override {
    post([](Session& to) { to.aborted_ = true; });
  }
  bool wanted() const override { return !session_->gone_ && !session_->server_.over; }

 private:
  template <class Function>
  void post(Function function) {
    asio::post(io_, [session = session_, function = std::move(function)]() mutable { function(*session); });
  }
  asio::io_context& io_;
  std::shared_ptr<Session> session_;
};

}  // namespace

void HttpServer::Impl::accept(Listener& listener) {
  listener.acceptor.async_accept([this, &listener](ErrorValue error, tcp::socket socket) {
    if (error == asio::error::operation_aborted || draining) return;
    if (!error) {
      accepted(listener, std::move(socket));
      return accept(listener);
    }
    if (error == asio::error::no_descriptors && make_room()) return accept(listener);
    listener.pause.expires_after(std::chrono::milliseconds(100));
    listener.pause.async_wait([this, &listener](ErrorValue stopped) {
      if (!stopped) accept(listener);
    });
  });
}

// A new connection is worth more than one that has nothing to say, or does not take what is said. Of this
// network, where one is given. False: all are worked for.
bool HttpServer::Impl::make_room(const std::string* network) {
  AnySession* least = nullptr;
  for (AnySession* session : sessions) {
    if (session->stage == Stage::working || (network && session->network != *network)) continue;
    if (!least || std::pair(session->stage, session->since) < std::pair(least->stage, least->since))
      least = session;
  }
  if (least) least->drop();
  return least;
}

void HttpServer::Impl::accepted(Listener& listener, tcp::socket socket) {
  const std::string network = network_of(socket);
  const auto neighbours = [&] { return std::ranges::count(sessions, network, &AnySession::network); };
  if (sessions.size() >= limits.connections_per_address &&
      static_cast<std::uint64_t>(neighbours()) >= limits.connections_per_address && !make_room(&network))
    return;  // it is closed
  if (sessions.size() >= limits.connections && !make_room()) return;
  if (listener.tls) {
    std::make_shared<Session<TlsStream>>(*this, listener.handler, listener.tls, std::move(socket),
                                         listener.tls->context)
        ->start();
  } else {
    std::make_shared<Session<beast::tcp_stream>>(*this, listener.handler, nullptr, std::move(socket))
        ->start();
  }
}

// When the place is free again: at the end of the present bucket, or of the one in which the last piece of
// the reply may leave, whichever is later.
Clock::time_point HttpServer::Impl::end_of_bucket(const HeldPlace& held) const {
  const auto bucket = static_cast<std::uint64_t>((Clock::now() - held.begun) / limits.bucket) + 1;
  return held.begun + std::max(bucket, *held.pieces) * limits.bucket;
}

void HttpServer::Impl::begin_waiting() {
  while (free_places > 0 && !waiting.empty()) {
    --free_places;
    const auto begin = std::move(waiting.front());
    waiting.pop_front();
    begin();
  }
}

// The work is done; its place, and that of its key, is free when a bucket ends.
void HttpServer::Impl::hold_place(HeldPlace held) {
  auto timer = std::make_shared<asio::steady_timer>(io, end_of_bucket(held));
  timer->async_wait([this, timer, of_key = std::move(held.of_key)](ErrorValue) mutable {
    of_key.reset();
    ++free_places;
    --on_edges.queued;
    begin_waiting();
  });
}

void HttpServer::Impl::drain(const std::function<void()>& stopping) {
  if (std::exchange(draining, true)) return io.stop();  // asked twice
  stopping();
  ErrorValue ignored;
  for (const auto& listener : listeners) ignored = listener->acceptor.close(ignored);
  const std::vector<AnySession*> now(sessions.begin(), sessions.end());
  for (AnySession* session : now) session->stop_when_done();
  stop_if_done();
}

// Whoever is still there gets nothing more; what waits for a worker never begins, and so is not charged.
void HttpServer::Impl::cut_off() {
  draining = false;
  over = true;
  const std::vector<AnySession*> left(sessions.begin(), sessions.end());
  for (AnySession* session : left) session->drop();
  others.threads.stop(), on_edges.threads.stop(), background.stop();
  join_workers();
}

HttpServer::HttpServer(HttpLimits limits, int workers) : impl_(std::make_unique<Impl>(limits, workers)) {}
HttpServer::~HttpServer() { impl_->join_workers(); }

std::string HttpServer::listen(const HttpAddress& address, std::shared_ptr<Handler> handler,
                               const std::optional<TlsFiles>& tls) {
  if (!tls && !address.loopback())
    throw Error(
        ErrorCode::refused,
        fmt::format(
            "'{}' can be reached from other machines, and without TLS everybody on the way would read keys and answers; give a certificate and a key in [tls], or listen on 127.0.0.1",
            address.host));
  auto context = tls ? read_tls(*tls) : nullptr;
  tcp::acceptor acceptor{impl_->io};
  try {
    const tcp::endpoint endpoint{asio::ip::make_address(address.host), address.port};
    acceptor.open(endpoint.protocol());
    acceptor.set_option(asio::socket_base::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen(1024);
  } catch (const boost::system::system_error& error) {
    throw Error(ErrorCode::failed, fmt::format("cannot listen on '{}' port {}: {}", address.host,
                                               address.port, error.code().message()));
  }
  const auto local = acceptor.local_endpoint();
  impl_->listeners.push_back(std::make_unique<Listener>(
      Listener{std::move(acceptor), asio::steady_timer(impl_->io), std::move(handler), std::move(context)}));
  const std::string host = local.address().to_string();
  return fmt::format("{}://{}:{}", tls ? "https" : "http", local.address().is_v6() ? "[" + host + "]" : host,
                     local.port());
}

std::shared_ptr<TlsContext> read_tls(const TlsFiles& files) {
  auto tls = std::make_shared<TlsContext>();
  asio::ssl::context& context = tls->context;
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_3_VERSION);
  SSL_CTX_set_options(context.native_handle(), SSL_OP_NO_RENEGOTIATION);
  ErrorValue error;
  if (context.use_certificate_chain_file(files.certificate, error))
    throw Error(ErrorCode::failed,
                fmt::format("cannot use the TLS certificate '{}': {}", files.certificate, error.message()));
  if (context.use_private_key_file(files.key, asio::ssl::context::pem, error) ||
      SSL_CTX_check_private_key(context.native_handle()) != 1)
    throw Error(ErrorCode::failed,
                fmt::format("cannot use the TLS key '{}': {}", files.key,
                            error ? error.message() : "it is not that of the certificate"));
  return tls;
}

void HttpServer::renew_tls(const std::shared_ptr<TlsContext>& tls) {
  for (const auto& listener : impl_->listeners)
    if (listener->tls) listener->tls = tls;
}

void HttpServer::run(const std::function<void()>& reload, const std::function<void()>& stopping,
                     const std::function<void()>& every_second) {
  Impl& server = *impl_;
  asio::steady_timer deadline{server.io}, second{server.io};
  std::function<void()> wait_for_stop = [&] {
    server.stop.async_wait([&](ErrorValue error, int) {
      if (error) return;
      deadline.expires_after(server.limits.drain);
      deadline.async_wait([&](ErrorValue cancelled) {
        if (!cancelled) server.io.stop();
      });
      server.drain(stopping);
      wait_for_stop();
    });
  };
  std::function<void()> wait_for_reload = [&] {
    server.again.async_wait([&](ErrorValue error, int) {
      if (error) return;
      reload();
      wait_for_reload();
    });
  };
  std::function<void()> tick = [&] {
    second.expires_after(std::chrono::seconds(1));
    second.async_wait([&](ErrorValue error) {
      if (error) return;
      every_second();
      tick();
    });
  };
  wait_for_stop();
  wait_for_reload();
  tick();
  for (const auto& listener : server.listeners) server.accept(*listener);
  try {
    server.io.run();
  } catch (...) {  // nothing goes on that whoever called this has given up
    server.cut_off();
    throw;
  }
  server.cut_off();
}

bool HttpServer::is_over() const { return impl_->over; }
void HttpServer::in_background(std::function<void()> work) { asio::post(impl_->background, std::move(work)); }
void HttpServer::on_network(std::function<void()> action) { asio::post(impl_->io, std::move(action)); }
std::uint64_t HttpServer::connections() const { return impl_->open; }
std::uint64_t HttpServer::queued() const { return impl_->others.queued + impl_->on_edges.queued; }

bool HttpAddress::loopback() const {
  ErrorValue error;
  const auto address = asio::ip::make_address(host, error);
  return !error && address.is_loopback();
}

HttpAddress parse_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto fail = [&] {
    throw Error(ErrorCode::usage,
                fmt::format("'{}' is not an address with a port; write 127.0.0.1:8080 or [::1]:8080", text));
  };
  if (colon == std::string::npos) fail();
  std::string host = text.substr(0, colon), port = text.substr(colon + 1);
  if (host == "localhost") host = "127.0.0.1";
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  ErrorValue error;
  asio::ip::make_address(host, error);
  const bool number = !port.empty() && port.size() <= 5 &&
                      std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; });
  if (error || !number || std::stoul(port) > 65'535) fail();
  return {host, static_cast<std::uint16_t>(std::stoul(port))};
}

}  // namespace hushwalk::service
