#pragma once

#include "ledger/database.h"

namespace hushwalk::ledger {

inline constexpr int schema_version = 5;

void make_schema(const Database& database);  // of an empty database

// Error{failed} unless it is a ledger that this version knows.
int version_of(const Database& database, const std::string& name);
// Brings an older ledger up to date; `at` is the time of the entries that this adds, `key` where its key will
// be.
void upgrade(const Database& database, const std::string& at, const std::filesystem::path& key);
// Damage when there is more or less than make_schema() makes: a trigger, a view, an altered table.
void check_schema(const Database& database);

}  // namespace hushwalk::ledger
