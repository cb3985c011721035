#include "guest/initramfs.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/system/file_descriptor.h"
#include "base/system/find_program.h"
#include "base/system/run_filter.h"
#include "guest/archive.h"
#include "guest/board.h"
#include "guest/init_script.h"

namespace kinst::guest {
namespace {

namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content;
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) {
    return system_error(fmt::format("read {}", path.native()), errno);
  }
  content.resize(static_cast<std::size_t>(status.st_size));
  std::size_t filled = 0;
  while (filled < content.size()) {
    const ssize_t length =
        ::read(file.get(), content.data() + filled, content.size() - filled);
    if (length < 0) {
      return system_error(fmt::format("read {}", path.native()), errno);
    }
    if (length == 0) {
      break;
    }
    filled += static_cast<std::size_t>(length);
  }
  content.resize(filled);
  return content;
}

std::uint32_t permissions_of(const fs::path& path) {
  std::error_code ignored;
  return static_cast<std::uint32_t>(fs::status(path, ignored).permissions()) & 0777;
}

Result<void> add_file(Archive& archive, const fs::path& source,
                      const fs::path& destination, std::uint32_t permissions) {
  const std::string content = KINST_TRY(read_file(source));
  archive.add_file(destination, content, permissions);
  return {};
}

bool is_program(const fs::path& path, std::uint32_t permissions) {
  std::array<char, 4> magic{};
  std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
  return (permissions & 0111) != 0 && std::string_view(magic.data(), 4) == "\177ELF";
}

Result<void> add_libraries(Archive& archive, const fs::path& program) {
  const auto ldd = find_program("ldd");
  if (!ldd) {
    return error("cannot find ldd, which names the libraries of {}", program.native());
  }
  const FilterOutcome listed = KINST_TRY(run_filter(
      ldd->native(), {ldd->native(), program.native()}, {}, Complaints::Dropped));
  const auto libraries = libraries_in_ldd_output(listed.output);
  if (!libraries) {
    return tl::unexpected(
        in_context(fmt::format("cannot run {} in the guest", program.native()),
                   libraries.error()));
  }
  for (const std::string& library : *libraries) {
    KINST_CHECK(add_file(archive, library, library, 0755));
  }
  return {};
}

Result<void> add_with_libraries(Archive& archive, const File& file) {
  const std::uint32_t permissions = permissions_of(file.source);
  KINST_CHECK(add_file(archive, file.source, file.destination, permissions));
  if (!is_program(file.source, permissions)) {
    return {};
  }
  return add_libraries(archive, fs::absolute(file.source));
}

/// The regular files below a directory, each with its place below `destination`.
Result<std::vector<File>> files_below(const File& directory) {
  std::vector<File> files;
  std::error_code problem;
  for (auto entry = fs::recursive_directory_iterator(directory.source, problem);
       entry != fs::end(entry); entry.increment(problem)) {
    if (entry->is_regular_file(problem)) {
      const fs::path inside = entry->path().lexically_relative(directory.source);
      files.push_back(
          {.source = entry->path(), .destination = directory.destination / inside});
    }
  }
  if (problem) {
    return error("cannot read {}: {}", directory.source.native(), problem.message());
  }
  return files;
}

Result<void> add(Archive& archive, const File& file) {
  std::error_code ignored;
  if (!fs::is_directory(file.source, ignored)) {
    return add_with_libraries(archive, file);
  }
  archive.add_directory(file.destination);
  const std::vector<File> files = KINST_TRY(files_below(file));
  for (const File& inside : files) {
    KINST_CHECK(add_with_libraries(archive, inside));
  }
  return {};
}

/// Whether a file name is that of one of the ports' modules, compressed or not.
bool is_port_module(const std::string& name) {
  return std::ranges::any_of(
      native_board().port_modules, [&name](std::string_view module) {
        return name.starts_with(module) && name.compare(module.size(), 3, ".ko") == 0;
      });
}

/// The kernel's modules for the ports, those that are not built in.
Result<void> add_modules(Archive& archive, const fs::path& modules) {
  if (modules.empty()) {
    return {};
  }
  const std::vector<File> drivers = KINST_TRY(files_below(
      {.source = modules / "kernel/drivers", .destination = "/kinst/modules"}));
  for (const File& driver : drivers) {
    const std::string name = driver.source.filename().native();
    if (is_port_module(name)) {
      KINST_CHECK(
          add_file(archive, driver.source, fs::path("/kinst/modules") / name, 0644));
    }
  }
  return {};
}

std::string command_script(const Command& command) {
  std::string script = "echo $$ >/kinst/pid\ncd " +
                       quote_for_shell(command.directory.native()) + "\nexec";
  for (const std::string& argument : command.arguments) {
    script += " " + quote_for_shell(argument);
  }
  return script + "\n";
}

}  // namespace

Result<std::string> make_initramfs(const Machine& machine, const Command& command,
                                   std::string_view end_mark) {
  const auto busybox = find_program("busybox");
  if (!busybox) {
    return error("the guest needs busybox: apt-get install busybox-static");
  }
  Archive archive;
  for (const std::string_view directory :
       {"/bin", "/dev", "/proc", "/root", "/run", "/sbin", "/sys", "/tmp", "/usr/bin",
        "/usr/sbin", "/kinst/modules"}) {
    archive.add_directory(directory);
  }
  KINST_CHECK(add(archive, {.source = *busybox, .destination = "/bin/busybox"}));
  // Busybox's has the kernel copy from file to file (sendfile): nobody would see a
  // read.
  if (const auto cat = find_program("cat")) {
    KINST_CHECK(add(archive, {.source = *cat, .destination = "/usr/bin/cat"}));
  }
  for (const File& file : machine.files) {
    KINST_CHECK(add(archive, file));
  }
  for (const Content& content : machine.contents) {
    archive.add_file(content.destination, content.text, 0644);
  }
  archive.add_directory(command.directory);
  KINST_CHECK(add_modules(archive, machine.kernel.modules));
  archive.add_file("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n", 0644);
  archive.add_file("/etc/group", "root:x:0:\n", 0644);
  archive.add_file("/kinst/mark", end_mark, 0644);
  archive.add_file("/kinst/module-names",
                   fmt::format("{}\n", fmt::join(native_board().port_modules, " ")),
                   0644);
  archive.add_file("/kinst/command", command_script(command), 0755);
  archive.add_file("/init", init_script, 0755);
  return archive.bytes();
}

std::string quote_for_shell(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += letter;
    }
  }
  return quoted + "'";
}

Result<std::vector<std::string>> libraries_in_ldd_output(std::string_view output) {
  std::vector<std::string> libraries;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
    // "	libfoo.so.1 => /lib/libfoo.so.1 (0x…)", "
    // /lib64/ld-linux-x86-64.so.2 (0x…)"
    if (line.find("=> not found") != std::string_view::npos) {
      const std::size_t name = line.find_first_not_of("\t ");
      return error("{} is missing", line.substr(name, line.find(" =>") - name));
    }
    const std::size_t path = line.find('/');
    const std::size_t address = line.find(" (0x");
    if (path != std::string_view::npos && address != std::string_view::npos) {
      libraries.emplace_back(line.substr(path, address - path));
    }
  }
  return libraries;
}

File same_path(const fs::path& path) {
  fs::path absolute = fs::absolute(path).lexically_normal();
  return File{.source = path, .destination = std::move(absolute)};
}

}  // namespace kinst::guest
