// The service as a handler of requests: who asks, may they, what do they get. See docs/service.md.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "bounded.h"
#include "config.h"
#include "hosted.h"
#include "http.h"
#include "hushwalk/error.h"
#include "json_request.h"
#include "keys.h"
#include "watch.h"

namespace hushwalk::service {

// All that a configuration names, opened and found good.
struct Prepared {
  Config config;
  KeyStore keys;
  KeyRing ring;
  LogFile log;
  Hosted hosted;
};
// Any thread. Of what `before` has open, what did not change is used on. Error when anything cannot be used;
// then nothing was charged, unless an artefact itself could not be made after others were.
Prepared prepare(const Config& config, const Hosted& before = {}, const Progress& progress = {});

// For the network thread, but for log(); what is handed to workers is shared and not altered.
class Service final : public Handler {
 public:
  explicit Service(Prepared prepared);

  Routed route(HttpRequest& request) override;
  HttpResponse problem(int status) override;
  void replied(const HttpRequest& request, const Replied& what) override;

  void take(Prepared prepared);  // goes on with another configuration
  const Hosted& hosted() const { return hosted_; }
  // Keys that another process made or revoked. When they cannot be read the log says so.
  void look_for_keys();
  void stop_being_ready() { ready_ = false; }
  std::string metrics_text(std::uint64_t connections, std::uint64_t queued);
  AccessLog& log() { return log_; }
  NewKey add_key(const AccessKey& wanted);  // any thread; valid at once

 private:
  struct Call;  // a request whose key is known
  using Work = std::function<HttpResponse()>;

  // Error{failed} when they cannot be read; while some of our own making were not, nobody comes in.
  void refresh_keys();
  Routed open_to_all(const HttpRequest& request);
  Routed with_key(HttpRequest& request, const std::string& route, const std::vector<std::string>& parts);
  Routed refused_key(const HttpRequest& request);
  Routed of_graph(const Call& call, const std::string& what);
  Routed key_routes(const Call& call);
  Routed rank(const Call& call);
  Routed worked(const Call& call, Work work, bool in_buckets);

  HttpResponse graphs(const AccessKey& key) const;
  struct CachedAs {
    std::string question;
    std::int64_t forgotten;  // before it is answered: what is forgotten meanwhile is not repeated
  };
  bool repeat(const Call& call, const std::string& question, Reply& reply);  // false: not in memory
  void answer(const Call& call, const CachedAs& as, Reply& reply);
  void complain(const Error& error);
  template <class Action>
  void guarded(Reply& reply, Action action);

  Config config_;
  Hosted hosted_;
  KeyStore store_;
  std::mutex store_mutex_;
  KeyRing ring_;
  std::int64_t keys_version_ = -1;
  std::atomic<bool> keys_changed_ = false;
  std::atomic<bool> ready_ = true;
  AnswerCache cache_;
  RateLimits rates_, failures_;
  Places places_;
  AccessLog log_;
  Metrics metrics_;
};

// The description of all this, as OpenAPI 3.1.
const std::string& openapi_document();

}  // namespace hushwalk::service
