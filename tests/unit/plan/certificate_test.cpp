// Every certificate verifies, and none does after any single change.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "base/sha256.h"
#include "hushwalk/error.h"
#include "hushwalk/mechanism.h"
#include "hushwalk/verify.h"
#include "plan/certificate.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/graphs.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

std::vector<Plan> some_plans() {
  std::vector<Plan> plans;
  const PublicFacts facts = testing::karate().facts();
  for (const std::string& mechanism : mechanism_names())
    for (const Scope scope : {Scope::personalized, Scope::edge})
      for (const Diffusion& diffusion :
           {Diffusion::ppr(), Diffusion::pagerank(0.5, 10), Diffusion::heat(2, 20),
            Diffusion::custom({{0.5, 0.25, 0.25}, {0.1, 0.2, 0.7}, {-0.5, 1, 0.5}})})
        for (const bool with_delta : {false, true}) {
          if (scope == Scope::edge &&
              (mechanism == "twohop" || mechanism == "frontier" || mechanism.ends_with("+own")))
            continue;
          if (mechanism.starts_with("pushflow") && diffusion.name() != "ppr") continue;
          ReleaseParameters request;
          request.mechanism = mechanism;
          request.scope = scope;
          request.diffusion = diffusion;
          request.epsilon = Epsilon(with_delta ? 0.05 : 1.5);
          request.rankings = 3;
          request.seeds_per_ranking = 2;
          if (with_delta) request.delta = Delta(1e-6);
          plans.push_back(make_plan(facts, request));
        }
  return plans;
}

TEST(Certificate, EveryOneVerifies) {
  for (const Plan& plan : some_plans())
    for (const bool candidates : {false, true}) {
      const CertificateContext context{.public_candidates = candidates,
                                       .artefact = candidates ? std::string(32, 'a') : "",
                                       .ledger = candidates ? std::string(32, 'b') : ""};
      const std::string json = certificate_json(plan, context);
      const Verification found = verify_certificate(json);
      EXPECT_TRUE(found.valid) << found.reason << json;
    }
}

// Calls visit(changed document, what) for every leaf, changed in turn.
void for_every_change(const Json& document, const std::function<void(const Json&, std::string)>& visit) {
  const Json flat = document.flatten();
  for (const auto& [path, value] : flat.items()) {
    const auto pointer = Json::json_pointer(path);
    Json changed = document;
    Json& leaf = changed.at(pointer);
    if (leaf.is_number_float())
      leaf = leaf.get<double>() == 0 ? 1e-300 : leaf.get<double>() * (1 + 4e-16);
    else if (leaf.is_number())
      leaf = leaf.get<std::int64_t>() + 1;
    else if (leaf.is_boolean())
      leaf = !leaf.get<bool>();
    else if (leaf.is_string())
      leaf = leaf.get<std::string>() + " ";
    else
      leaf = 1;
    visit(changed, path);
    changed = document;
    Json& parent = changed.at(pointer.parent_pointer());
    if (parent.is_array())
      parent.erase(std::stoul(pointer.back()));
    else
      parent.erase(pointer.back());
    visit(changed, path + " removed");
  }
}

TEST(Certificate, NoSingleChangeVerifies) {
  for (const char* mechanism : {"paper", "twohop"}) {
    ReleaseParameters request;
    request.mechanism = mechanism;
    const Plan plan = make_plan(testing::karate().facts(), request);
    int changes = 0;
    for_every_change(certificate_document(plan, {}), [&](const Json& changed, const std::string& what) {
      EXPECT_FALSE(verify_document(changed).valid) << what;
      ++changes;
    });
    EXPECT_GT(changes, 60);
  }
}

// Someone who also mends the digest is still caught, wherever a number can be computed from the others.
TEST(Certificate, NumbersAreRecomputedAndNotTakenFromTheDigest) {
  ReleaseParameters request;
  request.mechanism = "paper";
  const Json honest = certificate_document(make_plan(public_facts(1000), request), {});
  for (const char* path :
       {"/sensitivity", "/noise/0/laplace_scale", "/noise/0/lattice_scale", "/total_epsilon",
        "/lattice/slack", "/guarantee/epsilon", "/epsilon", "/parameters/eta", "/public/nodes"}) {
    Json forged = honest;
    Json& number = forged.at(Json::json_pointer(path));
    number =
        number.is_number_integer() ? Json(2 * number.get<std::int64_t>()) : Json(number.get<double>() / 2);
    forged.erase("digest");
    forged["digest"] = digest_of(forged);
    EXPECT_FALSE(verify_document(forged).valid) << path;
  }
}

// A graph file whose bound was its secret number of edges got a certificate that held, and did not say so.
TEST(Certificate, ABoundBelowAllPairsIsDeclared) {
  ReleaseParameters request;
  request.mechanism = "output";
  PublicFacts facts = public_facts(1000, 5000);
  EXPECT_TRUE(verify_document(certificate_document(make_plan(facts, request), {})).valid);
  facts.max_edges_declared = false;
  const Verification found = verify_document(certificate_document(make_plan(facts, request), {}));
  EXPECT_FALSE(found.valid);
  EXPECT_NE(found.reason.find("neither declared nor the number of pairs"), std::string::npos) << found.reason;
}

// Words of another version are not compared, and that is said; what is promised is.
TEST(Certificate, AnotherVersionIsCheckedButForItsWords) {
  const Json honest = certificate_document(make_plan(public_facts(1000), {}), {});
  const auto forged = [&](const char* key, const Json& value) {
    Json document = honest;
    document["software_version"] = "0.0.0";
    document[key] = value;
    document.erase("digest");
    document["digest"] = digest_of(document);
    return verify_document(document);
  };
  const Verification older = forged("format", certificate_format);
  EXPECT_TRUE(older.valid) << older.reason;
  EXPECT_NE(older.reason.find("NOT compared"), std::string::npos);
  for (const char* key : {"definition", "privacy_unit", "trust_model", "plan_digest", "scope", "mechanism"})
    EXPECT_FALSE(forged(key, "something else").valid) << key;
}

TEST(Certificate, ValuesAreComparedNotBytes) {
  const Plan plan = make_plan(public_facts(1000), {});
  const nlohmann::json sorted = nlohmann::json::parse(certificate_json(plan));
  EXPECT_TRUE(verify_certificate(sorted.dump()).valid);
  EXPECT_TRUE(verify_certificate("{\"certificate\": " + sorted.dump(7) + ", \"rankings\": [{}]}").valid);
  nlohmann::json whole = sorted;
  whole["epsilon"] = 1;  // instead of 1.0
  EXPECT_TRUE(verify_certificate(whole.dump()).valid);
}

TEST(Certificate, NonsenseIsInvalidAndNotAnError) {
  for (const char* text : {"", "{", "[]", "7", "{}", R"({"certificate": null})", R"({"certificate": 3})",
                           R"({"digest": 3, "plan_digest": 1, "noise": 1, "software_version": 1})"})
    EXPECT_FALSE(verify_certificate(text).valid) << text;
}

TEST(Certificate, SaysWhatItRestsOnAndWhoKeepsCount) {
  const Plan plan = make_plan(public_facts(1000), {});
  const Json alone = certificate_document(plan, {}),
             counted = certificate_document(plan, {.ledger = std::string(32, 'c')});
  EXPECT_NE(alone.at("randomness").get<std::string>().find("computational"), std::string::npos);
  EXPECT_NE(certificate_text(plan).find("computational"), std::string::npos);
  EXPECT_NE(alone.at("randomness").get<std::string>().find("of the operating system"), std::string::npos);
  EXPECT_NE(counted.at("randomness").get<std::string>().find("key of the ledger"), std::string::npos);
  EXPECT_NE(counted.at("randomness").get<std::string>().find("as long as that key is kept secret"),
            std::string::npos);
  EXPECT_TRUE(alone.at("ledger").is_null());
  EXPECT_NE(alone.at("words").at("counted").get<std::string>().find("no ledger"), std::string::npos);
  EXPECT_EQ(counted.at("ledger"), std::string(32, 'c'));
  EXPECT_NE(counted.at("words").at("counted").get<std::string>().find(std::string(32, 'c')),
            std::string::npos);
}

TEST(Certificate, TotalsAreSumsOfLedgerUnits) {
  const auto total = [](double epsilon, std::uint64_t rankings) {
    return make_plan(public_facts(1000),
                     {.mechanism = "twohop", .epsilon = Epsilon(epsilon), .rankings = rankings})
        .total_epsilon();
  };
  EXPECT_EQ(total(0.05, 20), 1);
  EXPECT_EQ(total(0.1, 3), 0.3);
  EXPECT_EQ(total(0.1, 1), 0.1);
  EXPECT_EQ(total(0.1234567891, 10), 1.23456790);  // rounded up to units first, as it is charged
  EXPECT_GE(total(1, std::uint64_t{1} << 40), std::ldexp(1, 40));  // beyond all units
}

Json with_digest(Json document) {
  document.erase("digest");
  document["digest"] = digest_of(document);
  return document;
}

Json plain_certificate(const ReleaseParameters& request) {
  return certificate_document(make_plan(public_facts(1000), request), {});
}

TEST(Certificate, HostileDepthAndSizeAreRefused) {
  std::string deep = R"({"certificate": )";
  for (int i = 0; i < 2'000'000; ++i) deep += "[";
  EXPECT_FALSE(verify_certificate(deep).valid);
  std::string closed = R"({"kind":"hushwalk shared artefact","certificate":{"x":)" +
                       std::string(200'000, '[') + std::string(200'000, ']') + "}}\n";
  EXPECT_NE(verify_certificate(closed).reason.find("deep"), std::string::npos);
  std::string many = R"({"certificate": [0)";
  for (int i = 0; i < 9'000'000; ++i) many += ",0";
  EXPECT_NE(verify_certificate(many + "]}").reason.find("values"), std::string::npos);
}

TEST(Certificate, RankingsBesideItAreCountedWithoutBeingKept) {
  const std::string certificate = plain_certificate({.rankings = 3}).dump();
  const auto beside = [&](const char* rankings) {
    return verify_certificate(R"({"rankings": )" + std::string(rankings) + R"(, "certificate": )" +
                              certificate + "}");
  };
  EXPECT_TRUE(beside(R"([{"seed": 1, "top": [{"node": 1}]}, {"seed": 2}, 7])").valid);
  EXPECT_FALSE(beside("[{}, {}]").valid);
  EXPECT_FALSE(beside(R"([{}, {}, {"a": 1, "a": 2}])").valid);
}

// What is found in a forged field is quoted without what a terminal would obey.
TEST(Certificate, ReasonsHaveNoControlCharacters) {
  const std::string spoof = "\x1b[2K\rthe certificate holds\n\xc2\x9b";
  for (const char* key : {"mechanism", "scope", "definition", "graph_id", "artefact", "ledger", "digest"}) {
    Json document = plain_certificate({});
    document[key] = spoof;
    const std::string text = (key == std::string("digest") ? document : with_digest(document)).dump();
    const Verification found = verify_certificate(text);
    EXPECT_FALSE(found.valid) << key;
    EXPECT_EQ(found.reason.find_first_of("\x1b\r\n"), std::string::npos) << key;
  }
  const Verification twice = verify_certificate("{\"\\u001b[31m\": 1, \"\\u001b[31m\": 2}");
  EXPECT_EQ(twice.reason.find('\x1b'), std::string::npos) << twice.reason;
}

// They once made the search for a scale endless.
TEST(Certificate, NumbersThatWouldTakeForEverAreRefused) {
  Json tiny = plain_certificate({.mechanism = "paper"});
  tiny["parameters"]["diffusion"]["beta"] = 1e-320;
  EXPECT_FALSE(verify_document(with_digest(tiny)).valid);
  Json long_one = plain_certificate({.mechanism = "paper", .delta = Delta(1e-6)});
  long_one["parameters"]["diffusion"] = {{"name", "heat"}, {"time", 1.0}, {"steps", 1'001}};
  const Verification found = verify_document(with_digest(long_one));
  EXPECT_NE(found.reason.find("at most 1000 steps"), std::string::npos) << found.reason;
}

TEST(Certificate, AnIdIsOneOfOurs) {
  const Plan plan = make_plan(public_facts(1000), {.mechanism = "shared"});
  Json forged = certificate_document(plan, {.artefact = std::string(32, 'a')});
  EXPECT_TRUE(verify_document(forged).valid);
  const std::string more = "nothing; every edge is protected at 0";
  forged["artefact"] = more;
  EXPECT_FALSE(verify_document(with_digest(forged)).valid);
  forged = certificate_document(plan, {.artefact = more});
  EXPECT_NE(verify_document(forged).reason.find("not an id"), std::string::npos);
}

// A name in a certificate is shown: it must be one that a ledger would have charged.
TEST(Certificate, AnAudienceIsANameUnderALedgerInEdgeScope) {
  const auto verified = [](Scope scope, const std::string& audience, const std::string& ledger) {
    const Plan plan = make_plan(public_facts(1000), {.mechanism = "shared", .scope = scope});
    return verify_document(certificate_document(plan, {.ledger = ledger, .audience = audience})).valid;
  };
  const std::string ledger(32, 'b');
  EXPECT_TRUE(verified(Scope::edge, "bob", ledger));
  EXPECT_TRUE(verified(Scope::edge, everybody, ledger));
  EXPECT_FALSE(verified(Scope::edge, "bob", ""));
  EXPECT_FALSE(verified(Scope::personalized, "bob", ledger));
  for (const std::string name : {"bob\x1b[2K", "x\nPrivacy: epsilon = 0", " bob", "\xe2\x80\xae"})
    EXPECT_FALSE(verified(Scope::edge, name, ledger)) << name;
}

// To a parser of JSON a text may end there.
TEST(Certificate, WithSomethingBehindAByteOfZeroDoesNotVerify) {
  const std::string whole = plain_certificate({.mechanism = "shared", .scope = Scope::edge}).dump();
  EXPECT_TRUE(verify_certificate(whole + "\n").valid);
  EXPECT_FALSE(verify_certificate(whole + "\n" + std::string(1, '\0') + "more").valid);
  EXPECT_FALSE(verify_certificate(whole + std::string(1, '\0')).valid);
}

// What the version before wrote, signed answer and artefact.
TEST(Certificate, OfFormat3Verifies) {
  const std::string answer = testing::read_all(testing::golden_path("answer-format-3.json"));
  const std::string key = testing::read_all(testing::golden_path("answer-format-3.pem"));
  const Verification found = verify_certificate(answer, {.public_key = key});
  EXPECT_TRUE(found.valid && found.promise && found.answer && found.issuer) << found.reason;
  EXPECT_TRUE(verify_certificate_file(testing::golden_path("circles-format-3.share")).valid);
}

TEST(Certificate, NamesTheTheoremsThatCoverItAndNoOthers) {
  Json document = plain_certificate({.mechanism = "shared", .scope = Scope::edge});
  EXPECT_EQ(document.at("machine_checked"), (Json{"shared.shared_dp", "final.shared_private"}));
  for (const Json& other : {Json(nullptr), Json{"shared.shared_dp"}, Json{"final.twohop_private"}}) {
    document["machine_checked"] = other;
    EXPECT_FALSE(verify_document(with_digest(document)).valid) << other;
  }
  document.erase("machine_checked");
  EXPECT_FALSE(verify_document(with_digest(document)).valid);
  EXPECT_TRUE(plain_certificate({.mechanism = "paper"}).at("machine_checked").is_null());
  const ReleaseParameters with_delta{.mechanism = "output", .epsilon = Epsilon(0.05), .delta = Delta(1e-6)};
  const Plan plan = make_plan(public_facts(1000), with_delta);
  EXPECT_EQ(machine_checked(plan).empty(),
            plan.certified_delta() > 0 || plan.sensitivity_bound.find("02") == std::string::npos);
}

// Of every mechanism, in either scope; proofs/assumptions.txt lists what `make proofs` checks.
TEST(Certificate, EveryTheoremThatItNamesIsAProvenOne) {
  std::set<std::string> proven, named;
  std::ifstream list(testing::golden_path("../../proofs/assumptions.txt"));
  for (std::string line; std::getline(list, line);) proven.insert(line.substr(0, line.find(':')));
  for (const Plan& plan : some_plans())
    for (const std::string& name : machine_checked(plan)) {
      EXPECT_TRUE(proven.contains(name)) << name;
      named.insert(name.substr(0, name.find('.')));
    }
  EXPECT_EQ(named, (std::set<std::string>{"circles", "edgeflip", "final", "joint", "lattice", "lossless",
                                          "onescore", "secondlook", "shared", "step", "twohop"}));
}

// Format 1 said of `shared` and `edgeflip` that every edge stays protected at epsilon in all.
TEST(Certificate, TheFalseSentenceOfFormat1DoesNotVerify) {
  const auto old = [](const std::string& mechanism, Scope scope) {
    Json document = plain_certificate({.mechanism = mechanism, .scope = scope});
    for (const char* key : {"randomness", "artefact", "ledger", "budget", "charged", "answer", "issuer",
                            "public_key", "machine_checked"})
      document.erase(key);
    document["format"] = 1;
    document["software_version"] = "0.1.0";
    return verify_document(with_digest(document));
  };
  for (const char* mechanism : {"shared", "edgeflip"}) {
    EXPECT_NE(old(mechanism, Scope::personalized).reason.find("pooling"), std::string::npos);
    EXPECT_TRUE(old(mechanism, Scope::edge).valid) << old(mechanism, Scope::edge).reason;
  }
  EXPECT_TRUE(old("twohop", Scope::personalized).valid);
}

TEST(SharedArtefact, OfFormat1HasTheDigestOfItsFileAsId) {
  const std::string path = testing::golden_path("ledger/v1.share"), bytes = testing::read_all(path);
  const SharedArtefact artefact = SharedArtefact::open(path);
  EXPECT_EQ(artefact.context().artefact, sha256_hex(bytes));
  const SharedArtefact again = SharedArtefact::parse(artefact.bytes(), "again");  // now of format 2
  EXPECT_EQ(again, artefact);
  EXPECT_TRUE(verify_certificate(bytes).valid);
}

TEST(SharedArtefact, HasAnIdOfItsOwnEveryTime) {
  const Graph graph = testing::karate();
  const ReleaseParameters request{.mechanism = "shared", .scope = Scope::edge};
  const SharedArtefact one = SharedArtefact::make(graph, request),
                       other = SharedArtefact::make(graph, request);
  EXPECT_EQ(one.context().artefact.size(), 32U);
  EXPECT_NE(one.context().artefact, other.context().artefact);
}

TEST(SharedArtefact, SurvivesTheDisk) {
  const testing::TemporaryFolder folder;
  const Graph graph = testing::karate();
  ReleaseParameters request;
  request.mechanism = "shared";
  request.scope = Scope::edge;
  const SharedArtefact made = SharedArtefact::make(graph, request);
  made.save(folder / "a");
  const SharedArtefact read = SharedArtefact::open(folder / "a");
  EXPECT_EQ(read.plan(), made.plan());
  EXPECT_TRUE(verify_certificate_file(folder / "a").valid);
  const SeedVector seed(3);
  const Plan plan = read.plan_for(graph.facts(), {});
  EXPECT_EQ(plan.total_epsilon(), 1);
  EXPECT_EQ(read.answer(plan, graph, std::span(&seed, 1))[0].scores,
            made.answer(plan, graph, std::span(&seed, 1))[0].scores);
}

TEST(SharedArtefact, NoticesDamageAndAnotherGraph) {
  const testing::TemporaryFolder folder;
  const Graph graph = testing::karate(), other = testing::karate();
  ReleaseParameters request;
  request.mechanism = "shared";
  request.scope = Scope::edge;
  const SharedArtefact made = SharedArtefact::make(graph, request);
  EXPECT_THROW(made.plan_for(other.facts(), {}), Error);
  made.save(folder / "a");
  std::ifstream file(folder / "a", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  for (std::size_t at = 0; at < bytes.size(); at += at < 3000 ? 7 : 1) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    std::ofstream(folder / "b", std::ios::binary) << damaged;
    EXPECT_THROW(SharedArtefact::open(folder / "b"), Error) << at;
    EXPECT_FALSE(verify_certificate(damaged).valid) << at;  // what rank refuses does not verify
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(folder / "b", std::ios::binary) << bytes.substr(0, size);
    EXPECT_THROW(SharedArtefact::open(folder / "b"), Error) << size;
  }
}

}  // namespace
}  // namespace hushwalk
