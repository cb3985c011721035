// A D program as it was written: the tree that the parser makes and the checker reads.
// Nothing is resolved here: names are text, types are syntax, sugar is kept.
//
// Every Span names its Source (Span::source), so trees of several texts (D libraries,
// -s files, -n texts) can be checked together and each message finds its line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/text/diagnostic.h"
#include "types/type.h"

namespace kinst::d {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

// ---------------------------------------------------------------- types as written

/// The types that are spelled with C's and D's keywords, signs and lengths combined.
/// The parser has refused wrong combinations (D_DECL_COMBO, D_DECL_CHARATTR, …).
enum class BuiltinType : std::uint8_t {
  Void,
  Char,  ///< plain `char`, signed on every Linux machine D runs on except by ABI
  SignedChar,
  UnsignedChar,
  Short,
  UnsignedShort,
  Int,
  UnsignedInt,
  Long,
  UnsignedLong,
  LongLong,
  UnsignedLongLong,
  Float,
  Double,
  LongDouble,
  String,
};

/// A typedef's name; it may carry a scope before a backquote: "ext4`ext4_lblk_t".
struct NamedType {
  std::string name;
};

struct MemberDeclaration;
struct EnumeratorSyntax;

/// `struct tag`, `union tag { … }`.
struct RecordSyntax {
  types::RecordKind kind = types::RecordKind::Struct;
  std::string tag;             ///< empty when it has none
  bool is_definition = false;  ///< braces were given
  std::vector<MemberDeclaration> members;
};

/// `enum tag`, `enum { A, B = 3 }`.
struct EnumSyntax {
  std::string tag;  ///< empty when it has none
  bool is_definition = false;
  std::vector<EnumeratorSyntax> enumerators;
};

struct Qualifiers {
  bool is_const = false;
  bool is_volatile = false;
  bool is_restrict = false;

  bool operator==(const Qualifiers&) const = default;
};

/// What stands before the declarators: `const struct foo` in `const struct foo *a,
/// b[3]`.
struct BaseType {
  Span span;
  Qualifiers qualifiers;
  std::variant<BuiltinType, NamedType, RecordSyntax, EnumSyntax> node;
};

struct Parameter;

/// `*`, `* const`.
struct PointerDerivation {
  Qualifiers qualifiers;
};

/// `[]`, `[10]`.
struct ArrayDerivation {
  ExpressionPtr size;  ///< null for `[]`
};

/// `[int, string]`: an associative array's key types, never empty.
struct AssociativeDerivation {
  std::vector<Parameter> keys;
};

/// `(int, char *)`, `(void)`, `(int, ...)`, `()`.
struct FunctionDerivation {
  std::vector<Parameter> parameters;
  bool is_variadic = false;
};

/// One step from a type to one derived from it.
struct Derivation {
  Span span;
  std::variant<PointerDerivation, ArrayDerivation, AssociativeDerivation,
               FunctionDerivation>
      node;
};

/// A type that declares no name, as in casts, sizeof and xlate.
struct TypeSyntax {
  Span span;
  BaseType base;
  /// Applied to the base in this order: `int *[3]` is {pointer, array}, an array of
  /// pointers; `int (*)(void)` is {function, pointer}.
  std::vector<Derivation> derivations;
};

/// A declared name, with what its declaration derives from the base type.
struct Declarator {
  Span span;  ///< of the name, or of the place where a name would stand
  std::string name;
  std::vector<Derivation> derivations;  ///< in TypeSyntax's order
};

/// A parameter of a function type or of a provider's probe, or a key type of an
/// associative array.
struct Parameter {
  Span span;
  BaseType base;
  Declarator declarator;  ///< its name may be empty
};

/// `unsigned int a : 3`; `int : 4` has no name.
struct MemberDeclarator {
  Declarator declarator;
  ExpressionPtr width_bits;  ///< null unless it is a bit-field
};

/// One line of a struct or union: `int a, *b, c : 3;`. No declarators: an anonymous
/// struct or union, whose members are seen from outside.
struct MemberDeclaration {
  Span span;
  BaseType base;
  std::vector<MemberDeclarator> declarators;
};

struct EnumeratorSyntax {
  Span span;
  std::string name;
  ExpressionPtr value;  ///< null: one more than the enumerator before
};

// ---------------------------------------------------------------- expressions

/// `x`, `execname`, a function's argument name, an inline, an enumerator.
struct Identifier {
  std::string name;
};

/// A variable of the kernel or a module: `` `jiffies ``, `` ext4`ext4_mount ``.
struct KernelSymbol {
  std::string object;  ///< before the last backquote; empty when not given
  std::string name;
};

enum class Scope : std::uint8_t { This, Self };

/// `this->x`, `self->x`.
struct ScopedVariable {
  Scope scope = Scope::This;
  std::string name;
};

/// `@`, `@a`, `@a[x, y]`.
struct AggregationReference {
  std::string name;              ///< without the '@'; "_" for the nameless `@`
  std::vector<Expression> keys;  ///< empty when no brackets were given
};

struct IntegerLiteral {
  std::uint64_t value = 0;
  bool is_decimal = true;  ///< not octal or hexadecimal: C's type rules differ
  bool has_unsigned_suffix = false;
  std::uint8_t long_suffixes = 0;  ///< 0, 1 for `l`, 2 for `ll`
  bool is_character = false;       ///< 'a': an int
};

/// Escapes replaced; may hold any byte but zero, as D's strings end at one.
struct StringLiteral {
  std::string value;
};

/// `a[i]`, `x["key", 3]`, `args[0]`, `regs[R_RSI]`.
struct Index {
  ExpressionPtr base;
  std::vector<Expression> indices;  ///< at least one
};

/// `printf("…", x)`, `count()`.
struct Call {
  std::string function;  ///< empty if the callee is not a name (D_FUNC_IDENT)
  Span function_span;
  std::vector<Expression> arguments;
};

/// `p->name`, `s.name`; never of `this` and `self`.
struct Member {
  ExpressionPtr object;
  bool is_arrow = false;
  std::string name;
  Span name_span;
};

enum class UnaryOperator : std::uint8_t {
  Plus,
  Minus,
  BitNot,
  LogicalNot,
  Dereference,
  AddressOf,
  PreIncrement,
  PreDecrement,
  PostIncrement,
  PostDecrement,
};

struct Unary {
  UnaryOperator op = UnaryOperator::Plus;
  ExpressionPtr operand;
};

enum class BinaryOperator : std::uint8_t {
  Multiply,
  Divide,
  Modulo,
  Add,
  Subtract,
  ShiftLeft,
  ShiftRight,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  BitAnd,
  BitXor,
  BitOr,
  LogicalAnd,
  LogicalXor,  ///< D's `^^`
  LogicalOr,
  Comma,
};

struct Binary {
  BinaryOperator op = BinaryOperator::Add;
  Span operator_span;
  ExpressionPtr left;
  ExpressionPtr right;
};

/// `a = b`, `a += b`, `@a[k] = count()`.
struct Assignment {
  std::optional<BinaryOperator> op;  ///< of `+=` and its kind; nothing for `=`
  Span operator_span;
  ExpressionPtr target;
  ExpressionPtr value;
};

/// `a ? b : c`.
struct Conditional {
  ExpressionPtr condition;
  ExpressionPtr if_true;
  ExpressionPtr if_false;
};

/// `(type)x`.
struct Cast {
  TypeSyntax type;
  ExpressionPtr operand;
};

/// `sizeof (type)`.
struct SizeofType {
  TypeSyntax type;
};

/// `sizeof x`.
struct SizeofExpression {
  ExpressionPtr operand;
};

/// `offsetof(type, member)`.
struct Offsetof {
  TypeSyntax type;
  std::string member;
  Span member_span;
};

/// `stringof x`, `stringof(x)`.
struct Stringof {
  ExpressionPtr operand;
};

/// `xlate <type> (x)`.
struct Xlate {
  TypeSyntax type;
  ExpressionPtr operand;
};

using ExpressionNode =
    std::variant<Identifier, KernelSymbol, ScopedVariable, AggregationReference,
                 IntegerLiteral, StringLiteral, Index, Call, Member, Unary, Binary,
                 Assignment, Conditional, Cast, SizeofType, SizeofExpression, Offsetof,
                 Stringof, Xlate>;

struct Expression {
  Span span;
  /// The longest way down to a leaf, which the parser bounds (max_expression_height),
  /// so that every visitor can be recursive.
  std::uint32_t height = 1;
  ExpressionNode node;
};

inline constexpr std::uint32_t max_expression_height = 500;

// ---------------------------------------------------------------- statements

struct Statement;

/// `x = 1;`, `printf("…");`.
struct ExpressionStatement {
  Expression expression;
};

/// `if (c) …; else { … }`. Statements without effect (`;`) leave nothing behind.
struct If {
  Expression condition;
  std::vector<Statement> then_branch;
  std::vector<Statement> else_branch;  ///< empty when there is none
};

struct Statement {
  Span span;
  std::variant<ExpressionStatement, If> node;
};

// ---------------------------------------------------------------- clauses

/// A field of a probe description.
enum class DescriptionField : std::uint8_t { Provider, Module, Function, Name };

/// One probe description, `provider:module:function:name`.
///
/// Fields are counted from the right; with -P, -m and -f they are counted from the
/// left, and the text ends at the option's field. A field that is omitted and a field
/// that is left blank are both empty here, and match everything. `* ? [ ]` and `\` have
/// their meaning in shell patterns; they are interpreted when probes are matched. Macro
/// arguments (`pid$target`, `tick-$1`) are replaced already.
///
/// A text that needs characters a description does not have otherwise (`: / , $`,
/// blanks, braces) is put in double quotes, whole or in part, and stands here without
/// them:
///     kinst::vfs_read:"@read_write.c:456"      name is  @read_write.c:456
///     pid$target::"std::swap(int&, int&)":entry
/// Characters of instruction selectors, `call@kfree`, `=cmpxchg*`, `@456`, need no
/// quotes.
struct Description {
  Span span;
  std::string provider;
  std::string module;
  std::string function;
  std::string name;
  /// How many fields were written, 1 to 4: `vfs_read:4` has 2, `kinst::vfs_read:` 4.
  std::uint8_t fields_given = 1;
};

/// A probe by its number, as dtrace -l shows it.
struct ProbeId {
  Span span;
  std::uint32_t id = 0;
};

using ProbeSpecifier = std::variant<Description, ProbeId>;

/// Descriptions, an optional predicate, and what to do.
struct Clause {
  Span span;
  std::vector<ProbeSpecifier> probes;  ///< at least one
  std::optional<Expression> predicate;
  /// Nothing: the default action (trace the probe). `{}` is a body without statements.
  std::optional<std::vector<Statement>> body;
};

// ---------------------------------------------------------------- declarations

enum class StorageClass : std::uint8_t {
  Auto,
  Register,
  Static,
  Extern,
  Typedef,
  Self,
  This,
};

/// `self int x;`, `string names[int];`, `typedef struct foo foo_t;`, `struct foo { …
/// };`.
struct Declaration {
  Span span;
  std::optional<StorageClass> storage;
  BaseType base;
  std::vector<Declarator> declarators;  ///< may be empty
};

/// `inline int name = expression;`, `inline int f[int a, string b] = …;`.
struct InlineDefinition {
  Span span;
  BaseType base;
  Declarator declarator;
  Expression value;
};

/// `member = expression;` of a translator.
struct TranslatorMember {
  Span span;
  std::string name;
  Expression value;
};

/// `translator OUTPUT < INPUT name > { … };`.
struct TranslatorDefinition {
  Span span;
  TypeSyntax output;
  TypeSyntax input;
  std::string input_name;
  std::vector<TranslatorMember> members;
};

/// `probe name(int) : (char *);`.
struct ProviderProbe {
  Span span;
  std::string name;
  std::vector<Parameter> native;
  std::optional<std::vector<Parameter>> translated;
};

/// `provider name { … };`, which describes a program's own probes.
struct ProviderDefinition {
  Span span;
  std::string name;
  std::vector<ProviderProbe> probes;
};

// ---------------------------------------------------------------- pragmas

/// `#pragma D option name=value`.
struct OptionPragma {
  std::string name;
  std::optional<std::string> value;  ///< nothing when there is no '='
};

/// `#pragma D attributes Stable/Evolving/Common name` or
/// `#pragma D attributes … provider io module`.
struct AttributesPragma {
  std::string attributes;
  std::string name;       ///< the identifier, or the provider's name
  std::string component;  ///< "provider", "module", …; empty for an identifier
};

/// `#pragma D binding "1.1" name`.
struct BindingPragma {
  std::string version;
  std::string name;
};

/// `#pragma D depends_on library unistd.d`.
struct DependsOnPragma {
  std::string kind;  ///< "provider", "module" or "library"
  std::string name;
};

/// A pragma that has a meaning for kinst. The parser has ignored or refused all others.
struct Pragma {
  Span span;
  std::variant<OptionPragma, AttributesPragma, BindingPragma, DependsOnPragma> node;
};

// ---------------------------------------------------------------- a program

using Item = std::variant<Declaration, InlineDefinition, TranslatorDefinition,
                          ProviderDefinition, Clause>;

/// One source's program.
struct Program {
  std::vector<Pragma> pragmas;  ///< in the order of the text
  std::vector<Item> items;      ///< in the order of the text
  /// Numbers of the macro arguments ($0, $1, …) that the text used, ascending.
  std::vector<std::uint32_t> used_arguments;
};

}  // namespace kinst::d
