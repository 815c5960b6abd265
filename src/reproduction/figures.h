// One function a figure.
#pragma once

#include "hushwalk/report.h"
#include "reproduction/workbench.h"

namespace hushwalk::reproduction {

// The paper's theory (theory_figures.cpp).
report::Figure distortion(Workbench& bench);
report::Figure rdp_steps(Workbench& bench);
report::Figure wasserstein(Workbench& bench);
report::Figure noise_scale(Workbench& bench);

// Its experiments (utility_figures.cpp, eta_figures.cpp, ablation_figures.cpp).
report::Figure datasets(Workbench& bench);
report::Figure ndcg(Workbench& bench);
report::Figure recall(Workbench& bench);
report::Figure ablation(Workbench& bench);
report::Figure noise_type(Workbench& bench);
report::Figure eta_paper(Workbench& bench);
report::Figure eta_pushflow(Workbench& bench);
report::Figure eta_difference(Workbench& bench);
report::Figure running_time(Workbench& bench);

// Beyond it (beyond_figures.cpp).
report::Figure new_ndcg(Workbench& bench);
report::Figure new_recall(Workbench& bench);
report::Figure epsilon_needed(Workbench& bench);
report::Figure users(Workbench& bench);
report::Figure attack(Workbench& bench);
report::Figure wrong_claims(Workbench& bench);

// What stands on top of the page: a sentence each with a small picture, from the figures that were made
// (findings.cpp).
std::vector<report::Figure> findings(const std::vector<report::Figure>& made);

}  // namespace hushwalk::reproduction
