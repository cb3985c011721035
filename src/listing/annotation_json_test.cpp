#include "listing/annotation_json.h"

#include <gtest/gtest.h>

#include "listing/code_for_tests.h"

namespace kinst::listing {
namespace {

TEST(AnnotatedJson, HoldsInstructionsBlocksEdgesAndSums) {
  const kernel::Symbols symbols = symbols_for_tests();
  const kernel::Function work = work_for_tests(symbols);
  Counts counts = counts_for_tests();
  counts.executed[at_offset(15)] = 5;
  CountedPart part = part_for_tests(work, symbols);
  part.is_counted[0] = false;
  part.listing.rows[0].refused = "no";
  const FindSource find_source = [](KernelAddress address) {
    return address == at_offset(4)
               ? std::optional(SourcePlace{.file = "a.c", .line = 7, .text = "x"})
               : std::nullopt;
  };
  EXPECT_EQ(
      to_json(annotate(std::span(&part, 1), counts, symbols, find_source,
                       {.process = 12, .command = "dd \"x\"", .missed = 2})),
      R"({"type":"annotation","module":"vmlinux","function":"work",)"
      R"("address":"0xffffffff81000100",)"
      R"("size":16,"process":12,"command":"dd \"x\"","instructions":[)"
      R"({"offset":0,"bytes":"85 ff","text":"test %edi,%edi","mnemonic":"test",)"
      R"("classes":[],"untraceable":"no","block":0,"executed":10,)"
      R"("executed_derived":true},)"
      R"({"offset":2,"bytes":"74 05","text":"je +0x9","mnemonic":"je",)"
      R"("classes":["branch"],"target":"+0x9","block":0,"executed":10,"taken":3,)"
      R"("not_taken":7},)"
      R"({"offset":4,"bytes":"e8 37 00 00 00","text":"call kfree","mnemonic":"call",)"
      R"("classes":["call"],"target":"kfree","block":1,"executed":7,"file":"a.c",)"
      R"("line":7},)"
      R"({"offset":9,"bytes":"ff cf","text":"dec %edi","mnemonic":"dec","classes":[],)"
      R"("block":2,"executed":25},)"
      R"({"offset":11,"bytes":"75 fc","text":"jne +0x9","mnemonic":"jne",)"
      R"("classes":["branch"],"target":"+0x9","block":2,"executed":25,"taken":15,)"
      R"("not_taken":10},)"
      R"({"offset":13,"bytes":"ff e0","text":"jmp *%rax","mnemonic":"jmp",)"
      R"("classes":["jump"],"block":3,"executed":10,"targets":[)"
      R"({"target":"+0xf","count":6},{"target":"kfree","count":4}]},)"
      R"({"offset":15,"bytes":"c3","text":"ret","mnemonic":"ret","classes":["return"],)"
      R"("block":4,"executed":5}],"blocks":[)"
      R"({"first":0,"last":1,"in":10,"in_derived":true,"out":10},)"
      R"({"first":2,"last":2,"in":7,"out":7},{"first":3,"last":4,"in":25,"out":25},)"
      R"({"first":5,"last":5,"in":10,"out":10},{"first":6,"last":6,"in":5,"out":5}],)"
      R"("edges":[{"kind":"taken","from":0,"to":2,"count":3},)"
      R"({"kind":"next","from":0,"to":1,"count":7},)"
      R"({"kind":"next","from":1,"to":2,"count":7},)"
      R"({"kind":"taken","from":2,"to":2,"count":15},)"
      R"({"kind":"next","from":2,"to":3,"count":10},)"
      R"({"kind":"indirect","from":3,"to":4,"count":6},)"
      R"({"kind":"indirect","from":3,"to":null,"count":4,"target":"kfree"},)"
      R"({"kind":"return","from":4,"to":null,"count":5}],)"
      R"("sums":{"entered":10,"entered_derived":true,"inside_before":0,"returned":5,)"
      R"("jumped_out":4,"still_inside":1,"adds_up":true,"missed_hits":2,"exits":[)"
      R"({"target":"return","count":5},{"target":"kfree","count":4}],"differences":[)"
      R"({"instruction":6,"amount":1,"explanation":"+0xf ret: 1 came as far as here )"
      R"(and did not go on: interrupted when counting ended, or left by an )"
      R"(exception"}]}})"
      "\n");
}

}  // namespace
}  // namespace kinst::listing
