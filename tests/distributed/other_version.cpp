// A process of another version, for a test: it must not be let into a job.
#include <cstdio>
#include <exception>

#include "hushwalk/distributed.h"

int main() {
  try {
    hushwalk::DistributedJob job("0.0.0");
    job.serve();
  } catch (const std::exception&) {
    return 1;
  }
}
