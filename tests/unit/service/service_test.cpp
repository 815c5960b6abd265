// Requests as the service sees them, without a network.
#include "service/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "hushwalk/generate.h"
#include "support/files.h"
#include "support/temporary.h"

namespace hushwalk::service {
namespace {

using hushwalk::testing::TemporaryFolder;
using ::testing::HasSubstr;

constexpr const char* small_question = R"({"seed": 1, "epsilon": 0.25, "top": 2})";

// What a worker did, and what the network would do later.
class Seen final : public Reply {
 public:
  void send(HttpResponse response) override { sent = std::move(response); }
  void send_now(HttpResponse response) override { sent = std::move(response), at_once = true; }
  void begin(HttpResponse head) override { sent = std::move(head); }
  void piece(std::string text) override { pieces += text; }
  void end() override {}
  void abort() override {}
  bool wanted() const override { return true; }

  HttpResponse sent;
  bool at_once = false;
  std::string pieces;
};

class Desk {
 public:
  explicit Desk(double total = 1) : config_(made_config(total)), service_(prepare(config_)) {}

  std::string new_key(Role role) {
    AccessKey wanted{.name = "x", .role = role, .expires = "2999-01-01T00:00:00Z"};
    if (role != Role::admin) wanted.graphs = {"karate"};
    if (role == Role::owner) wanted.seeds = {"1"};
    const NewKey made = service_.add_key(wanted);
    ids_[made.key] = made.made.id;
    return made.key;
  }
  Routed route(const std::string& key, const std::string& method, const std::string& path,
               const std::string& body = "") {
    HttpRequest request{.method = method, .target = path, .path = path};
    request.authorization = "Bearer " + key;
    request.content_type = "application/json";
    request.body = body;
    request.peer = "127.0.0.1";
    return service_.route(request);
  }
  // All that the server would do, in its order.
  Seen ask(const std::string& key, const std::string& method, const std::string& path,
           const std::string& body = "") {
    Seen seen;
    const Routed routed = route(key, method, path, body);
    if (routed.now)
      seen.sent = *routed.now;
    else if (!routed.before || !routed.before(seen))
      routed.work(seen);
    return seen;
  }
  Seen rank(const std::string& key) { return ask(key, "POST", "/v1/graphs/karate/rank", small_question); }
  int status(const std::string& key) { return ask(key, "GET", "/v1/graphs").sent.status; }
  const std::string& id(const std::string& key) const { return ids_.at(key); }
  std::string log() const { return hushwalk::testing::read_all(folder_ / "log"); }
  void alter_keys(const char* text) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(config_.keys.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, text, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }
  const Config& config() const { return config_; }
  Service& operator*() { return service_; }
  Service* operator->() { return &service_; }

 private:
  Config made_config(double total) const {
    Config config;
    config.keys = folder_ / "keys.db";
    config.access_log = (folder_ / "log").string();
    config.graphs = {{"karate", "Karate", folder_ / "g.hwg", folder_ / "g.ledger", {}, {}}};
    const Graph graph = generate("karate");
    graph.save(config.graphs[0].graph);
    Ledger::create(config.graphs[0].ledger, graph.facts(),
                   {.epsilon = Epsilon(total), .per_recipient = Epsilon(0.5)});
    return config;
  }
  TemporaryFolder folder_;
  Config config_;
  Service service_;
  std::map<std::string, std::string> ids_;
};

TEST(Service, RepeatsAnAnswerFromMemoryWhenItHasLeftAndNotBefore) {
  Desk desk;
  const std::string key = desk.new_key(Role::owner);
  const Seen first = desk.rank(key), meanwhile = desk.rank(key);
  EXPECT_EQ(first.sent.status, 200);
  EXPECT_FALSE(first.at_once || meanwhile.at_once) << "when the first was computed must not show";
  first.sent.when_it_leaves();
  const Seen repeat = desk.rank(key);
  EXPECT_TRUE(repeat.at_once);
  EXPECT_EQ(*repeat.sent.body, *first.sent.body);
  EXPECT_FALSE(desk.rank(desk.new_key(Role::owner)).at_once) << "of the same key only";
}

TEST(Service, PutsWhatDependsOnEdgesInBuckets) {
  Desk desk;
  const std::string owner = desk.new_key(Role::owner);
  for (const std::string what : {"rank", "cost", "plan"}) {
    const Routed routed = desk.route(owner, "POST", "/v1/graphs/karate/" + what, small_question);
    EXPECT_EQ(routed.in_buckets, what != "plan") << what;
  }
  for (const std::string body : {"{}", R"({"seed": 1, "epsilon": 900})", R"({"seed": 2, "epsilon": 1})"})
    EXPECT_TRUE(desk.route(owner, "POST", "/v1/graphs/karate/rank", body).in_buckets) << body;
}

TEST(Service, KnowsNoRevokedKeyFromTheNextRequestOn) {
  Desk desk;
  const std::string admin = desk.new_key(Role::admin), owner = desk.new_key(Role::owner);
  EXPECT_EQ(desk.status(owner), 200);
  EXPECT_EQ(desk.ask(admin, "DELETE", "/v1/keys/" + desk.id(owner)).sent.status, 200);
  EXPECT_EQ(desk.status(owner), 401);
  EXPECT_EQ(desk.status(admin), 200);
}

TEST(Service, LetsNobodyInWhileChangedKeysCannotBeRead) {
  Desk desk;
  const std::string owner = desk.new_key(Role::owner);
  EXPECT_EQ(desk.status(owner), 200);
  desk.alter_keys("ALTER TABLE access_key RENAME TO elsewhere");
  desk->look_for_keys();  // does not throw: the service goes on
  EXPECT_THAT(desk.log(), HasSubstr("the file of keys cannot be used"));
  EXPECT_EQ(desk.status(owner), 500);
  desk.alter_keys("ALTER TABLE elsewhere RENAME TO access_key");
  EXPECT_EQ(desk.status(owner), 200);
}

TEST(Service, TakesAnotherFileOfKeysOfTheSameName) {
  Desk desk;
  const std::string before = desk.new_key(Role::owner);
  EXPECT_EQ(desk.status(before), 200);
  std::filesystem::remove(desk.config().keys);
  KeyStore(desk.config().keys).add({.name = "other", .role = Role::admin, .expires = "2999-01-01T00:00:00Z"});
  desk->take(prepare(desk.config(), desk->hosted()));
  EXPECT_EQ(desk.status(before), 401);
  EXPECT_EQ(desk.status(desk.new_key(Role::owner)), 200);
}

TEST(Service, OpensAGraphAnewWhenItsFileIsAnotherAndNotElse) {
  Desk desk;
  const auto object = [](const Hosted& hosted) { return &hosted.at("karate")->graph.facts(); };
  const Hosted before = desk->hosted(), again = open_graphs(desk.config(), before);
  EXPECT_EQ(object(again), object(before));
  EXPECT_EQ(again.at("karate")->ledger, before.at("karate")->ledger);
  const auto path = desk.config().graphs[0].graph;
  std::filesystem::copy_file(path, path.string() + ".copy");
  std::filesystem::rename(path.string() + ".copy", path);
  EXPECT_NE(object(open_graphs(desk.config(), before)), object(before));
}

TEST(Service, HasSoManyRequestsOfAKeyAtOnce) {
  Desk desk;
  const std::string key = desk.new_key(Role::owner);
  std::vector<HttpRequest> held(17);
  for (std::size_t i = 0; i < held.size(); ++i) {
    held[i] = {.method = "GET", .target = "/v1/graphs", .path = "/v1/graphs"};
    held[i].authorization = "Bearer " + key;
    EXPECT_EQ(desk->route(held[i]).now->status, i < 16 ? 200 : 429);
  }
  held.clear();
  EXPECT_EQ(desk.status(key), 200);
}

TEST(Service, TellsWhatIsForTheCustodianToTheLogOnly) {
  Desk desk(0.5);
  const std::string one = desk.new_key(Role::owner), other = desk.new_key(Role::analyst);
  EXPECT_EQ(desk.rank(one).sent.status, 200);
  const Seen refused = desk.ask(other, "POST", "/v1/graphs/karate/rank",
                                R"({"seed": 1, "epsilon": 0.375, "mechanism": "output"})");
  EXPECT_EQ(refused.sent.status, 403);
  EXPECT_THAT(desk.log(), HasSubstr("fault"));
  const auto fault = nlohmann::json::parse(desk.log())["fault"].get<std::string>();
  const std::string detail = nlohmann::json::parse(*refused.sent.body)["detail"];
  ASSERT_TRUE(fault.starts_with(detail)) << fault;
  ASSERT_GT(fault.size(), detail.size() + 2) << "this refusal has a part for the custodian";
  EXPECT_EQ(refused.sent.body->find(fault.substr(detail.size() + 2)), std::string::npos);
}

TEST(Service, ChargesNothingForWhatItRefuses) {
  Desk desk;
  const std::string owner = desk.new_key(Role::owner), admin = desk.new_key(Role::admin);
  for (const std::string body : {"{}", R"({"seed": 2, "epsilon": 0.1})", R"({"seed": 1, "epsilon": 0.6})",
                                 R"({"seed": 1, "epsilon": 0.1, "scope": "edge"})"})
    EXPECT_GE(desk.ask(owner, "POST", "/v1/graphs/karate/rank", body).sent.status, 400) << body;
  const Seen ledger = desk.ask(admin, "GET", "/v1/graphs/karate/ledger");
  EXPECT_EQ(nlohmann::json::parse(*ledger.sent.body)["spent"], 0);
}

}  // namespace
}  // namespace hushwalk::service
