// The verbs of the command line, one file each in cli/verbs/.
#pragma once

#include <CLI/CLI.hpp>

#include "common.h"

namespace hushwalk::cli {

void add_account(CLI::App& app, Common& common);
void add_audit(CLI::App& app, Common& common);
void add_calibrate(CLI::App& app, Common& common);
void add_certificate(CLI::App& app, Common& common);
void add_demo(CLI::App& app, Common& common);
void add_evaluate(CLI::App& app, Common& common);
void add_generate(CLI::App& app, Common& common);
void add_import(CLI::App& app, Common& common);
void add_info(CLI::App& app, Common& common);
void add_keys(CLI::App& app, Common& common);
void add_ledger(CLI::App& app, Common& common);
void add_names(CLI::App& app, Common& common);
void add_plan(CLI::App& app, Common& common);
void add_rank(CLI::App& app, Common& common);
void add_reproduce(CLI::App& app, Common& common);
void add_serve(CLI::App& app, Common& common);
void add_share(CLI::App& app, Common& common);
void add_tune(CLI::App& app, Common& common);
void add_verify_certificate(CLI::App& app, Common& common);

}  // namespace hushwalk::cli
