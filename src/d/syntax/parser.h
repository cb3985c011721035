// The parser's state and grammar; d::parse() is its face.
//
// A recursive descent with two words of lookahead at most. After an error the parser
// "has failed": it sees only words of kind Invalid, which no rule accepts, so that it
// falls back, without further messages, to a loop that knows where to go on from.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.h"
#include "d/syntax/ast.h"
#include "d/syntax/lexer.h"
#include "d/syntax/parse.h"
#include "d/syntax/token.h"

namespace kinst::d {

class Parser {
 public:
  Parser(Source& source, std::uint32_t index, const ParseOptions& options,
         Diagnostics& diagnostics);

  Program parse_program();
  /// The whole text as one type's name; nothing when it is none.
  std::optional<TypeSyntax> parse_whole_type();

 private:
  // What stands before a declaration's declarators.
  struct Specifiers {
    std::optional<StorageClass> storage;
    Span storage_span;
    BaseType base;
    std::vector<Token> words;     // those that combine: `unsigned`, `long`, `int`
    bool has_named_type = false;  // a struct, union, enum or typedef
    bool is_implicit = false;     // `register x;`: no type was written
  };
  enum class DeclaratorForm : std::uint8_t { Named, Abstract, Either };
  enum class ParameterUse : std::uint8_t { Function, Array };
  enum class UnknownNames : std::uint8_t { AreErrors, AreNames };

  // Words, parser.cpp.
  const Token& peek(std::size_t ahead = 0);
  Token take();
  bool accept(TokenKind kind);
  bool expect(TokenKind kind, std::string_view where);
  [[nodiscard]] Span span_since(const Span& begin) const;
  Diagnostic* fail(std::string_view tag, Span span, std::string message);
  Diagnostic* fail_at_word(std::string_view expected);
  void fail_for_good(Span span, std::string message);
  bool gives_up();
  bool enter(Span span);
  void leave() { --nesting_; }
  void begin_recovery();
  void end_recovery();
  void recover_in_block();
  void recover_before_body();
  void recover_between_clauses();
  void return_words();

  // Programs, parse_program.cpp.
  void parse_item(Program& program, const OuterWord& word);
  [[nodiscard]] bool is_declaration(const OuterWord& word) const;
  std::optional<Clause> parse_clause();
  void refuse_bare_description(Span span, const OuterWord& next);
  std::optional<std::vector<ProbeSpecifier>> parse_probe_specifiers();
  std::optional<ProbeSpecifier> parse_probe_specifier(const OuterWord& word);
  std::optional<Expression> parse_predicate();
  std::vector<Statement> parse_block(std::string_view owner);
  Statement parse_statement();
  Statement parse_if();
  std::vector<Statement> parse_branch();
  void refuse_word_behind(const Expression& statement);
  void refuse_statement(const Token& word);

  // What stands beside clauses, parse_definitions.cpp.
  std::optional<Item> parse_definition();
  Declaration parse_declaration();
  void check_declared(const Declaration& declaration, const Declarator& declarator);
  void check_use(const Declaration& declaration);
  InlineDefinition parse_inline();
  TranslatorDefinition parse_translator();
  ProviderDefinition parse_provider();
  ProviderProbe parse_provider_probe();

  // Base types, parse_declarations.cpp.
  Specifiers parse_declaration_specifiers(UnknownNames unknown);
  bool parse_storage_class(Specifiers& specifiers);
  bool parse_qualifier(Qualifiers& qualifiers);
  bool parse_type_specifier(Specifiers& specifiers, UnknownNames unknown);
  bool names_a_type(const Token& word, UnknownNames unknown);
  void finish_type(Specifiers& specifiers);
  std::optional<BuiltinType> combine(const std::vector<Token>& words);
  RecordSyntax parse_record();
  MemberDeclaration parse_member();
  MemberDeclarator parse_member_declarator();
  EnumSyntax parse_enum();
  EnumeratorSyntax parse_enumerator();
  [[nodiscard]] bool is_type(std::string_view name) const;
  bool begins_type_here(std::size_t ahead);
  void refuse_unknown_type(const Token& word);
  bool casts_to_unknown_type();

  // Declarators, parse_declarators.cpp.
  TypeSyntax parse_type_name();
  void refuse_storage(const Specifiers& specifiers, std::string_view what);
  Declarator parse_declarator(DeclaratorForm form);
  void check_depth(const std::vector<Derivation>& derivations);
  bool begins_inner_declarator(DeclaratorForm form);
  std::vector<Derivation> parse_suffixes();
  Derivation parse_array_suffix();
  std::vector<Parameter> parse_parameters(TokenKind end, bool& is_variadic);
  Parameter parse_parameter();
  void check_parameters(std::vector<Parameter>& parameters, ParameterUse use);
  void check_name(const Declarator& declarator);

  // Expressions, parse_expressions.cpp.
  Expression parse_expression();
  Expression parse_assignment();
  Expression parse_conditional();
  Expression parse_binary(unsigned lowest);
  Expression parse_cast();
  Expression parse_unary();
  Expression parse_sizeof(Span begin);
  Expression parse_postfix();
  Expression parse_postfix_step(Expression operand);
  Expression parse_index(Expression base);
  Expression parse_call(Expression function);
  Expression parse_member(Expression object);
  Expression parse_primary();
  Expression parse_integer();
  Expression parse_scoped();
  Expression parse_aggregation();
  Expression parse_offsetof();
  Expression parse_xlate();
  std::vector<Expression> parse_list(TokenKind end);
  void end_list(TokenKind end, const std::vector<Expression>& list);
  void refuse_expression();
  bool ends_predicate();
  Expression make(Span span, std::uint32_t below, ExpressionNode node);
  Expression make_binary(BinaryOperator op, Span operator_span, Expression left,
                         Expression right);

  const ParseOptions& options_;
  Diagnostics& diagnostics_;
  std::uint32_t index_;
  Lexer lexer_;
  std::deque<Token> ahead_;  // words read but not taken
  Token invalid_{.kind = TokenKind::Invalid, .span = {}, .text = {}};
  Span last_;  // of the word taken last
  bool has_failed_ = false;
  bool has_given_up_ = false;
  std::uint32_t nesting_ = 0;
  std::uint32_t groups_ = 0;  // open parentheses and brackets
  std::uint32_t braces_ = 0;  // open in the declaration
  bool is_in_predicate_ = false;
  bool is_assignable_ = false;  // the last expression can stand before '='
  std::set<std::string, std::less<>> typedefs_;
  std::set<std::string, std::less<>> variables_;
};

}  // namespace kinst::d
