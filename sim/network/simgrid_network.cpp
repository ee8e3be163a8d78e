// SPDX-License-Identifier: MIT
// The simgrid network: flow_network.cpp's model as SimGrid solves it, in a module that is loaded when it is asked for
// (simgrid_module.hpp).
//
// Errors  InputError: the module is not where it belongs, or one of its libraries is missing.
#include <dlfcn.h>

#include <filesystem>
#include <memory>
#include <string>

#include "sim/network/network_model.hpp"
#include "sim/network/simgrid_module.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

namespace fs = std::filesystem;

constexpr char kRemedy[] =
    "install it beside reprise (cmake --install), or take --network flow, which is the same model";

// In a build tree, or installed.
fs::path module_path() {
  std::error_code ignored;
  const fs::path bin = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path installed = (bin / REPRISE_LIBRARIES_FROM_BIN / kSimgridModule).lexically_normal(),
                 built = (bin / ".." / "lib" / kSimgridModule).lexically_normal();
  for (const fs::path& path : {installed, built})
    if (fs::exists(path, ignored)) return path;
  throw InputError("the simgrid network",
                   "its module " + std::string(kSimgridModule) + " is not in " +
                       installed.parent_path().string() +
                       (installed == built ? "" : " or " + built.parent_path().string()),
                   kRemedy);
}

SimgridEntry entry() {
  const fs::path path = module_path();
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const found = module == nullptr ? nullptr : dlsym(module, kSimgridEntry);
  if (found == nullptr)
    throw InputError("the simgrid network", std::string("cannot load its module: ") + dlerror(),
                     kRemedy);
  return reinterpret_cast<SimgridEntry>(found);
}

}  // namespace

const NetworkModel kSimgridNetwork{
    .summary = "max-min fair as SimGrid solves it, slow",
    .make = [](const platforms::Platform& platform,
               const NetworkSettings& settings) -> std::unique_ptr<Network> {
      static const SimgridEntry make = entry();
      return std::unique_ptr<Network>(make(platform, settings.links));
    },
    .simulates_once = true,
    .is_max_min = true,
    .time_error =
        4e-12};  // twice the precision that platforms/zones/settings.cpp sets, for two events

}  // namespace reprise::sim
