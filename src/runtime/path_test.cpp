#include <string>
#include <vector>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Path = NativeRuntime;

struct Example {
  std::string path;
  std::string result;
};

std::string base(const std::string& path) {
  return text_at(kinst_basename(address_of(path)));
}
std::string directory(const std::string& path) {
  return text_at(kinst_dirname(address_of(path)));
}
std::string clean(const std::string& path) {
  return text_at(kinst_cleanpath(address_of(path)));
}

TEST_F(Path, HasABasenameAsTheCommandSays) {
  const std::vector<Example> examples = {{"/foo/bar/baz", "baz"},
                                         {"/foo/bar///baz//", "baz"},
                                         {"/foo/bar/.//", "."},
                                         {"foo/bar/", "bar"},
                                         {"/", "/"},
                                         {"//", "/"},
                                         {"./", "."},
                                         {"/.", "."},
                                         {"f", "f"},
                                         {"f/", "f"},
                                         {"/////", "/"},
                                         {"", "."}};
  for (const auto& [path, result] : examples) {
    EXPECT_EQ(base(path), result) << path;
  }
}

TEST_F(Path, HasADirnameAsTheCommandSays) {
  const std::vector<Example> examples = {{"/foo/bar/baz", "/foo/bar"},
                                         {"/foo/bar///baz//", "/foo/bar"},
                                         {"/foo/bar/.//", "/foo/bar"},
                                         {"foo/bar/", "foo"},
                                         {"/", "/"},
                                         {"//", "/"},
                                         {"./", "."},
                                         {"/.", "/"},
                                         {"/./.", "/."},
                                         {"f", "."},
                                         {"f/", "."},
                                         {"//f", "/"},
                                         {"", "."}};
  for (const auto& [path, result] : examples) {
    EXPECT_EQ(directory(path), result) << path;
  }
}

// What the loop of illumos' dtrace_dif_subr() gives for these.
TEST_F(Path, IsCleanedAsOnIllumos) {
  const std::vector<Example> examples = {
      {"/foo/bar///baz/", "/foo/bar/baz/"},
      {"/foo/bar", "/foo/bar"},
      {"/foo/bar/../../baz/.//", "/baz/"},
      {"foo/bar/./././baz/", "foo/bar/baz/"},
      {"/foo/../../../", "/"},
      {"/foo/bar/..", "/foo/"},
      {"/foo/bar/baz/../../bop/bang/../../bar/baz/", "/foo/bar/baz/"},
      {"/.", "/."},
      {"/foo/.", "/foo/."},
      {"/foo/./", "/foo/"},
      {"/////", "/"},
      {"./", "./"},
      {".", "."},
      {"", ""},
      {"a/.", "a/."},
      {"././a", "./a"},
      {"..", ".."},
      {"/a/../..", "/"},
      {"z/a/b/../../././c///d/e", "z/c/d/e"},
      {"...", "..."},
      {".a/..b/c..", ".a/..b/c.."},
      {"/...", "/..."},
      {"/..a/.b/../c", "/..a/c"}};
  for (const auto& [path, result] : examples) {
    EXPECT_EQ(clean(path), result) << path;
  }
}

TEST_F(Path, WithoutAComponentIsTheRoot) {
  EXPECT_EQ(clean("/.."), "/");
  EXPECT_EQ(clean("/../"), "/");
}

TEST_F(Path, OfTheLargestSizeIsCleaned) {
  reset(KINST_STRING_MAX);
  std::string parents = "/a";
  for (int i = 0; i < 2700; ++i) {
    parents += "/..";
  }
  EXPECT_EQ(clean(parents), "/");
  const std::string name(KINST_STRING_MAX - 7, 'x');
  EXPECT_EQ(clean("/" + name + "/"), "/" + name + "/");
  EXPECT_EQ(base("/" + name + "/"), name);
  EXPECT_EQ(directory(name), ".");
}

TEST_F(Path, FailsForNoString) {
  EXPECT_EQ(kinst_cleanpath(0), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

}  // namespace
}  // namespace kinst::runtime
