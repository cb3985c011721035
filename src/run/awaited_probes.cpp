#include "run/awaited_probes.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "base/system/file_descriptor.h"

namespace kinst::run {
namespace {

constexpr std::size_t most_files = 256;

// What tells a place in the code of a process from others, whatever it is called.
using Place = std::tuple<std::string, std::uint64_t, provider::UserPlaceKind,
                         std::string, std::string>;

Place place_of(const provider::Probe& probe) {
  const auto& site = std::get<provider::UserInstruction>(probe.site);
  return {site.file, site.file_offset, site.kind, probe.function, probe.name};
}

using SharedFile = std::shared_ptr<const FileDescriptor>;

// What is mapped, by the path that leads to it now.
std::map<std::string, user::FileKey> files_by_path(const user::Process& process) {
  std::map<std::string, user::FileKey> files;
  for (const user::LoadedObject& object : process.objects()) {
    files.emplace(object.openable, user::key_of(object));
  }
  return files;
}

// Opens the files of the probes, each once, and makes their paths last. Leaves out what
// has become another file meanwhile, in a process that does not stand still.
void keep_files(user::Process& process, std::vector<LaterProbe>& probes) {
  const auto before = files_by_path(process);
  std::map<std::string, SharedFile> opened;
  for (const LaterProbe& one : probes) {
    SharedFile& file = opened[std::get<provider::UserInstruction>(one.probe.site).file];
    if (file == nullptr) {
      const std::string& path =
          std::get<provider::UserInstruction>(one.probe.site).file;
      file = std::make_shared<const FileDescriptor>(
          ::open(path.c_str(), O_PATH | O_CLOEXEC));
    }
  }
  process.refresh();
  const auto after = files_by_path(process);
  std::erase_if(probes, [&](LaterProbe& one) {
    auto& site = std::get<provider::UserInstruction>(one.probe.site);
    const auto known = before.find(site.file);
    const auto found = after.find(site.file);
    one.file = opened.at(site.file);
    if (!*one.file || known == before.end() || found == after.end() ||
        known->second != found->second) {
      return true;
    }
    site.file = fmt::format("/proc/self/fd/{}", one.file->get());
    return false;
  });
}

void add_files(const user::Process& process, std::set<user::FileKey>& files) {
  for (const user::LoadedObject& object : process.objects()) {
    files.insert(user::key_of(object));
  }
}

}  // namespace

AwaitedProbes::AwaitedProbes(const compile::Matches& matches, user::Processes& known,
                             const isa::Isa& isa, std::size_t most)
    : room_(most),
      files_left_(most_files),
      provider_(std::make_unique<provider::PidProvider>(isa, *processes_, most)) {
  for (const compile::Awaited& one : matches.awaited) {
    if (!std::holds_alternative<provider::UserInstruction>(
            matches.probes.all()[one.probes.front()].site)) {
      continue;
    }
    Description description{.awaited = one, .kinds = {}};
    pid_t number = -1;
    for (const std::size_t index : one.probes) {
      const auto& site =
          std::get<provider::UserInstruction>(matches.probes.all()[index].site);
      number = site.process;
      description.kinds.emplace(index, site.kind);
    }
    descriptions_[number].push_back(std::move(description));
    if (const user::Process* process = known.find(number)) {
      add_files(*process, seen_[number]);
    }
  }
}

std::set<pid_t> AwaitedProbes::processes() const {
  std::set<pid_t> processes;
  for (const auto& [process, descriptions] : descriptions_) {
    processes.insert(process);
  }
  return processes;
}

std::vector<LaterProbe> AwaitedProbes::look(pid_t process) {
  user::Process* looked_at = processes_->find(process);
  if (looked_at == nullptr) {
    return {};
  }
  looked_at->refresh();
  std::set<user::FileKey> now;
  add_files(*looked_at, now);
  std::set<user::FileKey>& seen = seen_[process];
  if (std::ranges::includes(seen, now)) {
    return {};
  }
  provider_->leave_out(seen);
  std::map<Place, LaterProbe> found;
  for (const Description& description : descriptions_[process]) {
    auto match = provider_->match(description.awaited.names);
    if (!match) {
      continue;
    }
    for (provider::Probe& probe : match->probes) {
      const auto kind = std::get<provider::UserInstruction>(probe.site).kind;
      LaterProbe& later = found[place_of(probe)];
      for (const auto& [index, its_kind] : description.kinds) {
        if (its_kind == kind) {
          later.awaited.insert(index);
        }
      }
      later.probe = std::move(probe);
    }
  }
  seen.insert(now.begin(), now.end());
  std::vector<LaterProbe> probes;
  std::set<std::string> files;
  for (auto& [place, later] : found) {
    const std::string& file = std::get<0>(place);
    if (room_ == 0 || (files_left_ == 0 && !files.contains(file))) {
      is_full_ = true;
      continue;
    }
    files_left_ -= files.insert(file).second ? 1 : 0;
    --room_;
    probes.push_back(std::move(later));
  }
  keep_files(*looked_at, probes);
  return probes;
}

std::optional<user::LinkerPlace> AwaitedProbes::linker(pid_t process) {
  user::Process* looked_at = processes_->find(process);
  if (looked_at == nullptr) {
    return std::nullopt;
  }
  looked_at->refresh();
  return user::linker_place(*looked_at);
}

}  // namespace kinst::run
