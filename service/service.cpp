#include "service.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "hushwalk/advice.h"
#include "hushwalk/answer_files.h"
#include "hushwalk/codec.h"
#include "hushwalk/graph_notes.h"
#include "hushwalk/node_search.h"
#include "hushwalk/own_account.h"
#include "hushwalk/verify.h"
#include "hushwalk/version.h"
#include "page.h"
#include "problem.h"

namespace hushwalk::service {
namespace {

using Json = nlohmann::ordered_json;
constexpr auto cache_age = std::chrono::seconds(60);
constexpr const char* page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

HttpResponse json_response(std::string text, int status = 200) {
  if (!text.ends_with('\n')) text += '\n';
  return response_with(status, "application/json", std::move(text));
}
HttpResponse json_response(const Json& document, int status = 200) {
  return json_response(document.dump(2, ' ', false, Json::error_handler_t::replace), status);
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t at = 1; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// Once: what stands for a percent sign stays one. Error{usage} for half an escape.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      plain += text[at] == '+' ? ' ' : text[at];
      continue;
    }
    const int high = at + 2 < text.size() ? hex_digit(text[at + 1]) : -1,
              low = at + 2 < text.size() ? hex_digit(text[at + 2]) : -1;
    if (high < 0 || low < 0) throw Error(ErrorCode::usage, "the query has a '%' without two hex digits");
    plain += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return plain;
}

// Values by name. Error{usage} for a name that is not among the known ones, or given twice.
std::map<std::string, std::string> query_of(const std::string& query,
                                            std::initializer_list<const char*> known) {
  std::map<std::string, std::string> values;
  for (std::size_t at = 0; at < query.size();) {
    const std::size_t end = std::min(query.find('&', at), query.size());
    const std::string_view one = std::string_view(query).substr(at, end - at);
    at = end + 1;
    if (one.empty()) continue;
    const std::size_t equals = std::min(one.find('='), one.size());
    const std::string key = decoded(one.substr(0, equals));
    if (std::ranges::count(known, key) == 0)
      throw Error(ErrorCode::usage,
                  fmt::format("the query may have {}, nothing else", fmt::join(known, ", ")));
    if (!values.emplace(key, decoded(one.substr(std::min(equals + 1, one.size())))).second)
      throw Error(ErrorCode::usage, fmt::format("the query has '{}' twice", key));
  }
  return values;
}

std::uint64_t limit_of(const std::map<std::string, std::string>& query, std::uint64_t otherwise,
                       std::uint64_t most) {
  const auto found = query.find("limit");
  if (found == query.end()) return otherwise;
  std::uint64_t value = 0;
  const char* const end = found->second.data() + found->second.size();
  const auto [stop, error] = std::from_chars(found->second.data(), end, value);
  if (error != std::errc() || stop != end || value < 1 || value > most)
    throw Error(ErrorCode::usage, fmt::format("`limit` must be a whole number from 1 to {}", most));
  return value;
}

// Public facts, and what this key may ask.
Json graph_json(const HostedGraph& hosted, const AccessKey& key) {
  const PublicFacts& facts = hosted.graph.facts();
  Json document = {{"name", hosted.name},
                   {"title", hosted.title},
                   {"nodes", facts.nodes},
                   {"max_edges", facts.max_edges_declared ? Json(facts.max_edges) : Json(nullptr)},
                   {"graph_id", facts.graph_id},
                   {"shared", hosted.artefact != nullptr},
                   {"scope", key.role == Role::admin   ? Json(nullptr)
                             : key.role == Role::owner ? Json("personalized")
                                                       : Json("edge")},
                   {"seeds", nullptr}};
  if (key.role == Role::owner && !key.every_seed) {
    std::vector<Node> seeds;
    for (const std::string& seed : key.seeds)
      if (const auto node = hosted.graph.node_list().find(seed)) seeds.push_back(*node);
    document["seeds"] = Json::parse(nodes_json(hosted.graph.node_list(), seeds))["nodes"];
  }
  return document;
}

AccessKey wanted_key(const std::string& text) {
  const Json body = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!body.is_object()) throw Error(ErrorCode::usage, "the body must be one JSON object");
  AccessKey key;
  std::int64_t days = default_days;
  try {
    for (const auto& [member, value] : body.items()) {
      if (member == "name")
        key.name = value.get<std::string>();
      else if (member == "role")
        key.role = role_named(value.get<std::string>());
      else if (member == "recipient")
        key.recipient = value.get<std::string>();
      else if (member == "graphs")
        key.graphs = value.get<std::vector<std::string>>();
      else if (member == "seeds")
        key.seeds = value.get<std::vector<std::string>>();
      else if (member == "per_minute")
        key.per_minute = value.get<std::int64_t>();
      else if (member == "days")
        days = value.get<std::int64_t>();
      else
        throw Error(ErrorCode::usage,
                    "a key has name, role, recipient, graphs, seeds, per_minute and days, nothing else");
    }
  } catch (const Json::exception&) {
    throw Error(ErrorCode::usage, "a member of the body has another type of value");
  }
  if (!body.contains("role")) throw Error(ErrorCode::usage, "say which `role`: admin, analyst or owner");
  key.expires = expiry_in_days(days);
  return key;
}

// The route, without what varies: for logs and counts.
std::string route_of(const std::vector<std::string>& parts) {
  static const std::set<std::string> of_graphs = {"nodes", "plan", "cost", "rank", "shared", "ledger"};
  if (parts == std::vector<std::string>{"v1", "graphs"}) return "graphs";
  if (parts == std::vector<std::string>{"v1", "keys"}) return "keys";
  if (parts == std::vector<std::string>{"v1", "certificates", "verify"}) return "certificates/verify";
  if (parts.size() == 3 && parts[0] == "v1" && parts[1] == "keys") return "keys/{id}";
  if (parts.size() < 4 || parts[0] != "v1" || parts[1] != "graphs") return "";
  if (parts.size() == 4 && of_graphs.contains(parts[3])) return parts[3];
  if (parts.size() == 5 && parts[3] == "ledger" && parts[4] == "entries") return "ledger/entries";
  return "";
}

std::vector<std::string> methods_of(const std::string& route) {
  if (route == "keys") return {"GET", "POST"};
  if (route == "keys/{id}") return {"DELETE"};
  const bool asks = route == "plan" || route == "cost" || route == "rank" || route == "certificates/verify";
  return {asks ? "POST" : "GET"};
}

}  // namespace

struct Service::Call {
  std::string method, query, body, accept;
  std::vector<std::string> parts;
  std::string route;
  std::shared_ptr<const AccessKey> key;
  std::shared_ptr<const HostedGraph> hosted;  // of routes of a graph
  std::shared_ptr<RequestNote> note;
};

// Artefacts are charged last, when all the rest is good.
Prepared prepare(const Config& config, const Hosted& before, const Progress& progress) {
  KeyStore keys(config.keys);
  KeyRing ring(keys.all());
  return {config, std::move(keys), std::move(ring), LogFile(config.access_log),
          open_graphs(config, before, progress)};
}

Service::Service(Prepared prepared)
    : config_(std::move(prepared.config)),
      hosted_(std::move(prepared.hosted)),
      store_(std::move(prepared.keys)),
      cache_(config_.cache_bytes, cache_age),
      log_(std::move(prepared.log), config_.log_nodes) {
  refresh_keys();
}

HttpResponse Service::problem(int status) { return service::problem(status); }

void Service::replied(const HttpRequest& request, const Replied& what) {
  metrics_.count_reply(request.note ? request.note->route : "none", what);
  if (request.note) metrics_.count_charge(request.note->graph, request.note->epsilon);
  if (request.note && request.note->route == "open") return;  // of pages and health nobody keeps a log
  log_.write(request, what);
}

void Service::refresh_keys() {
  std::unique_lock lock(store_mutex_, std::defer_lock);
  if (keys_changed_)  // perhaps revoked: whoever is first waits
    lock.lock();
  else if (!lock.try_lock())
    return;
  const std::int64_t version = store_.version();
  const bool own = keys_changed_.exchange(false);
  if (version == keys_version_ && !own) return;
  keys_changed_ = true;  // until they are read: a key that was revoked opens nothing meanwhile
  ring_ = KeyRing(store_.all());
  keys_version_ = version;
  keys_changed_ = false;
}

void Service::look_for_keys() {
  try {
    refresh_keys();
  } catch (const std::exception& error) {
    log_.complain(error.what());
  }
}

NewKey Service::add_key(const AccessKey& wanted) {
  const std::scoped_lock lock(store_mutex_);
  keys_changed_ = true;
  return store_.add(wanted);
}

void Service::take(Prepared prepared) {
  log_.go_on_in(std::move(prepared.log), prepared.config.log_nodes);
  {
    const std::scoped_lock lock(store_mutex_);
    store_ = std::move(prepared.keys);  // the file of this name may be another one by now
    ring_ = std::move(prepared.ring);
    keys_changed_ = true;
  }
  hosted_ = std::move(prepared.hosted);
  config_ = std::move(prepared.config);
  cache_.clear();
}

std::string Service::metrics_text(std::uint64_t connections, std::uint64_t queued) {
  return metrics_.text({connections, queued, cache_.bytes(), hosted_.size()});
}

Routed Service::open_to_all(const HttpRequest& request) {
  const std::string& path = request.path;
  if (path == "/healthz" || path == "/v1/healthz") return {.now = json_response(Json{{"status", "ok"}})};
  if (path == "/readyz" || path == "/v1/readyz")
    return {.now = ready_ ? json_response(Json{{"status", "ready"}}) : problem(503)};
  static const HttpResponse description = json_response(openapi_document());
  if (path == "/v1/openapi.json") return {.now = description};
  for (const PageFile& file : page_files()) {
    if (path != file.path) continue;
    HttpResponse response = response_with(200, std::string(file.type), std::string(file.content));
    for (auto& [header, value] : response.headers)
      if (header == "Content-Security-Policy") value = page_policy;
    if (file.content.starts_with("\x1f\x8b")) response.headers.emplace_back("Content-Encoding", "gzip");
    return {.now = std::move(response)};
  }
  return {};
}

Routed Service::route(HttpRequest& request) {
  request.note = std::make_shared<RequestNote>(RequestNote{"", "open", ""});
  const std::vector<std::string> parts = parts_of(request.path);
  const std::string route = route_of(parts);
  if (!route.empty()) {
    request.note->route = route;
    try {
      return with_key(request, route, parts);
    } catch (const Error& error) {
      complain(error);
      return {.now = problem_of(error)};
    }
  }
  if (request.method == "GET")
    if (Routed open = open_to_all(request); open.now) return open;
  request.note->route = "none";
  return {.now = problem(404)};
}

// Keys that open nothing are counted, by address, and so are graphs that are not there or not theirs.
Routed Service::refused_key(const HttpRequest& request) {
  const auto [allowed, wait] = failures_.take(request.peer, static_cast<double>(config_.failures_per_minute));
  return {.now = allowed ? nothing_here() : too_often(wait)};
}

Routed Service::with_key(HttpRequest& request, const std::string& route,
                         const std::vector<std::string>& parts) {
  if (keys_changed_) refresh_keys();
  const auto key = ring_.find(request.authorization, time_now());
  if (!key) return refused_key(request);
  request.note->key = key->id;
  if (const auto [allowed, wait] = rates_.take(key->id, static_cast<double>(key->per_minute)); !allowed)
    return {.now = too_often(wait)};
  request.place = places_.take(key->id, config_.requests_per_key);
  if (!request.place) return {.now = too_often(1)};
  Call call{request.method, request.query, {}, request.accept, parts, route, key, {}, request.note};
  if (parts[1] == "graphs" && parts.size() > 2) {
    const auto found = hosted_.find(parts[2]);
    if (found == hosted_.end() || !key->opens(parts[2])) return refused_key(request);
    call.hosted = found->second;
    call.note->graph = parts[2];
  }
  const bool of_admin = route == "keys" || route == "keys/{id}" || route == "ledger/entries";
  if (of_admin && key->role != Role::admin) return refused_key(request);
  if (const auto methods = methods_of(route); std::ranges::count(methods, request.method) == 0) {
    HttpResponse response = problem(405);
    response.headers.emplace_back("Allow", fmt::format("{}", fmt::join(methods, ", ")));
    return {.now = std::move(response)};
  }
  if (request.method == "POST" && !request.content_type.starts_with("application/json"))
    return {.now = problem(415)};
  call.body = std::move(request.body);
  if (route == "graphs") return {.now = graphs(*key)};
  if (route == "keys" || route == "keys/{id}") return key_routes(call);
  if (route == "certificates/verify")
    return worked(
        call, [body = call.body] { return json_response(verification_json(verify_certificate(body))); },
        false);
  return of_graph(call, route);
}

HttpResponse Service::graphs(const AccessKey& key) const {
  Json list = Json::array();
  for (const auto& [graph, hosted] : hosted_)
    if (key.opens(graph)) list.push_back(graph_json(*hosted, key));
  Json own = key_json(key);
  own.erase("revoked");
  return json_response(Json{{"version", version()}, {"key", own}, {"graphs", list}});
}

// Writes an error to the log, unless whoever asked has been told all of it.
void Service::complain(const Error& error) {
  if (error.code() == ErrorCode::failed || !error.for_custodian().empty()) log_.complain(told_in_full(error));
}

template <class Action>
void Service::guarded(Reply& reply, Action action) {
  try {
    action();
  } catch (const Error& error) {
    complain(error);
    reply.send(problem_of(error));
  } catch (const std::exception& error) {
    log_.complain(fmt::format("unexpected: {}", error.what()));
    reply.send(service::problem(500));
  }
}

Routed Service::worked(const Call&, Work work, bool in_buckets) {
  return {
      .work = [this, work = std::move(work)](Reply& reply) { guarded(reply, [&] { reply.send(work()); }); },
      .in_buckets = in_buckets};
}

Routed Service::key_routes(const Call& call) {
  if (call.route == "keys/{id}")
    return worked(
        call,
        [this, call] {
          const std::scoped_lock lock(store_mutex_);
          if (!store_.revoke(call.parts[2])) return service::problem(404);
          keys_changed_ = true;
          return json_response(Json{{"id", call.parts[2]}, {"revoked", true}});
        },
        false);
  if (call.method == "POST")
    return worked(
        call,
        [this, call, hosted = hosted_] {
          const AccessKey wanted = wanted_key(call.body);
          check_graphs(wanted, [&](const std::string& name) { return hosted.contains(name); });
          return json_response(new_key_json(add_key(wanted)), 201);
        },
        false);
  return worked(
      call,
      [this] {
        const std::scoped_lock lock(store_mutex_);
        Json list = Json::array();
        for (const AccessKey& key : store_.all()) list.push_back(key_json(key));
        return json_response(Json{{"keys", list}});
      },
      false);
}

namespace {

HttpResponse nodes_of(const HostedGraph& hosted, const std::string& query) {
  const auto values = query_of(query, {"prefix", "limit"});
  const auto prefix = values.find("prefix");
  const NodeList& nodes = hosted.graph.node_list();
  const std::string begins = prefix == values.end() ? "" : prefix->second;
  return json_response(nodes_json(nodes, nodes_beginning(nodes, begins, limit_of(values, 20, 1'000))));
}

// What the key may ask, from the graph or from its artefact.
AnswerRequest request_of(const Question& question, const HostedGraph& hosted, const AccessKey& key) {
  check_right(question, hosted.graph, key);
  AnswerRequest request = question.request;
  if (question.shared && !hosted.artefact)
    throw Error(ErrorCode::usage, "there is no shared artefact of this graph; ask with an `epsilon`");
  if (question.shared) request.artefact = hosted.artefact;
  return request;
}

HttpResponse plan_of(const HostedGraph& hosted, const AccessKey& key, const std::string& body) {
  const AnswerRequest request = request_of(parse_question(body, hosted.graph, key), hosted, key);
  return json_response(planned_json(plan_answer(hosted.graph.facts(), request)));
}

// The request as the ledger is asked, on the account of the key.
AnswerRequest ledger_request(const Question& question, const HostedGraph& hosted, const AccessKey& key) {
  AnswerRequest request = request_of(question, hosted, key);
  request.audience = {hosted.ledger, key.recipient, false};
  request.to_be_signed = hosted.signing != nullptr;
  check_request(request);
  return request;
}

HttpResponse cost_of(const HostedGraph& hosted, const AccessKey& key, const std::string& body) {
  const AnswerRequest request = ledger_request(parse_question(body, hosted.graph, key), hosted, key);
  const LedgerQuote quote = quote_answer(hosted.graph, request);
  return json_response(own_quote_json(quote, own_account(*hosted.ledger, key.recipient)));
}

HttpResponse shared_of(const HostedGraph& hosted, const std::string& accept) {
  if (!hosted.artefact) return problem(404);
  if (accept.find("application/octet-stream") == std::string::npos)
    return json_response(certificate_only_json(hosted.artefact->certificate()));
  const std::vector<std::byte> bytes = hosted.artefact->bytes();
  return response_with(200, "application/octet-stream",
                       std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

HttpResponse ledger_of(const HostedGraph& hosted, const AccessKey& key, const std::string& query) {
  const auto values = query_of(query, {"limit"});
  if (key.role != Role::admin)
    return json_response(own_account_json(own_account(*hosted.ledger, key.recipient)));
  return json_response(ledger_json(hosted.ledger->state(limit_of(values, 100, 10'000))));
}

// The newest ones.
HttpResponse entries_of(const HostedGraph& hosted, const std::string& query) {
  const std::uint64_t most = limit_of(query_of(query, {"limit"}), 100, 10'000);
  std::string text;
  for (const LedgerEntry& entry : hosted.ledger->newest_entries(most)) text += entry_json_line(entry);
  return response_with(200, "application/jsonl", std::move(text));
}

}  // namespace

Routed Service::of_graph(const Call& call, const std::string& what) {
  const auto with = [&](auto make, bool in_buckets) {
    return worked(call, [call, make] { return make(call); }, in_buckets);
  };
  if (what == "nodes") return with([](const Call& c) { return nodes_of(*c.hosted, c.query); }, false);
  if (what == "plan") return with([](const Call& c) { return plan_of(*c.hosted, *c.key, c.body); }, false);
  if (what == "cost") return with([](const Call& c) { return cost_of(*c.hosted, *c.key, c.body); }, true);
  if (what == "shared") return with([](const Call& c) { return shared_of(*c.hosted, c.accept); }, false);
  if (what == "ledger")
    return with([](const Call& c) { return ledger_of(*c.hosted, *c.key, c.query); }, false);
  if (what == "ledger/entries")
    return with([](const Call& c) { return entries_of(*c.hosted, c.query); }, false);
  return rank(call);
}

// The same words of the same key about the same snapshot: an answer that was paid for. Unless it was
// forgotten since, by another process perhaps, which only the ledger knows: a worker looks.
Routed Service::rank(const Call& call) {
  const std::string question =
      fmt::format("{}\n{}\n{}", call.key->id, call.hosted->graph.facts().graph_id, call.body);
  return {.before =
              [this, call, question](Reply& reply) {
                bool replied = true;  // with an error, else
                guarded(reply, [&] { replied = repeat(call, question, reply); });
                return replied;
              },
          .work =
              [this, call, question](Reply& reply) {
                guarded(reply, [&] { answer(call, {question, call.hosted->ledger->forgotten()}, reply); });
              },
          .in_buckets = true};
}

namespace {

void check_wanted(const Reply& reply) {
  if (!reply.wanted()) throw Error(ErrorCode::failed, "nobody waits for the answer any more");
}

// Lines leave as they are computed; one document is kept until it is whole.
class ReplySink final : public AnswerSink {
 public:
  ReplySink(Reply& reply, bool lines) : reply_(reply), lines_(lines) {}

  void write(std::string_view text) override {
    if (lines_ && !text.empty())  // an empty piece would be the end
      reply_.piece(std::string(text));
    else
      text_ += text;
  }
  void write_ranking(const Ranking&, std::string_view text) override {
    check_wanted(reply_);
    write(text);
  }
  void commit() override {
    if (lines_) reply_.end();
  }
  const std::string& text() const noexcept { return text_; }

 private:
  Reply& reply_;
  bool lines_;
  std::string text_;
};

}  // namespace

bool Service::repeat(const Call& call, const std::string& question, Reply& reply) {
  const auto kept = cache_.find(question);
  if (!kept || kept->forgotten != call.hosted->ledger->forgotten()) return false;
  metrics_.count_repeat();
  reply.send_now(kept->response);
  return true;
}

void Service::answer(const Call& call, const CachedAs& as, Reply& reply) {
  bool begun = false;
  const auto compute = [&] {
    const HostedGraph& hosted = *call.hosted;
    const Question question = parse_question(call.body, hosted.graph, *call.key);
    call.note->nodes = question.nodes;
    const Progress while_wanted = [&](std::string_view, double) { check_wanted(reply); };
    AnswerSource answers = ask(hosted.graph, ledger_request(question, hosted, *call.key), while_wanted);
    if (answers.quote()) call.note->epsilon = own_cost(*answers.quote(), call.key->recipient);
    const auto writer =
        question.many ? json_lines_ranking_writer(answers.head()) : json_ranking_writer(answers.head());
    if (question.many) reply.begin(response_with(200, "application/jsonl", ""));
    begun = question.many;
    ReplySink sink(reply, question.many);
    write_answers(answers, *writer, sink, hosted.signing.get(), {}, while_wanted);
    sink.commit();
    if (question.many) return;
    HttpResponse response = json_response(sink.text());
    // Not before: a repeat that came from memory sooner would tell when the answer was there.
    response.when_it_leaves = [this, as, kept = response] { cache_.keep(as.question, {kept, as.forgotten}); };
    reply.send(std::move(response));
  };
  try {
    compute();
  } catch (const std::exception& error) {
    if (!begun) throw;
    const auto* const ours = dynamic_cast<const Error*>(&error);
    if (reply.wanted())
      log_.complain(ours ? told_in_full(*ours) : error.what());  // else nobody is there: no fault
    reply.abort();
  }
}

}  // namespace hushwalk::service
