// `paper`, `output` and `pushflow`.
#pragma once

#include <memory>

#include "mechanism/mechanism.h"

namespace hushwalk {

std::unique_ptr<Mechanism> make_paper();
std::unique_ptr<Mechanism> make_output();
// As published, or with the recipient's own links added.
std::unique_ptr<Mechanism> make_push_flow(bool own);

}  // namespace hushwalk
