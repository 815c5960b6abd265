// A certificate as a page for people who sign off.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hushwalk/certificate.h"
#include "hushwalk/report.h"

namespace hushwalk::report {

using LabelledTexts = std::vector<std::pair<std::string, std::string>>;

// Of a certificate that was verified. `so_far` says what its ledger has spent, in rows of the table of the
// budget.
Page certificate_page(const Verification& found, const LabelledTexts& so_far);
std::string written_page_json(const std::string& path);  // where it was written

}  // namespace hushwalk::report
