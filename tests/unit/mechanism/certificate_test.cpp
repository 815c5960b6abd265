// Every certificate verifies, and none does after any single change.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>

#include "hushwalk/error.h"
#include "mechanism/certificate.h"
#include "support/files.h"
#include "support/graphs.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

std::vector<Plan> some_plans() {
  std::vector<Plan> plans;
  const PublicFacts facts = public_facts(testing::karate());
  for (const std::string& mechanism : mechanism_names())
    for (const Scope scope : {Scope::personalized, Scope::edge})
      for (const Diffusion& diffusion :
           {Diffusion::ppr(), Diffusion::pagerank(0.5, 10), Diffusion::heat(2, 20),
            Diffusion::custom({{0.5, 0.25, 0.25}, {0.1, 0.2, 0.7}, {-0.5, 1, 0.5}})})
        for (const bool with_delta : {false, true}) {
          if (scope == Scope::edge && (mechanism == "twohop" || mechanism.ends_with("+own"))) continue;
          if (mechanism.starts_with("pushflow") && diffusion.name() != "ppr") continue;
          ReleaseRequest request;
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
      const std::string json = certificate_json(plan, {candidates});
      const Verification found = verify_certificate(json);
      EXPECT_TRUE(found.valid) << found.reason << json;
    }
}

// Calls visit(changed document, what) for every leaf, changed in turn.
void for_every_change(const OrderedJson& document,
                      const std::function<void(const OrderedJson&, std::string)>& visit) {
  const OrderedJson flat = document.flatten();
  for (const auto& [path, value] : flat.items()) {
    const auto pointer = OrderedJson::json_pointer(path);
    OrderedJson changed = document;
    OrderedJson& leaf = changed.at(pointer);
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
    OrderedJson& parent = changed.at(pointer.parent_pointer());
    if (parent.is_array())
      parent.erase(std::stoul(pointer.back()));
    else
      parent.erase(pointer.back());
    visit(changed, path + " removed");
  }
}

TEST(Certificate, NoSingleChangeVerifies) {
  for (const char* mechanism : {"paper", "twohop"}) {
    ReleaseRequest request;
    request.mechanism = mechanism;
    const Plan plan = make_plan(public_facts(testing::karate()), request);
    int changes = 0;
    for_every_change(certificate_document(plan, {}),
                     [&](const OrderedJson& changed, const std::string& what) {
                       EXPECT_FALSE(verify_document(changed).valid) << what;
                       ++changes;
                     });
    EXPECT_GT(changes, 60);
  }
}

// Someone who also mends the digest is still caught, wherever a number can be computed from the others.
TEST(Certificate, NumbersAreRecomputedAndNotTakenFromTheDigest) {
  ReleaseRequest request;
  request.mechanism = "paper";
  const OrderedJson honest = certificate_document(make_plan(public_facts(1000), request), {});
  for (const char* path :
       {"/sensitivity", "/noise/0/laplace_scale", "/noise/0/lattice_scale", "/total_epsilon",
        "/lattice/slack", "/guarantee/epsilon", "/epsilon", "/parameters/eta", "/public/nodes"}) {
    OrderedJson forged = honest;
    OrderedJson& number = forged.at(OrderedJson::json_pointer(path));
    number = number.is_number_integer() ? OrderedJson(2 * number.get<std::int64_t>())
                                        : OrderedJson(number.get<double>() / 2);
    forged.erase("digest");
    forged["digest"] = digest_of(forged);
    EXPECT_FALSE(verify_document(forged).valid) << path;
  }
}

// Words of another version are not compared, and that is said; what is promised is.
TEST(Certificate, AnotherVersionIsCheckedButForItsWords) {
  const OrderedJson honest = certificate_document(make_plan(public_facts(1000), {}), {});
  const auto forged = [&](const char* key, const OrderedJson& value) {
    OrderedJson document = honest;
    document["software_version"] = "0.0.0";
    document[key] = value;
    document.erase("digest");
    document["digest"] = digest_of(document);
    return verify_document(document);
  };
  const Verification older = forged("format", 1);
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

TEST(SharedArtefact, SurvivesTheDisk) {
  const testing::TemporaryFolder folder;
  const Graph graph = testing::karate();
  ReleaseRequest request;
  request.mechanism = "shared";
  request.scope = Scope::edge;
  const SharedArtefact made = SharedArtefact::make(make_plan(public_facts(graph), request), graph);
  made.save(folder / "a");
  const SharedArtefact read = SharedArtefact::open(folder / "a");
  EXPECT_EQ(read.plan(), made.plan());
  EXPECT_TRUE(verify_certificate_file(folder / "a").valid);
  const SeedVector seed(3);
  const Plan plan = read.plan_for(public_facts(graph), {});
  EXPECT_EQ(plan.total_epsilon(), 1);
  EXPECT_EQ(read.answer(plan, graph, std::span(&seed, 1))[0].scores,
            made.answer(plan, graph, std::span(&seed, 1))[0].scores);
}

TEST(SharedArtefact, NoticesDamageAndAnotherGraph) {
  const testing::TemporaryFolder folder;
  const Graph graph = testing::karate(), other = testing::karate();
  ReleaseRequest request;
  request.mechanism = "shared";
  request.scope = Scope::edge;
  const SharedArtefact made = SharedArtefact::make(make_plan(public_facts(graph), request), graph);
  EXPECT_THROW(made.plan_for(public_facts(other), {}), Error);
  made.save(folder / "a");
  std::ifstream file(folder / "a", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  for (std::size_t at = 0; at < bytes.size(); at += at < 3000 ? 7 : 1) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    std::ofstream(folder / "b", std::ios::binary) << damaged;
    EXPECT_THROW(SharedArtefact::open(folder / "b"), Error) << at;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(folder / "b", std::ios::binary) << bytes.substr(0, size);
    EXPECT_THROW(SharedArtefact::open(folder / "b"), Error) << size;
  }
}

}  // namespace
}  // namespace hushwalk
