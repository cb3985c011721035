#include "isa/instruction_class.h"

#include <gtest/gtest.h>

#include <string>

namespace kinst::isa {
namespace {

TEST(InstructionClass, HasARowThatIsFoundByItsNameAndByItself) {
  ClassSet all;
  for (const InstructionClassInfo& row : all_instruction_classes()) {
    EXPECT_EQ(find_instruction_class(row.name), row.instruction_class);
    EXPECT_EQ(instruction_class_info(row.instruction_class).name, row.name);
    EXPECT_FALSE(all.has(row.instruction_class)) << row.name << " has two rows";
    all.add(row.instruction_class);
  }
  EXPECT_EQ(find_instruction_class("push"), std::nullopt);
}

TEST(InstructionClass, RowsOfASetAreThoseOfItsClasses) {
  ClassSet classes;
  classes.add(InstructionClass::Load);
  classes.add(InstructionClass::Call);
  std::string names;
  for (const InstructionClassInfo& row : rows_of(classes)) {
    names += std::string(row.name) + " ";
  }
  EXPECT_EQ(names, "call load ");
}

}  // namespace
}  // namespace kinst::isa
