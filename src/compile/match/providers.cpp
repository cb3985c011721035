#include "compile/match/providers.h"

#include <utility>

#include "provider/dtrace.h"
#include "provider/kernel/fbt.h"
#include "provider/kernel/kinst.h"
#include "provider/profile.h"
#include "provider/sdt.h"
#include "provider/syscall.h"
#include "provider/user/pid.h"

namespace kinst::compile {

Providers make_providers(System& system, provider::Purpose purpose,
                         std::size_t most_probes, ProgressReport reading) {
  Providers providers;
  providers.push_back(std::make_unique<provider::DtraceProvider>());
  providers.push_back(std::make_unique<provider::ProfileProvider>());
  providers.push_back(std::make_unique<provider::SyscallProvider>(system.code.isa));
  providers.push_back(
      std::make_unique<provider::SdtProvider>(purpose, system.tracepoints));
  providers.push_back(std::make_unique<provider::RawTracepointProvider>(
      purpose, system.tracepoints, system.kernel_types, system.types));
  providers.push_back(std::make_unique<provider::FbtProvider>(
      purpose, system.code.symbols, system.code.functions, system.kernel_types,
      system.types));
  providers.push_back(
      std::make_unique<provider::PidProvider>(system.code.isa, system.processes));
  providers.push_back(std::make_unique<provider::KinstProvider>(
      provider::KernelReading{.symbols = system.code.symbols,
                              .functions = system.code.functions,
                              .debug = system.debug,
                              .progress = std::move(reading)},
      system.kernel_types, system.code.isa, most_probes));
  return providers;
}

}  // namespace kinst::compile
