// The flags that say what is released and how private it is.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "diffusion_flags.h"

namespace hushwalk::cli {

void add_scope(CLI::App& verb, Scope& scope);

// One parameter each, read into the one list of them.
CLI::Option* add_epsilon(CLI::App& verb, Epsilon& epsilon, const std::string& description);
CLI::Option* add_delta(CLI::App& verb, std::optional<Delta>& delta, const std::string& description);
CLI::Option* add_eta(CLI::App& verb, std::optional<Eta>& eta, const std::string& mechanisms);
CLI::Option* add_taper(CLI::App& verb, std::optional<double>& taper, const std::string& description);

// The names of the mechanisms that have it, as help lists them: "twohop, frontier".
std::string mechanisms_with(const std::function<bool(const MechanismKind&)>& it, const char* between = ", ");
// Error{usage} unless it is `auto`, a mechanism, or one of `more`.
void check_mechanism(const std::string& name, const std::vector<std::string>& more = {});

// What `rank` and `plan` share.
struct ReleaseFlags {
  DiffusionFlags diffusion;

  void add_to(CLI::App& verb);
  ReleaseParameters parameters() const;  // with the diffusion
  bool has_epsilon() const { return epsilon_->count() > 0; }
  const ReleaseParameters& given() const { return given_; }  // without it

 private:
  ReleaseParameters given_;
  CLI::Option* epsilon_ = nullptr;
};

}  // namespace hushwalk::cli
