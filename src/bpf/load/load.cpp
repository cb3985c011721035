#include "bpf/load/load.h"

#include <bpf/bpf.h>
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <string_view>

#include "bpf/load/privileges.h"
#include "bpf/load/rejection.h"

namespace kinst::bpf {
namespace {

// The verifier's whole log for the largest programs.
constexpr std::size_t log_bytes = std::size_t{16} << 20U;
// The verifier's last words only.
constexpr std::size_t words_bytes = std::size_t{64} << 10U;
// What the log is to hold: include/linux/bpf_verifier.h.
constexpr std::uint32_t log_of_all = 1;      // all that it looks at
constexpr std::uint32_t log_of_refusal = 4;  // why it refuses

/// Kernels before 5.11 account maps as locked memory, some distributions' later.
void lift_memory_limit() {
  const rlimit unlimited{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  setrlimit(RLIMIT_MEMLOCK, &unlimited);
}

/// Each program and each of its events takes a descriptor, and shells permit 1,024.
void lift_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

/// The instructions as the kernel has them, with the maps' descriptors filled in.
std::vector<bpf_insn> encode(const ProgramImage& program,
                             const std::vector<Map>& maps) {
  std::vector<bpf_insn> encoded;
  for (const Instruction& instruction : program.instructions) {
    bpf_insn raw{.code = instruction.opcode};
    raw.dst_reg = static_cast<std::uint8_t>(instruction.destination) & 0xfU;
    raw.src_reg = static_cast<std::uint8_t>(instruction.source) & 0xfU;
    raw.off = instruction.offset;
    raw.imm = instruction.immediate;
    encoded.push_back(raw);
  }
  for (const MapUse& use : program.map_uses) {
    encoded.at(use.instruction).imm =
        maps.at(static_cast<std::size_t>(use.map)).descriptor();
  }
  return encoded;
}

tl::expected<LoadedProgram, LoadError> load_program(const ProgramImage& program,
                                                    const std::vector<Map>& maps,
                                                    int btf, std::string& asked_log) {
  const std::vector<bpf_insn> code = encode(program, maps);
  bpf_prog_load_opts options{.sz = sizeof options};
  options.expected_attach_type =
      static_cast<bpf_attach_type>(program.expected_attach_type);
  options.attach_btf_id = program.attach_btf_id;
  options.attach_btf_obj_fd = program.attach_btf_object;
  options.prog_flags = program.flags;
  options.prog_btf_fd = static_cast<std::uint32_t>(btf);
  static_assert(sizeof(FunctionInfo) == sizeof(bpf_func_info));
  options.func_info = program.functions.data();
  options.func_info_cnt = static_cast<std::uint32_t>(program.functions.size());
  options.func_info_rec_size = sizeof(FunctionInfo);
  const auto attempt = [&] {
    return FileDescriptor(bpf_prog_load(static_cast<bpf_prog_type>(program.type),
                                        kernel_name(program.name).c_str(), "GPL",
                                        code.data(), code.size(), &options));
  };
  const auto attempt_with_log = [&](std::string& log, std::uint32_t level) {
    options.log_buf = log.data();
    options.log_size = static_cast<std::uint32_t>(log.size());
    options.log_level = level;
    return attempt();
  };
  FileDescriptor descriptor =
      asked_log.empty() ? attempt() : attempt_with_log(asked_log, log_of_all);
  if (!descriptor && !asked_log.empty() && errno == ENOSPC) {
    return tl::unexpected(LoadError(
        Error{fmt::format("the verifier's log of program {} does not fit into {} "
                          "bytes: -x bpflogsize makes room",
                          program.name, asked_log.size())}));
  }
  if (!descriptor) {
    // A log is requested only now, because writing one makes the verifier several times
    // slower. First the last words only, then the whole log: that may not fit, and the
    // kernel then reports nothing else.
    const int number = errno;
    std::string words(words_bytes, '\0');
    std::string log(log_bytes, '\0');
    descriptor = attempt_with_log(words, log_of_refusal);
    if (!descriptor) {
      attempt_with_log(log, log_of_all);
      words.resize(std::string_view(words).find('\0'));
      log.resize(std::string_view(log).find('\0'));
      log.shrink_to_fit();
      Error sentence =
          explain_rejection({.program = program.name, .number = number, .log = words});
      return tl::unexpected(LoadError(std::move(sentence), std::move(log)));
    }
  }
  return LoadedProgram{program.name, program.type, program.expected_attach_type,
                       std::move(descriptor)};
}

// The kernel's MAX_USED_MAPS. It would say no more than E2BIG, after all maps are made.
Result<void> check_map_count(const ProgramImage& program) {
  constexpr std::size_t most_maps = 64;
  std::set<MapId> maps;
  for (const MapUse& use : program.map_uses) {
    maps.insert(use.map);
  }
  if (maps.size() > most_maps) {
    return error(
        "program {} uses {} BPF maps, and may use {}: associative arrays, thread "
        "variables and many aggregations have one for each size of key and value; use "
        "fewer sizes",
        program.name, maps.size(), most_maps);
  }
  return {};
}

}  // namespace

const Map* Object::find_map(std::string_view name) const {
  const auto found = std::ranges::find(maps, name, &Map::name);
  return found == maps.end() ? nullptr : &*found;
}

tl::expected<Object, LoadError> load(const Image& image, std::uint32_t log_bytes) {
  for (const ProgramImage& program : image.programs) {
    KINST_CHECK(check_map_count(program));
  }
  lift_memory_limit();
  lift_descriptor_limit();
  Object object;
  for (const MapSpecification& map : image.maps) {
    object.maps.push_back(KINST_TRY(Map::create(map)));
  }
  const FileDescriptor btf(bpf_btf_load(image.btf.data(), image.btf.size(), nullptr));
  if (!btf) {
    const int number = errno;
    return tl::unexpected(
        LoadError(Error{"cannot load type information: " + explain_refusal(number)}));
  }
  for (const ProgramImage& program : image.programs) {
    std::string log(log_bytes, '\0');
    object.programs.push_back(
        KINST_TRY(load_program(program, object.maps, btf.get(), log)));
    object.verifier_log += log.substr(0, log.find('\0'));
  }
  return object;
}

bool helper_available(ProgramType type, Helper helper) {
  // The call's arguments are not set, which the verifier refuses in a known helper as
  // well; but it refuses an unknown helper earlier, with a message of its own.
  const std::array<bpf_insn, 2> code = {
      bpf_insn{.code = BPF_JMP | BPF_CALL, .imm = static_cast<std::int32_t>(helper)},
      bpf_insn{.code = BPF_JMP | BPF_EXIT}};
  std::array<char, 4096> log{};
  bpf_prog_load_opts options{.sz = sizeof options};
  options.log_buf = log.data();
  options.log_size = log.size();
  options.log_level = 1;
  const FileDescriptor program(bpf_prog_load(static_cast<bpf_prog_type>(type), "probe",
                                             "GPL", code.data(), code.size(),
                                             &options));
  const std::string_view words(log.data());
  const auto says = [words](std::string_view part) {
    return words.find(part) != std::string_view::npos;
  };
  return program ||
         !(words.empty() || says("unknown func") || says("invalid func") ||
           says("cannot use helper") || says("not supported for program type"));
}

std::uint64_t recursion_misses(const LoadedProgram& program) {
  bpf_prog_info info{};
  std::uint32_t size = sizeof info;
  return bpf_obj_get_info_by_fd(program.descriptor.get(), &info, &size) == 0
             ? info.recursion_misses
             : 0;
}

Result<std::uint32_t> run_once(const LoadedProgram& program,
                               std::span<const std::uint64_t> arguments) {
  bpf_test_run_opts options{.sz = sizeof options};
  options.ctx_in = arguments.empty() ? nullptr : arguments.data();
  options.ctx_size_in = static_cast<std::uint32_t>(arguments.size_bytes());
  const int status = bpf_prog_test_run_opts(program.descriptor.get(), &options);
  if (status != 0) {
    return system_error(fmt::format("run program {}", program.name), -status);
  }
  return options.retval;
}

}  // namespace kinst::bpf
