// Files of which one call fails: the Nth that writes, syncs, cuts, opens, deletes or maps. SQLite's are
// reached by a VFS; a test program that has its own write(), fsync(), … adds the others to the count.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>

namespace hushwalk::testing {

enum class Fault {
  error,  // the call reports an error and does nothing
  full,   // a write reports a full disk after half of it; others as above
  kill,   // the process dies before the call
  torn,   // the process dies after half of a write; before other calls
};

// From now on this is how SQLite reaches files. Nothing fails until a fault is armed.
void install_failing_vfs();
void arm(Fault fault, std::uint64_t call);  // the first call is 1
void disarm();
bool fault_happened();
// The fault of a call outside SQLite whose turn has come. A kill has happened before it returns.
std::optional<Fault> fault_outside_sqlite();

}  // namespace hushwalk::testing
