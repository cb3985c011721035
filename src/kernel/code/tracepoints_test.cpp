#include "kernel/code/tracepoints.h"

#include <gtest/gtest.h>

namespace kinst::kernel {
namespace {

constexpr std::string_view format_text = R"(name: sched_process_exec
ID: 312
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:__data_loc char[] filename;	offset:8;	size:4;	signed:0;
	field:pid_t pid;	offset:12;	size:4;	signed:1;
	field:char comm[16];	offset:16;	size:16;	signed:0;
	field:const char *const * argv;	offset:32;	size:8;	signed:0;

print fmt: "filename=%s pid=%d", __get_str(filename), REC->pid
)";

TEST(TracepointFormat, HasTheFieldsBehindTheCommonOnes) {
  const auto format = parse_tracepoint_format(format_text);
  ASSERT_TRUE(format) << format.error().message;
  const TracepointFormat expected{.id = 312,
                                  .fields = {{.name = "filename",
                                              .type = "char[]",
                                              .offset = 8,
                                              .size_bytes = 4,
                                              .is_signed = false,
                                              .form = FieldForm::DynamicFromStart},
                                             {.name = "pid",
                                              .type = "pid_t",
                                              .offset = 12,
                                              .size_bytes = 4,
                                              .is_signed = true,
                                              .form = FieldForm::Integer},
                                             {.name = "comm",
                                              .type = "char [16]",
                                              .offset = 16,
                                              .size_bytes = 16,
                                              .is_signed = false,
                                              .form = FieldForm::Bytes},
                                             {.name = "argv",
                                              .type = "const char *const *",
                                              .offset = 32,
                                              .size_bytes = 8,
                                              .is_signed = false,
                                              .form = FieldForm::Integer}}};
  EXPECT_EQ(*format, expected);
}

TEST(TracepointFormat, RefusesFieldsItDoesNotUnderstand) {
  const auto format = parse_tracepoint_format("ID: 1\nformat:\n\tfield:int pid;\n");
  ASSERT_FALSE(format);
  EXPECT_EQ(format.error().message,
            "cannot understand the tracepoint field 'field:int pid;'");
}

}  // namespace
}  // namespace kinst::kernel
