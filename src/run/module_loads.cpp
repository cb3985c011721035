// The raw tracepoint module_load stands between the notice that a module is coming, at
// which the kernel makes the probes that it knows by name, and its init function
// (kernel/module/main.c, load_module). A program there cannot hold the loader: a signal
// would be heard after the init function only.
#include "run/module_loads.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "bpf/attach/attach_tracepoint.h"
#include "bpf/code/function_builder.h"
#include "bpf/code/link.h"

namespace kinst::run {
namespace {

using bpf::Register;

bpf::Program loads_program(bpf::MapId records) {
  bpf::FunctionBuilder code("module_loaded");
  constexpr std::int16_t nothing = -8;
  code.emit(bpf::store(bpf::Size::Double, Register::R10, nothing, 0));
  code.load_map(Register::R1, records);
  code.emit(bpf::mov(Register::R2, Register::R10));
  code.emit(bpf::alu(bpf::Arithmetic::Add, Register::R2, nothing));
  code.emit(bpf::mov(Register::R3, 8));
  code.emit(bpf::mov(Register::R4, 0));
  code.call(bpf::Helper::RingbufOutput);
  code.emit(bpf::mov(Register::R0, 0));
  code.exit();
  bpf::Program program;
  program.name = "kinst_module";
  program.type = bpf::ProgramType::RawTracepoint;
  program.functions.push_back(std::move(code).finish());
  return program;
}

Result<bpf::Object> load_program() {
  bpf::ObjectSpecification specification;
  const bpf::MapId records = specification.add_map({.name = "modules",
                                                    .type = bpf::MapType::RingBuffer,
                                                    .key_size = 0,
                                                    .value_size = 0,
                                                    .max_entries = 4096,
                                                    .flags = 0,
                                                    .contents = {},
                                                    .frozen = false});
  specification.programs.push_back(loads_program(records));
  const bpf::Image image = KINST_TRY(bpf::link(specification, {}));
  auto object = bpf::load(image);
  if (!object) {
    return tl::unexpected(Error{object.error().message});
  }
  return *std::move(object);
}

}  // namespace

ModuleLoads::ModuleLoads(bpf::Object object, bpf::RingBuffer records,
                         bpf::OwnedAttachment attachment)
    : object_(std::move(object)),
      records_(std::move(records)),
      attachment_(std::move(attachment)) {}

Result<ModuleLoads> ModuleLoads::start() {
  bpf::Object object = KINST_TRY(load_program());
  bpf::RingBuffer records = KINST_TRY(bpf::RingBuffer::open(object.maps[0]));
  bpf::OwnedAttachment attachment =
      KINST_TRY(bpf::attach_raw_tracepoint(object.programs[0], "module_load"));
  return ModuleLoads(std::move(object), std::move(records), std::move(attachment));
}

void ModuleLoads::take() {
  records_.consume([](std::span<const std::byte>) {});
}

// What is built in has a folder, too, but no state. The number of a folder's file in
// sysfs is given once (fs/kernfs/dir.c, __kernfs_new_node).
std::map<std::string, std::uint64_t> loaded_modules() {
  namespace fs = std::filesystem;
  std::map<std::string, std::uint64_t> modules;
  std::error_code problem;
  for (fs::directory_iterator at("/sys/module", problem), end; !problem && at != end;
       at.increment(problem)) {
    const std::string path = at->path().string();
    struct stat about {};
    if (::access((path + "/initstate").c_str(), F_OK) == 0 &&
        ::stat(path.c_str(), &about) == 0) {
      modules.emplace(at->path().filename().string(), about.st_ino);
    }
  }
  return modules;
}

}  // namespace kinst::run
