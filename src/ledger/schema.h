#pragma once

#include "ledger/database.h"

namespace hushwalk::ledger {

inline constexpr int schema_version = 1;

void make_schema(const Database& database);  // of an empty database

// Error{failed} unless it is a ledger; an older one is brought up to date.
void check_schema(const Database& database, const std::string& name);

}  // namespace hushwalk::ledger
