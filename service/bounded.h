// What remembers, within bounds: answers that were given, and how often somebody asked.
#pragma once

#include <algorithm>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "http.h"

namespace hushwalk::service {

// Replies by the question as it was asked, the least recently used forgotten first. Any thread may use it.
class AnswerCache {
 public:
  AnswerCache(std::uint64_t most_bytes, std::chrono::seconds age) : most_bytes_(most_bytes), age_(age) {}

  struct Kept {
    HttpResponse response;
    std::int64_t forgotten;  // by the ledger, when it was asked
  };

  std::optional<Kept> find(const std::string& question) {
    const std::scoped_lock lock(mutex_);
    const auto found = places_.find(question);
    if (found == places_.end()) return std::nullopt;
    if (Clock::now() - found->second->stored > age_) {
      erase(found->second);
      return std::nullopt;
    }
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->kept;
  }

  void keep(const std::string& question, const Kept& kept) {
    const std::uint64_t bytes = question.size() + kept.response.body->size() + overhead;
    if (bytes > most_bytes_ / 4) return;
    const std::scoped_lock lock(mutex_);
    if (const auto found = places_.find(question); found != places_.end()) erase(found->second);
    entries_.push_front({question, kept, Clock::now(), bytes});
    places_[question] = entries_.begin();
    bytes_ += bytes;
    while (bytes_ > most_bytes_) erase(std::prev(entries_.end()));
  }

  void clear() {
    const std::scoped_lock lock(mutex_);
    entries_.clear();
    places_.clear();
    bytes_ = 0;
  }
  std::uint64_t bytes() const {
    const std::scoped_lock lock(mutex_);
    return bytes_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t overhead = 512;  // of an entry, about
  struct Entry {
    std::string question;
    Kept kept;
    Clock::time_point stored;
    std::uint64_t bytes;
  };
  void erase(std::list<Entry>::iterator entry) {
    bytes_ -= entry->bytes;
    places_.erase(entry->question);
    entries_.erase(entry);
  }

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // the most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> places_;
  std::uint64_t bytes_ = 0;
  const std::uint64_t most_bytes_;
  const std::chrono::seconds age_;
};

// So many at once for each name. A place is free again when what was given is gone. For one thread.
class Places {
 public:
  std::shared_ptr<void> take(const std::string& name, std::uint64_t most) {  // nullptr: there is none
    if (marks_.size() >= most_names)
      std::erase_if(marks_, [](const auto& of) { return of.second.use_count() == 1; });
    std::shared_ptr<void>& mark = marks_[name];
    if (!mark) mark = std::make_shared<char>();
    if (static_cast<std::uint64_t>(mark.use_count()) > most) return nullptr;
    return std::make_shared<std::shared_ptr<void>>(mark);  // one place, however many hold it
  }

 private:
  static constexpr std::size_t most_names = 10'000;
  std::unordered_map<std::string, std::shared_ptr<void>> marks_;  // held here once, and once for each place
};

// So many a minute for each name, all at once or one after another. For one thread.
class RateLimits {
 public:
  using Clock = std::chrono::steady_clock;

  // Takes one. False when there is none, and then in how many seconds there will be.
  struct Taken {
    bool allowed;
    int wait_seconds;
  };
  Taken take(const std::string& name, double per_minute, Clock::time_point now = Clock::now()) {
    if (left_.size() >= most_names) forget_rested(now);
    auto [place, is_new] =
        left_.try_emplace(left_.size() < most_names ? name : "", Left{per_minute, now, per_minute});
    Left& left = place->second;
    const double seconds = std::chrono::duration<double>(now - left.at).count();
    left = {std::min(per_minute, left.tokens + seconds * per_minute / 60), now, per_minute};
    if (left.tokens >= 1) return --left.tokens, Taken{true, 0};
    return {false, 1 + static_cast<int>((1 - left.tokens) * 60 / per_minute)};
  }

 private:
  static constexpr std::size_t most_names = 10'000;
  struct Left {
    double tokens;
    Clock::time_point at;
    double per_minute;
  };
  // Those who have all their requests again need not be known.
  void forget_rested(Clock::time_point now) {
    std::erase_if(left_, [&](const auto& entry) {
      const Left& left = entry.second;
      return left.tokens + std::chrono::duration<double>(now - left.at).count() * left.per_minute / 60 >=
             left.per_minute;
    });
  }
  std::unordered_map<std::string, Left> left_;
};

}  // namespace hushwalk::service
