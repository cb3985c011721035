#include "types/function_names.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include "types/btf_file.h"

namespace kinst::types {
namespace {

void add_functions(const std::string& module, const BtfFile& file,
                   std::vector<FunctionName>& functions) {
  for (const std::string_view name : file.function_names()) {
    functions.push_back({.module = module, .name = std::string(name)});
  }
}

}  // namespace

Result<std::vector<FunctionName>> function_names(const std::string& directory) {
  const std::string kernel = "vmlinux";
  const std::unique_ptr<BtfFile> base =
      KINST_TRY(BtfFile::open(directory + "/" + kernel, nullptr));
  std::vector<FunctionName> functions;
  add_functions(kernel, *base, functions);
  std::error_code failure;
  for (std::filesystem::directory_iterator file(directory, failure), end;
       !failure && file != end; file.increment(failure)) {
    const std::string module = file->path().filename().string();
    if (module != kernel) {
      add_functions(module,
                    *KINST_TRY(BtfFile::open(file->path().string(), base.get())),
                    functions);
    }
  }
  if (failure) {
    return system_error("read " + directory, failure.value());
  }
  return functions;
}

}  // namespace kinst::types
