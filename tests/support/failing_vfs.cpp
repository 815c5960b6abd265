#include "support/failing_vfs.h"

#include <csignal>
#include <cstring>
#include <optional>

namespace hushwalk::testing {
namespace {

struct Plan {
  Fault fault = Fault::error;
  std::uint64_t at = 0, calls = 0;
};
Plan plan;
sqlite3_vfs* real_vfs = nullptr;

// The real files of SQLite make the same system calls as everybody: one write is counted once.
bool in_sqlite = false;
template <class Action>
auto uncounted(Action action) {
  in_sqlite = true;
  const auto result = action();
  in_sqlite = false;
  return result;
}

bool due() { return plan.at != 0 && ++plan.calls == plan.at; }

// The error of a call whose turn has come; none for all others.
std::optional<int> fault(int error) {
  if (!due()) return {};
  if (plan.fault == Fault::kill || plan.fault == Fault::torn) raise(SIGKILL);
  return plan.fault == Fault::full ? SQLITE_FULL : error;
}

struct File {
  sqlite3_file base;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
File* of(sqlite3_file* file) { return reinterpret_cast<File*>(file); }

// Hands a call on to the real file.
template <auto Method, class... Arguments>
int forward(sqlite3_file* file, Arguments... arguments) {
  sqlite3_file* const real = of(file)->real();
  return uncounted([&] { return (real->pMethods->*Method)(real, arguments...); });
}

template <auto Method, int Error, class... Arguments>
int failing(sqlite3_file* file, Arguments... arguments) {
  if (const auto error = fault(Error)) return *error;
  return forward<Method>(file, arguments...);
}

int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  if (!due()) return forward<&sqlite3_io_methods::xWrite>(file, data, size, offset);
  if (plan.fault == Fault::kill) raise(SIGKILL);
  if (plan.fault == Fault::error) return SQLITE_IOERR_WRITE;
  forward<&sqlite3_io_methods::xWrite>(file, data, size / 2, offset);
  if (plan.fault == Fault::torn) raise(SIGKILL);
  return SQLITE_FULL;
}

int control(sqlite3_file* file, int what, void* argument) {
  if (what == SQLITE_FCNTL_SIZE_HINT)
    if (const auto error = fault(SQLITE_IOERR_TRUNCATE)) return *error;
  return forward<&sqlite3_io_methods::xFileControl>(file, what, argument);
}

void unmap_barrier(sqlite3_file* file) {
  sqlite3_file* const real = of(file)->real();
  real->pMethods->xShmBarrier(real);
}

using Methods = sqlite3_io_methods;
const Methods methods = {
    .iVersion = 2,  // no memory-mapped database pages
    .xClose = forward<&Methods::xClose>,
    .xRead = forward<&Methods::xRead>,
    .xWrite = write,
    .xTruncate = failing<&Methods::xTruncate, SQLITE_IOERR_TRUNCATE>,
    .xSync = failing<&Methods::xSync, SQLITE_IOERR_FSYNC>,
    .xFileSize = forward<&Methods::xFileSize>,
    .xLock = forward<&Methods::xLock>,
    .xUnlock = forward<&Methods::xUnlock>,
    .xCheckReservedLock = forward<&Methods::xCheckReservedLock>,
    .xFileControl = control,
    .xSectorSize = forward<&Methods::xSectorSize>,
    .xDeviceCharacteristics = forward<&Methods::xDeviceCharacteristics>,
    .xShmMap = failing<&Methods::xShmMap, SQLITE_IOERR_SHMMAP>,
    .xShmLock = forward<&Methods::xShmLock>,
    .xShmBarrier = unmap_barrier,
    .xShmUnmap = forward<&Methods::xShmUnmap>,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open(sqlite3_vfs*, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  if (const auto error = fault(SQLITE_CANTOPEN)) return *error;
  const int code =
      uncounted([&] { return real_vfs->xOpen(real_vfs, name, of(file)->real(), flags, out_flags); });
  if (of(file)->real()->pMethods) file->pMethods = &methods;
  return code;
}

int remove(sqlite3_vfs*, const char* name, int sync) {
  if (const auto error = fault(SQLITE_IOERR_DELETE)) return *error;
  return uncounted([&] { return real_vfs->xDelete(real_vfs, name, sync); });
}

}  // namespace

void install_failing_vfs() {
  static sqlite3_vfs failing_vfs;
  if (real_vfs) return;
  real_vfs = sqlite3_vfs_find(nullptr);
  failing_vfs = *real_vfs;
  failing_vfs.pNext = nullptr;
  failing_vfs.zName = "failing";
  failing_vfs.szOsFile = static_cast<int>(sizeof(File)) + real_vfs->szOsFile;
  failing_vfs.xOpen = open;
  failing_vfs.xDelete = remove;
  sqlite3_vfs_register(&failing_vfs, 1);
}

void arm(Fault fault, std::uint64_t call) { plan = {fault, call, 0}; }
void disarm() { plan.at = 0; }
std::optional<Fault> fault_outside_sqlite() {
  if (in_sqlite || !due()) return {};
  if (plan.fault == Fault::kill) raise(SIGKILL);
  return plan.fault;
}
bool fault_happened() { return plan.at != 0 && plan.calls >= plan.at; }

}  // namespace hushwalk::testing
