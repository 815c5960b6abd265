// hushwalk, the program for one machine.
#include "run.h"

int main(int argc, char** argv) {
  using namespace hushwalk::cli;
  return run(argc, argv,
             {"hushwalk",
              {add_demo, add_generate, add_import, add_info, add_rank, add_plan, add_share, add_ledger,
               add_serve, add_keys, add_verify_certificate, add_certificate, add_evaluate, add_tune,
               add_reproduce, add_audit, add_calibrate, add_account, add_names}});
}
