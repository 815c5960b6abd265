#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "hushwalk/ledger.h"
#include "ledger/documents.h"
#include "ledger/keys.h"
#include "ledger/known_plan.h"
#include "ledger/master_key.h"
#include "ledger/state.h"
#include "noise/release_key.h"

namespace hushwalk::ledger {

// Which ranking it is: the answer, and whose seeds.
std::string ranking_text(const std::string& answer, const NamedSeeds& seeds);

// The master key in an epoch of the ledger: all that is derived from it. A new epoch may replace the
// ledger's; whoever computes goes on with their own. Threads may share one.
struct UsedKey {
  std::shared_ptr<const MasterKey> master;
  KeyTerms terms;

  // By this a graph's content is known; tells nothing of it.
  std::string content_tag(const Sha256& content) const;
  ReleaseKey release_key(const std::string& release_digest) const;
  // What makes the hash of a shown ranking useless for testing guesses; shown with it.
  std::string ranking_salt(const std::string& answer, const NamedSeeds& seeds) const;
  // The same for a file with several rankings, of which each recipient knows one; by a hash of which they
  // are.
  std::string file_salt(const std::string& rankings) const;
};

// What is noted of a ledger beside its key.
NotedHead head_of(State& state);
std::optional<NotedHead> readable_head(const HeadFile& head);  // one that is damaged says nothing

// Error{failed} when a new ledger of this name would replace a file, or SQLite would take what is left of
// another for its own; Error{usage} when SQLite would take it for a part of another.
void check_new_name(const std::filesystem::path& path);

// The last artefact that was read from the store: it is verified once, and outside the ledger's lock.
class ParsedArtefacts {
 public:
  std::shared_ptr<const SharedArtefact> parse(const std::vector<std::byte>& bytes);
  // Whether these bytes hold the numbers of that artefact.
  bool is(const std::vector<std::byte>& bytes, const SharedArtefact& artefact);

 private:
  void keep(const std::vector<std::byte>& bytes, std::shared_ptr<const SharedArtefact> artefact);

  std::mutex mutex_;
  std::vector<std::byte> bytes_;
  std::shared_ptr<const SharedArtefact> last_;
};

}  // namespace hushwalk::ledger

namespace hushwalk {

struct Ledger::Impl {
  Impl(const std::filesystem::path& file, const std::filesystem::path& key_file);

  // The time for new entries. Error{failed} when the clock is far behind the latest one.
  std::string now();
  // Error{refused} when the ledger is not of this graph.
  void check_graph(const PublicFacts& graph);
  LedgerAccount account(const std::string& name);  // with its limit; of a recipient all that they see

  // The key, if it is the ledger's. Error{refused} when the ledger is behind the head that is noted beside
  // it.
  ledger::UsedKey use_key();
  void check_head();
  void check_key();               // Error{refused} when the file is not the ledger's
  ledger::NotedHead last_head();  // of the ledger as it is
  void note_head();
  // What a newer copy of this ledger had charged, by its head, is charged: to everybody, if there is a limit
  // for each recipient, because nobody knows any more who saw it.
  void charge_lost(const ledger::NotedHead& noted);
  // The first who uses a graph says by what its content is known; Error{refused} when it is another one
  // since.
  void note_content(const PublicFacts& graph, std::int64_t epoch, const std::string& content,
                    const std::string& at);
  void check_content(const PublicFacts& graph, std::int64_t epoch, const std::string& content);
  // What was written is on the disk, and its head beside the key, when it returns.
  void commit(ledger::Transaction& transaction);

  std::mutex mutex;  // of all that follows
  std::filesystem::path path, key_path;
  ledger::HeadFile head;
  ledger::Database database;
  ledger::State state;
  ledger::Documents documents;
  ledger::Terms terms;  // as they were when they were last read
  std::shared_ptr<const ledger::MasterKey> master = {};
  std::shared_ptr<const ledger::KnownPlan> known = {};  // the last plan that was charged
  std::string last_graph = {};                          // the id of a graph that is known to be the ledger's
  std::function<std::chrono::system_clock::time_point()> clock = std::chrono::system_clock::now;
  ledger::ParsedArtefacts parsed_artefacts = {};  // with a lock of its own
  const std::string id = terms.ledger_id;         // never changes, and is read without the lock
};

}  // namespace hushwalk
