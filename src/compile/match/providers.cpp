#include "compile/match/providers.h"

#include "provider/dtrace.h"
#include "provider/kernel/fbt.h"
#include "provider/kernel/kinst.h"
#include "provider/profile.h"
#include "provider/sdt.h"
#include "provider/syscall.h"
#include "provider/user/pid.h"

namespace kinst::compile {

Providers make_providers(Ground& ground, provider::Purpose purpose,
                         std::size_t most_probes) {
  Providers providers;
  providers.push_back(std::make_unique<provider::DtraceProvider>());
  providers.push_back(std::make_unique<provider::ProfileProvider>());
  providers.push_back(std::make_unique<provider::SyscallProvider>(ground.isa));
  providers.push_back(
      std::make_unique<provider::SdtProvider>(purpose, ground.tracepoints));
  providers.push_back(std::make_unique<provider::RawTracepointProvider>(
      purpose, ground.tracepoints, ground.kernel_types, ground.types));
  providers.push_back(std::make_unique<provider::FbtProvider>(
      purpose, ground.symbols, ground.code.functions, ground.kernel_types,
      ground.types));
  providers.push_back(
      std::make_unique<provider::PidProvider>(ground.isa, ground.processes));
  providers.push_back(std::make_unique<provider::KinstProvider>(
      provider::KernelReading{.symbols = ground.symbols,
                              .functions = ground.code.functions,
                              .debug = ground.debug,
                              .progress = ground.reading},
      ground.kernel_types, ground.isa, most_probes));
  return providers;
}

}  // namespace kinst::compile
