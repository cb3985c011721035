// The instructions that the harness runs, as assembly with places for random operands:
// every kind that programs have, and those that the kernel's uprobes get wrong.
//
//   <q0> <d0> <w0> <b0>  register 0 of a sequence by width; equal digits, equal
//   register <n0> <e0>            the same of 64 and 32 bits, but never a, b, c, d, si,
//   di <m>                  memory: base, base + index, rip-relative, below the stack
//   pointer <a>                  memory aligned to 64 bytes     <p>  rip-relative
//   memory <x0> <y0> <z0>       vector registers 0-15 (<X0> <Y0> <Z0>: 0-31) <k0> <h0>
//   mask (1-7) and MMX registers <i8> <i16> <i32>     immediates <c>  a condition
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace harness {

/// What a processor must have; in the order of `feature_names` in driver.c.
enum class Needs : std::uint8_t {
  Nothing,
  Sse4,
  Popcnt,
  Aes,
  Movbe,
  Adx,
  Bmi,
  Sha,
  Avx,
  Fma,
  F16c,
  Avx2,
  Gfni,
  Avx512,
  Rtm,
  FsGsBase,
  Cx16,
  Movdir,
  Xsave,
};

struct Template {
  std::string_view name;
  Needs needs;
  std::string_view text;  ///< instructions with ';' between; "1:" is a label
};

constexpr std::array templates = {
    // Arithmetic, by width and by where the operands are.
    Template{"add", Needs::Nothing,
             "add <q0>,<q1>; add <d2>,<m>; add <m>,<w0>; add $<i8>,<b1>"},
    Template{"add_p", Needs::Nothing,
             "add <q0>,<p>; add <p>,<q1>; addl $<i32>,<p>; addb $<i8>,<p>"},
    Template{"sub", Needs::Nothing,
             "sub <q0>,<q1>; sub <d2>,<m>; sub <m>,<w0>; subl $<i8>,<m>"},
    Template{"adc", Needs::Nothing,
             "stc; adc <q0>,<q1>; adc <d2>,<m>; sbb <m>,<w0>; sbb $<i32>,<q1>"},
    Template{"logic", Needs::Nothing,
             "and <q0>,<q1>; or <d2>,<m>; xor <m>,<w0>; andq $<i32>,<p>; not <q1>; "
             "notl <m>"},
    Template{"cmp", Needs::Nothing,
             "cmp <q0>,<q1>; set<c> <b2>; test <d2>,<m>; set<c> <m>; cmpl $<i32>,<p>; "
             "set<c> <b1>"},
    Template{"inc", Needs::Nothing, "inc <q0>; decl <m>; negw <m>; incb <p>; dec <w1>"},
    Template{"mov", Needs::Nothing,
             "mov <q0>,<q1>; mov <m>,<q2>; mov <d0>,<m>; mov <b1>,<m>; movl "
             "$<i32>,<m>; movabs $0x123456789abcdef0,<q1>"},
    Template{
        "mov_p", Needs::Nothing,
        "mov <p>,<q0>; mov <q1>,<p>; mov <p>,%rsi; mov %rsi,<p>; mov <p>,%rdi; mov "
        "<p>,%rbx; movl $<i32>,<p>; movb $<i8>,<p>; mov <p>,%r14; mov <p>,%r15"},
    Template{"mov_high", Needs::Nothing,
             "mov %ah,%bl; add %ch,%dh; mov <p>,%ah; mov %bh,<p>"},
    Template{"moffs", Needs::Nothing, "movabs data+512,%rax; movabs %eax,data+520"},
    Template{"extend", Needs::Nothing,
             "movzbl <b0>,<d1>; movsbq <m>,<q2>; movswl <p>,<d0>; movslq <d1>,<q0>; "
             "movzwl <m>,<d2>"},
    Template{"accumulator", Needs::Nothing,
             "cltq; cqto; cwtl; cltd; lahf; add $<i32>,%eax; sahf; lea "
             "data(%rip),%rbx; xlat"},
    Template{
        "lea", Needs::Nothing,
        "lea <p>,<q0>; lea <m>,<d1>; lea 7(<q0>,<q1>,8),<q2>; lea data(%eip),%ecx"},
    Template{"addr32", Needs::Nothing,
             "mov data+72(%eip),%eax; add %edx,data+80(%eip)"},
    Template{"xchg", Needs::Nothing,
             "xchg <q0>,<q1>; xchg <d2>,<m>; xchg <b0>,<p>; xchg %rax,%rcx; bswap "
             "<q1>; bswap <d2>"},
    Template{"xchg_r8", Needs::Nothing,
             "xchg %rax,%r8; .byte 0x41,0x90; .byte 0x43,0x90; .byte 0x66,0x49,0x90"},
    Template{"xadd", Needs::Nothing,
             "xadd <q0>,<m>; xadd <d1>,<d2>; cmpxchg <q2>,<m>; cmpxchg <d0>,<p>; "
             "cmpxchg <b1>,<b2>"},
    Template{"cmpxchg8b", Needs::Nothing, "cmpxchg8b <p>; cmpxchg8b <a>"},
    Template{"cmpxchg16b", Needs::Cx16, "cmpxchg16b data+64(%rip); cmpxchg16b <a>"},
    Template{"shift", Needs::Nothing,
             "shl $3,<q0>; shr %cl,<q1>; sarq $1,<m>; sarl $7,<m>; rol %cl,<d2>; rcrw "
             "$1,<m>; rclq %cl,<p>; shl %cl,<b0>"},
    Template{"shift2", Needs::Nothing,
             "shld $5,<q0>,<q1>; shrd %cl,<d1>,<m>; shld %cl,<w0>,<p>"},
    Template{"bits", Needs::Nothing,
             "bt $5,<q0>; btsq $3,<m>; and $63,<q1>; btr <q1>,<q2>; btcl $1,<p>; bsf "
             "<q0>,<q1>; bsr <m>,<q2>"},
    Template{"mul", Needs::Nothing,
             "mul <n0>; imul <q0>,<q1>; imul $<i32>,<m>,<q2>; imul $<i8>,<p>,<d1>; "
             "mull <p>; imulb <m>"},
    Template{
        "div", Needs::Nothing,
        "xor %edx,%edx; or $9,<n0>; div <n0>; xor %edx,%edx; orl $77,data+40(%rip); "
        "divl data+40(%rip); cltd; orl $9,data+48(%rip); idivl data+48(%rip)"},
    Template{"cmov", Needs::Nothing,
             "add <q0>,<q1>; cmov<c> <q1>,<q2>; cmov<c> <m>,<d0>; cmov<c> <p>,<q1>"},
    Template{"flags", Needs::Nothing,
             "clc; cmc; set<c> <b0>; stc; set<c> <b1>; std; cld"},
    Template{"movnti", Needs::Nothing,
             "movnti <q0>,<m>; movnti <d1>,<p>; sfence; lfence; mfence; prefetcht0 "
             "<p>; prefetchnta <m>; clflush <m>"},
    Template{"movbe", Needs::Movbe, "movbe <m>,<q0>; movbe <d1>,<p>"},
    Template{"popcnt", Needs::Popcnt,
             "popcnt <q0>,<q1>; popcnt <p>,<d2>; crc32q <m>,<q0>; crc32b <b1>,<d2>"},
    Template{"adx", Needs::Adx, "adcx <q0>,<q1>; adox <m>,<q2>; adcx <p>,<d0>"},
    Template{"bmi", Needs::Bmi,
             "andn <m>,<q0>,<q1>; bextr <q0>,<q1>,<q2>; blsr <q1>,<q0>; blsi <p>,<q2>; "
             "blsmsk <m>,<d1>; tzcnt <q0>,<q1>; lzcnt <p>,<q2>"},
    Template{"bmi2", Needs::Bmi,
             "mulx <q0>,<q1>,<q2>; mulx <p>,<q1>,<q0>; mulx data+8(%rip),%rbx,%rcx; "
             "pdep <p>,<q0>,<q1>; pext <q0>,<q1>,<q2>; rorx $7,<p>,<q0>; bzhi "
             "<q0>,<p>,<q1>; sarx <q0>,<p>,<q1>; shlx <q1>,<m>,<q2>; mulx "
             "data+8(%rip),%rsi,%rdi; shrx %rsi,data+16(%rip),%rdi"},
    // The stack, and the 128 bytes below it that belong to a function.
    Template{"push", Needs::Nothing,
             "push <q0>; push <q1>; pop <q2>; pop <q0>; push %rsp; pop <q1>; push "
             "$<i32>; pop <q0>; push $<i8>; pop <q1>"},
    Template{"push_each", Needs::Nothing,
             "push %rax; push %rcx; push %rdx; push %rbx; push %rbp; push %rsi; push "
             "%rdi; push %r8; push %r9; push %r10; push %r11; push %r12; push %r13; "
             "push %r14; push %r15; add $120,%rsp"},
    Template{"push_memory", Needs::Nothing,
             "pushq <p>; popq <p>; pushq 8(<base>); popq 16(<base>); push <w0>; pop "
             "<w1>; pushw $<i16>; pop <w2>; pushq (%rsp); popq 8(<base>)"},
    Template{"push_fs", Needs::Nothing, "push %fs; pop <q0>; push %gs; pop <q1>"},
    Template{"enter", Needs::Nothing,
             "enter $32,$0; mov <q0>,-8(%rbp); leave; enter $16,$1; leave"},
    Template{"red_zone", Needs::Nothing,
             "mov <q0>,-8(%rsp); mov <q1>,-16(%rsp); add -8(%rsp),<q2>; mov "
             "-16(%rsp),<q0>; movups %xmm3,-128(%rsp); movups -128(%rsp),%xmm4"},
    Template{"nops", Needs::Nothing,
             "mov <q0>,-8(%rsp); nop; .byte 0x66,0x90; .byte 0x0f,0x1f,0x00; .byte "
             "0x0f,0x1f,0x40,0x00; .byte 0x66,0x0f,0x1f,0x44,0,0; .byte "
             "0x0f,0x1f,0x80,0,0,0,0; .byte 0x0f,0x1f,0x84,0,0,0,0,0; pause; mov "
             "-8(%rsp),<q1>"},
    Template{"nop5", Needs::Nothing,
             "mov <q0>,-8(%rsp); .byte 0x0f,0x1f,0x44,0,0; mov -8(%rsp),<q1>"},
    Template{"nop5_forms", Needs::Nothing,
             "mov <q0>,-8(%rsp); .byte 0x66,0x0f,0x1f,0x40,0; .byte "
             "0x0f,0x1f,0x44,0x08,0x10; .byte 0x66,0x66,0x66,0x66,0x90; .byte "
             "0x67,0x0f,0x1f,0x40,0; mov -8(%rsp),<q1>"},
    Template{"nop10", Needs::Nothing,
             "mov <q0>,-8(%rsp); .byte 0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0; mov "
             "-8(%rsp),<q1>"},
    Template{"endbr", Needs::Nothing,
             "endbr64; rdsspq %rax; nopw <m>; .byte 0x0f,0x18,0x26"},
    // Control flow.
    Template{"jmp", Needs::Nothing,
             "jmp 1f; inc <q0>; 1: inc <q1>; .byte 0xe9,0,0,0,0; .byte "
             "0x48,0xe9,0,0,0,0; .byte 0x67,0xe9,0,0,0,0; .byte 0xf2,0xe9,0,0,0,0"},
    Template{"jcc", Needs::Nothing,
             "add <q0>,<q1>; j<c> 1f; inc <q0>; 1: j<c> 2f; dec <q1>; 2: sub "
             "<q1>,<q0>; j<c> 3f; inc <q1>; 3: j<c> 4f; inc <q2>; 4: nop"},
    Template{"jcc_near", Needs::Nothing,
             "add <q0>,<q1>; {disp32} j<c> 1f; inc <q0>; 1: {disp32} j<c> 2f; dec "
             "<q1>; 2: add <q2>,<q0>; {disp32} j<c> 3f; inc <q2>; 3: nop"},
    Template{"jcc_66", Needs::Nothing,
             ".byte 0x66,0x74,0x00; .byte 0x2e,0x75,0x00; .byte 0x3e,0x74,0x00"},
    Template{"loop", Needs::Nothing,
             "mov $3,%ecx; 1: inc %rax; loop 1b; mov $3,%ecx; 1: inc %rdx; loopne 1b; "
             "mov $2,%ecx; 1: inc %rdx; loope 1b; jrcxz 2f; inc %rax; 2: jecxz 3f; inc "
             "%rbx; 3: nop"},
    Template{"call", Needs::Nothing,
             "call 1f; inc <q0>; jmp 2f; 1: inc <q1>; ret; 2: call 3f; 3: pop <q2>; "
             ".byte 0x67,0xe8,0,0,0,0; pop <q1>"},
    Template{
        "call_register", Needs::Nothing,
        "lea 1f(%rip),<q0>; call *<q0>; inc <q1>; jmp 2f; 1: add $3,<q1>; ret; 2: nop"},
    Template{"call_memory", Needs::Nothing,
             "lea 1f(%rip),<q0>; mov <q0>,data+88(%rip); call *data+88(%rip); mov "
             "<q0>,64(<base>); call *64(<base>); push <q0>; call *(%rsp); pop <q2>; "
             "jmp 2f; 1: add $3,<q1>; ret; 2: nop"},
    Template{
        "jmp_register", Needs::Nothing,
        "lea 1f(%rip),<q0>; jmp *<q0>; inc <q1>; 1: lea 2f(%rip),<q1>; mov "
        "<q1>,data+88(%rip); jmp *data+88(%rip); inc <q2>; 2: mov <q1>,-8(%rsp); nop"},
    Template{"ret", Needs::Nothing,
             "call 1f; jmp 2f; 1: repz ret; 2: push <q0>; call 3f; jmp 4f; 3: ret $8; "
             "4: call 5f; jmp 6f; 5: bnd ret; 6: nop"},
    // String instructions.
    Template{"strings", Needs::Nothing,
             "lea data+256(%rip),%rdi; lea data+512(%rip),%rsi; movsb; movsl; movsq; "
             "stosw; lodsl; scasb; cmpsq; std; stosb; movsb; cld"},
    Template{"rep", Needs::Nothing,
             "lea data+256(%rip),%rdi; lea data+512(%rip),%rsi; mov $5,%ecx; rep "
             "movsb; mov $4,%ecx; rep stosl; mov $9,%ecx; repne scasb; mov $9,%ecx; "
             "lea data+256(%rip),%rdi; repe cmpsb; xor %ecx,%ecx; rep stosq; mov "
             "$2,%ecx; rep lodsw"},
    // x87, MMX, SSE.
    Template{"x87", Needs::Nothing,
             "fninit; fldpi; fld1; faddp; fldl <m>; fstpl <m>; flds <p>; fstps <p>; "
             "fildl <p>; fistpl <m>; fxch; fstp %st(0); fnstcw <m>; fldcw <p>; fninit; "
             "fcomi %st(0); fnstsw %ax; wait"},
    Template{
        "x87_more", Needs::Nothing,
        "fninit; fldpi; fsin; fsqrt; fabs; fchs; fld %st(0); fucomip; fprem; fstpt "
        "<p>; fldt <p>; fcmove %st(1),%st; ffree %st(0); fincstp; fnclex; emms"},
    Template{
        "mmx", Needs::Nothing,
        "movq <m>,<h0>; paddb <h0>,<h1>; movq <h1>,<p>; pxor <p>,<h2>; movd <d0>,<h0>; "
        "movd <h1>,<d1>; pshufw $0x1b,<h0>,<h2>; packsswb <p>,<h1>; emms"},
    Template{"sse", Needs::Nothing,
             "movaps <a>,<x0>; movups <x1>,<m>; addps <x0>,<x2>; mulsd <p>,<x1>; movss "
             "<m>,<x2>; movsd <x0>,<p>; xorps <x1>,<x0>; cvtsi2sd <q0>,<x1>; cvttss2si "
             "<p>,<q1>; ucomisd <x0>,<x1>; set<c> <b2>; shufps $0x1b,<x0>,<x1>; cmpps "
             "$2,<x1>,<x2>; sqrtps <a>,<x1>"},
    Template{"sse2", Needs::Nothing,
             "movdqa <a>,<x0>; movdqu <x1>,<m>; paddq <x0>,<x2>; pcmpeqb <x1>,<x0>; "
             "pmovmskb <x0>,<d0>; movd <d1>,<x1>; movq <x2>,<q2>; psrldq $3,<x1>; "
             "pshufd $0x4e,<x0>,<x2>; punpcklbw <x1>,<x0>; movntdq <x1>,<a>; pinsrw "
             "$3,<d0>,<x2>; pextrw $1,<x1>,<d1>; packuswb <x0>,<x1>; pmuludq <a>,<x2>"},
    Template{"maskmov", Needs::Nothing,
             "lea data+512(%rip),%rdi; maskmovdqu <x0>,<x1>; ldmxcsr zero_mxcsr(%rip); "
             "stmxcsr <m>"},
    Template{"sse4", Needs::Sse4,
             "pshufb <x0>,<x1>; palignr $5,<x1>,<x2>; pabsd <a>,<x0>; pmovzxbw "
             "<m>,<x1>; pblendvb %xmm0,<x1>,<x2>; pcmpistri $0x0c,<x0>,<x1>; pcmpestri "
             "$0x18,<p>,<x1>; pcmpistrm $0x40,<x1>,<x2>; ptest <x0>,<x1>; set<c> <b0>; "
             "extractps $1,<x2>,<d2>; pinsrb $3,<m>,<x1>; roundsd $1,<p>,<x2>; dppd "
             "$0x31,<x0>,<x1>; mpsadbw $1,<x1>,<x2>"},
    Template{"aes", Needs::Aes,
             "aesenc <x0>,<x1>; aesdeclast <a>,<x2>; aeskeygenassist $1,<x0>,<x1>; "
             "aesimc <x0>,<x2>; pclmulqdq $0x11,<x1>,<x2>"},
    Template{"sha", Needs::Sha,
             "sha1rnds4 $1,<x0>,<x1>; sha1nexte <a>,<x2>; sha256rnds2 %xmm0,<x1>,<x2>; "
             "sha256msg1 <x0>,<x1>; sha256msg2 <x1>,<x2>"},
    // AVX: the kernel looks the opcode up as if it were one byte.
    Template{"avx_move", Needs::Avx,
             "vmovups <m>,<y0>; vmovups <y1>,<m>; vmovdqu <m>,<y2>; vmovdqu <y0>,<m>; "
             "vmovdqa <a>,<x1>; vmovss <m>,<x2>; vmovsd <x0>,<p>; vmovd <d0>,<x1>; "
             "vmovq <x1>,<q1>; vbroadcastss <m>,<y0>; vmaskmovps <m>,<y1>,<y2>"},
    Template{"avx_math", Needs::Avx,
             "vaddps <y0>,<y1>,<y2>; vmulsd <p>,<x1>,<x0>; vxorps <y0>,<y1>,<y0>; "
             "vcmpps $2,<m>,<y0>,<y1>; vsqrtps <p>,<y2>; vucomisd <x0>,<x1>; vdivps "
             "<p>,<x1>,<x0>; vcvtsi2sd <q0>,<x1>,<x2>; vpcmpistri $0x0c,<m>,<x1>; "
             "vptest <y0>,<y1>; vzeroupper"},
    Template{"avx_integer", Needs::Avx,
             "vpaddb <x0>,<x1>,<x2>; vpor <x0>,<x1>,<x2>; vpxor <p>,<x1>,<x2>; "
             "vpcmpeqb <m>,<x0>,<x1>; vpmovmskb <x0>,<d0>; vpalignr $5,<x0>,<x1>,<x2>; "
             "vpshufd $0x1b,<x0>,<x1>; vpsrldq $3,<x0>,<x1>; vpinsrb $3,<m>,<x1>,<x2>; "
             "vpextrw $2,<x0>,<m>; vpackuswb <x0>,<x1>,<x2>; vpsadbw <p>,<x0>,<x1>; "
             "vaesenc <x0>,<x1>,<x2>"},
    Template{"avx_row_90", Needs::Avx2,
             "vpermq $0x1b,<y0>,<y1>; vpbroadcastb <m>,<y0>; vpbroadcastd <x0>,<y1>; "
             "vpbroadcastq <p>,<y2>; vpsllvd <y0>,<y1>,<y2>; vpmaskmovd <y0>,<y1>,<m>; "
             "vextracti128 $1,<y0>,<m>; vinserti128 $1,<p>,<y1>,<y2>; vperm2i128 "
             "$1,<m>,<y1>,<y2>; vpblendvb <y0>,<m>,<y1>,<y2>"},
    Template{"gather", Needs::Avx2,
             "vpxor %ymm1,%ymm1,%ymm1; vpcmpeqd %ymm2,%ymm2,%ymm2; vpgatherdd "
             "%ymm2,(<base>,%ymm1,4),%ymm3; vpcmpeqd %ymm2,%ymm2,%ymm2; vgatherqpd "
             "%ymm2,8(<base>,%ymm1,1),%ymm4"},
    Template{"fma", Needs::Fma,
             "vfmadd132ps <y0>,<y1>,<y2>; vfmadd213sd <p>,<x0>,<x1>; vfmsub231ps "
             "<m>,<y0>,<y1>; vfnmadd132ss <x0>,<x1>,<x2>; vfnmadd132sd <p>,<x1>,<x2>; "
             "vfmaddsub132pd <y0>,<y1>,<y2>; vfnmsub132ps <m>,<y1>,<y2>"},
    Template{"f16c", Needs::F16c, "vcvtps2ph $0,<y0>,<m>; vcvtph2ps <p>,<y1>"},
    Template{"gfni", Needs::Gfni,
             "gf2p8mulb <x0>,<x1>; vgf2p8affineqb $1,<m>,<y1>,<y2>; vaesenc "
             "<y0>,<y1>,<y2>; vpclmulqdq $0,<p>,<y1>,<y2>"},
    Template{
        "avx512_move", Needs::Avx512,
        "vmovdqu64 <m>,<Z0>; vmovdqu8 <Y1>,<m>; vmovups <p>,<Z2>; vmovdqa32 <a>,<Z0>; "
        "vmovdqu64 <Z0>,<p>; vpbroadcastq <q0>,<Z1>; vmovdqu8 <m>,<Z1>{<k0>}{z}; "
        "vpcompressd <Z0>,<Z1>{<k1>}; vmovntdq <Z0>,<a>; vextracti64x4 $1,<Z0>,<m>"},
    Template{"avx512_math", Needs::Avx512,
             "vpaddd <Z0>,<Z1>,<Z2>; vpternlogd $0x96,<p>,<Z1>,<Z2>; vpcmpeqb "
             "<m>,<Z0>,<k0>; vpcmpub $6,<Y0>,<Y1>,<k1>; kmovq <k0>,<q0>; kmovd "
             "<d1>,<k1>; kortestq <k0>,<k1>; vpaddq <p>{1to8},<Z0>,<Z1>{<k0>}; vpminub "
             "<Z0>,<Z1>,<Z2>; vptestnmb <Y0>,<Y1>,<k0>; vpermb <m>,<Z0>,<Z1>; vpxorq "
             "<p>,<Z0>,<Z1>; vfnmadd132ps <Z0>,<Z1>,<Z2>; vrndscaleps $1,<p>,<Z0>; "
             "kunpckbw <k0>,<k1>,<k0>; vfnmadd132ss <X0>,<X1>,<X2>"},
    // Instructions that trap: the program's own handler is told the same.
    Template{"ud2", Needs::Nothing, "inc <q0>; ud2"},
    Template{"ud1", Needs::Nothing, "inc <q0>; ud1 <d0>,<d1>"},
    Template{"divide_by_zero", Needs::Nothing,
             "xor %ecx,%ecx; xor %edx,%edx; div %rcx"},
    Template{"load_null", Needs::Nothing, "xor %edi,%edi; mov 16(%rdi),%rax"},
    Template{"store_null", Needs::Nothing, "mov $8,%esi; movq $1,(%rsi)"},
    Template{"jump_null", Needs::Nothing, "xor %eax,%eax; jmp *%rax"},
    Template{"call_null", Needs::Nothing, "xor %eax,%eax; call *%rax"},
    Template{"far_address", Needs::Nothing,
             "movabs $0x8000000000000000,%rax; mov (%rax),%rbx"},
    Template{"privileged", Needs::Nothing, "hlt"},
    Template{"rdmsr", Needs::Nothing, "rdmsr"},
    Template{"port", Needs::Nothing, "in $0x60,%al"},
    Template{"cli", Needs::Nothing, "cli"},
    Template{"int3", Needs::Nothing, "int3"},
    Template{"int1", Needs::Nothing, "int1"},
    Template{"misaligned", Needs::Nothing,
             "lea data+1(%rip),%rdi; movaps (%rdi),%xmm0"},
    Template{"rep_fault", Needs::Nothing, "mov $8,%edi; mov $3,%ecx; rep stosb"},
    Template{"push_null", Needs::Nothing, "xor %esp,%esp; push %rax"},
    // The flags as data, system calls, transactions, and what the kernel emulates.
    Template{"pushf", Needs::Nothing,
             "pushfq; pop <q0>; add <q1>,<q2>; pushfw; pop <w1>"},
    Template{
        "popf", Needs::Nothing,
        "push $0x8d5; popfq; set<c> <b0>; push $0x202; popfq; pushw $0x246; popfw"},
    Template{"pushf_popf", Needs::Nothing,
             "add <q0>,<q1>; pushfq; xor <q2>,<q2>; popfq; set<c> <b0>; inc <q1>"},
    Template{"syscall", Needs::Nothing,
             "mov $39,%eax; syscall; xor %eax,%eax; inc %rbx"},
    Template{"int80", Needs::Nothing,
             "mov $20,%eax; int $0x80; xor %eax,%eax; inc %rbx"},
    Template{
        "iret", Needs::Nothing,
        "mov %rsp,%rax; mov %ss,%ecx; push %rcx; push %rax; push $0x202; mov %cs,%ecx; "
        "push %rcx; lea 1f(%rip),%rcx; push %rcx; iretq; inc %rdx; 1: inc %rbx"},
    Template{"lret", Needs::Nothing,
             "mov %cs,%ecx; push %rcx; lea 1f(%rip),%rcx; push %rcx; lretq; inc %rdx; "
             "1: inc %rbx"},
    Template{"far_jump", Needs::Nothing,
             "mov %cs,data+72(%rip); movl $1f,data+68(%rip); ljmpl *data+68(%rip); inc "
             "%rdx; 1: inc %rbx"},
    Template{"far_call", Needs::Nothing,
             "mov %cs,data+72(%rip); movl $1f,data+68(%rip); lcalll *data+68(%rip); "
             "inc %rdx; jmp 2f; 1: pop %rax; inc %rbx; mov %cs,%ecx; push %rcx; lea "
             "2f(%rip),%rcx; push %rcx; lretq; 2: nop"},
    Template{"segments", Needs::Nothing,
             "mov %ds,%eax; mov %eax,%ds; mov %fs,%ecx; mov %es,<w0>; mov %ss,<w1>"},
    Template{"move_ss", Needs::Nothing, "mov %ss,%ecx; mov %ecx,%ss; inc %rbx"},
    Template{
        "verify", Needs::Nothing,
        "mov %ss,%ecx; lar %cx,%eax; lsl %cx,%edx; verr %cx; set<c> %bl; verw %cx"},
    Template{"umip", Needs::Nothing,
             "sgdt <m>; movq $0,data(%rip); inc %rbx; sidt data(%rip); inc %rcx"},
    Template{"umip_smsw", Needs::Nothing,
             "smsw %eax; smsw data(%rip); sldt %ecx; str %edx; xor %eax,%eax; xor "
             "%ecx,%ecx; xor %edx,%edx"},
    Template{"xbegin", Needs::Rtm, "xbegin 1f; xend; 1: xor %eax,%eax; xtest"},
    Template{"xabort", Needs::Rtm, "xabort $3; xtest; set<c> %al"},
    Template{"fsbase", Needs::FsGsBase,
             "rdfsbase <q0>; xor <q0>,<q0>; rdgsbase <q1>; wrgsbase <q1>; mov "
             "%gs:data,<q2>"},
    Template{"clock", Needs::Nothing,
             "rdtsc; rdtscp; xor %eax,%eax; xor %edx,%edx; xor %ecx,%ecx; cpuid; xor "
             "%eax,%eax; xor %ebx,%ebx; xor %ecx,%ecx; xor %edx,%edx"},
    Template{"xgetbv", Needs::Xsave, "xor %ecx,%ecx; xgetbv"},
    Template{
        "movdir", Needs::Movdir,
        "movdiri <q0>,<p>; lea data+1024(%rip),%rsi; movdir64b data+64(%rip),%rsi; lea "
        "data+1088(%rip),%rdi; movdir64b data+64(%rip),%rdi"},
    Template{"lock", Needs::Nothing,
             "lock addl $<i8>,<m>; lock xadd <q0>,<p>; lock cmpxchg <q1>,<m>; lock "
             "btsl $1,<m>"},
    Template{"thread_memory", Needs::Nothing,
             "mov %fs:0,<q0>; xor <q0>,<q0>; mov %fs:40,<d1>; xor <d1>,<d1>"},
};

}  // namespace harness
