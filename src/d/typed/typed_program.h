// A checked D program: names resolved, conversions explicit, sugar gone. What the
// checker gives and the code generator takes; nothing in it refers to the syntax tree
// (ast.h), whose names it reuses in a namespace of its own.
//
// Every value is 64 bits wide when it is computed. Integers, enums and pointers are the
// value itself, sign- or zero-extended by their type. Values of by-reference types
// (string, struct, union, array) are the address of their bytes. Arithmetic is done in
// 64 bits. A result of unsigned type is cut to its type. A result that exceeds its
// signed type, which C leaves undefined, keeps its bits, as in DTrace: if the int `x`
// is 0x40000000, `x + x` is 0x80000000 until it is stored, recorded, cast or used as a
// key.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/text/diagnostic.h"
#include "d/tables/action.h"
#include "d/tables/builtin.h"
#include "d/tables/subroutine.h"
#include "d/tables/symbolic.h"
#include "record/aggregating_function.h"
#include "types/type.h"

namespace kinst::d::typed {

enum class VariableId : std::uint32_t {};     ///< index into Program::variables
enum class AggregationId : std::uint32_t {};  ///< index into Program::aggregations
enum class LocalId : std::uint32_t {};        ///< index into Program::locals

enum class VariableScope : std::uint8_t {
  Global,
  Thread,  ///< self->
  Clause,  ///< this->
};

/// A variable of the program. A global with keys is an associative array.
struct Variable {
  std::string name;
  VariableScope scope = VariableScope::Global;
  types::TypeId type{};
  std::vector<types::TypeId> key_types;
};

/// A parameter or local variable of the traced code, which clauses read at the probes
/// of one description.
struct Local {
  std::size_t description = 0;  ///< as in Clause::description
  std::string name;
  types::TypeId type{};

  bool operator==(const Local&) const = default;
};

using d::SymbolicKind;

struct Expression;
using ExpressionPointer = std::unique_ptr<Expression>;

struct IntegerValue {
  std::uint64_t value = 0;
};

/// A string literal; the type says `string` or `char [N]`.
struct StringValue {
  std::string text;
};

/// A built-in variable; `index` for those that are arrays: arg via args[N], regs[N].
struct BuiltinValue {
  Builtin builtin{};
  ExpressionPointer index;
};

/// An lvalue: a variable, or an element of an associative array.
struct VariableValue {
  VariableId variable{};
  std::vector<ExpressionPointer> keys;
};

struct BitField {
  std::uint32_t offset_bits = 0;  ///< from the lowest bit of the unit at the address
  std::uint32_t width_bits = 0;
};

/// An lvalue: memory at an address. `*p`, `p->m`, `a[i]`, `` `symbol `` all become
/// this, with the address computed. For a by-reference type the value is the address
/// itself. For a bit-field the unit read has the node's type.
struct Load {
  ExpressionPointer address;
  types::AddressSpace space = types::AddressSpace::Kernel;
  std::optional<BitField> bit_field;
};

/// The address of a D variable's bytes: of an array that decays, or of a struct whose
/// member is used. Only for variables of by-reference types without keys; `&x` of a D
/// variable is an error in D. The address of memory needs no node: it is the Load's
/// address. For other by-reference values, a Convert to a pointer yields the address.
struct VariableAddress {
  VariableId variable{};
};

/// A parameter or local variable of the traced code. Its location can differ from probe
/// to probe.
struct LocalValue {
  LocalId local{};
};

enum class UnaryOperator : std::uint8_t { Negate, Complement, LogicalNot };
struct Unary {
  UnaryOperator operation{};
  ExpressionPointer operand;
};

/// Arithmetic and comparison after the usual conversions: both operands have one type
/// (shifts excepted). When they are strings, only comparisons occur. Pointer arithmetic
/// is already scaled, the left operand being the pointer, the right one an int64_t.
enum class BinaryOperator : std::uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  ShiftLeft,
  ShiftRight,
  And,
  Or,
  ExclusiveOr,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
};
struct Binary {
  BinaryOperator operation{};
  ExpressionPointer left;
  ExpressionPointer right;
};

/// And and Or evaluate their right operand only if needed; `^^` evaluates both.
enum class LogicalOperator : std::uint8_t { And, Or, ExclusiveOr };
struct Logical {
  LogicalOperator operation{};
  ExpressionPointer left;
  ExpressionPointer right;
};

struct Conditional {
  ExpressionPointer condition;
  ExpressionPointer then_value;
  ExpressionPointer else_value;
};

struct Comma {
  ExpressionPointer left;
  ExpressionPointer right;
};

/// The operand's value as the node's type: integers are truncated and extended; a
/// pointer, an integer or an array of char becomes a `string` (an array's string ends
/// with the array at the latest); a by-reference value becomes its address; stringof,
/// casts.
struct Convert {
  ExpressionPointer operand;
};

/// `target = value`, or `target = target OP value` with the target evaluated once.
/// The operation is done with the sign of the target's type, which is the node's, and
/// the operands as they are. Target is VariableValue or Load.
/// A constant 0 of integer type assigned to a thread variable or an element of an
/// associative array of by-reference type frees it; assigned to a string variable it
/// makes that NULL.
struct Assign {
  ExpressionPointer target;
  ExpressionPointer value;
  std::optional<BinaryOperator> operation;
};

/// ++ and --: adds `step` (scaled for pointers, may be negative).
struct Increment {
  ExpressionPointer target;
  std::int64_t step = 1;
  bool gives_old_value = false;  ///< postfix
};

struct SubroutineCall {
  Subroutine subroutine{};
  std::vector<ExpressionPointer> arguments;
};

/// Values that the consumer turns into text: stack(), ustack(), sym(a), uaddr(a), ….
/// They occur as arguments of actions and as aggregation keys only.
struct SymbolicValue {
  SymbolicKind kind{};
  ExpressionPointer address;       ///< none for stacks
  std::uint32_t frames = 0;        ///< stacks only; already defaulted from the options
  std::uint32_t string_bytes = 0;  ///< ustack's and jstack's second argument
};

/// A struct or union made member by member: a translator applied as a whole. Members
/// not named are 0. The value of a by-reference member is copied.
struct RecordValue {
  struct Member {
    std::uint64_t offset = 0;  ///< bytes
    ExpressionPointer value;
  };
  std::vector<Member> members;
};

struct Expression {
  types::TypeId type{};
  Span span;
  std::variant<IntegerValue, StringValue, BuiltinValue, VariableValue, Load,
               VariableAddress, LocalValue, Unary, Binary, Logical, Conditional, Comma,
               Convert, Assign, Increment, SubroutineCall, SymbolicValue, RecordValue>
      node;
};

struct Statement;

struct ExpressionStatement {
  ExpressionPointer expression;
};

struct If {
  ExpressionPointer condition;
  std::vector<Statement> then_branch;
  std::vector<Statement> else_branch;
};

/// An action with its arguments checked and converted. What is constant in it (format
/// strings, aggregations named, file names) is not an argument.
struct ActionCall {
  Action action{};
  std::vector<ExpressionPointer> arguments;
  std::string format;  ///< printf, printa, system, freopen; empty when none was given
  std::vector<AggregationId> aggregations;  ///< printa, clear, trunc, normalize, …
};

/// `@a[keys] = function(value, …)`.
struct Aggregate {
  AggregationId aggregation{};
  std::vector<ExpressionPointer> keys;
  ExpressionPointer value;   ///< none for count()
  ExpressionPointer weight;  ///< the increment of quantize and its relatives
};

struct Statement {
  Span span;
  std::variant<ExpressionStatement, If, ActionCall, Aggregate> node;
};

/// An aggregation with what all its uses agree on.
struct Aggregation {
  std::string name;  ///< without '@'; empty for `@`
  record::AggregatingFunction function{};
  /// lquantize: low, high, step; llquantize: factor, low, high, steps; else empty.
  std::vector<std::int64_t> parameters;
  std::vector<types::TypeId> key_types;
  /// For each key, which kind of symbolic value it is; nothing for plain values.
  std::vector<std::optional<SymbolicKind>> key_symbols;
  /// The value aggregated is signed (min, max, sum, avg, stddev, quantize).
  bool is_signed = true;
};

/// One clause for one of its probe descriptions.
struct Clause {
  /// The description among all descriptions of the program, in source order; provider::
  /// match gave each its probes.
  std::size_t description = 0;
  ExpressionPointer predicate;  ///< may be null
  std::vector<Statement> statements;
  /// The clause has no statement, or only speculate(). It does the default action,
  /// which prints the probe.
  bool is_default = false;
  Span span;
};

struct Program {
  std::vector<Variable> variables;
  std::vector<Aggregation> aggregations;
  /// Each once for each description.
  std::vector<Local> locals;
  std::vector<Clause> clauses;  ///< in source order, which is firing order
};

}  // namespace kinst::d::typed
