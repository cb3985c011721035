// Expressions. The rule above each function is in the notation of the C standard.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "d/syntax/parser.h"

namespace kinst::d {

namespace {

ExpressionPtr own(Expression expression) {
  return std::make_unique<Expression>(std::move(expression));
}

struct BinaryRule {
  TokenKind token;
  unsigned precedence;
  BinaryOperator op;
};

constexpr std::array binary_rules = {
    BinaryRule{TokenKind::OrOr, 1, BinaryOperator::LogicalOr},
    BinaryRule{TokenKind::CaretCaret, 2, BinaryOperator::LogicalXor},
    BinaryRule{TokenKind::AndAnd, 3, BinaryOperator::LogicalAnd},
    BinaryRule{TokenKind::Or, 4, BinaryOperator::BitOr},
    BinaryRule{TokenKind::Caret, 5, BinaryOperator::BitXor},
    BinaryRule{TokenKind::And, 6, BinaryOperator::BitAnd},
    BinaryRule{TokenKind::EqualEqual, 7, BinaryOperator::Equal},
    BinaryRule{TokenKind::NotEqual, 7, BinaryOperator::NotEqual},
    BinaryRule{TokenKind::Less, 8, BinaryOperator::Less},
    BinaryRule{TokenKind::LessEqual, 8, BinaryOperator::LessEqual},
    BinaryRule{TokenKind::Greater, 8, BinaryOperator::Greater},
    BinaryRule{TokenKind::GreaterEqual, 8, BinaryOperator::GreaterEqual},
    BinaryRule{TokenKind::ShiftLeft, 9, BinaryOperator::ShiftLeft},
    BinaryRule{TokenKind::ShiftRight, 9, BinaryOperator::ShiftRight},
    BinaryRule{TokenKind::Plus, 10, BinaryOperator::Add},
    BinaryRule{TokenKind::Minus, 10, BinaryOperator::Subtract},
    BinaryRule{TokenKind::Star, 11, BinaryOperator::Multiply},
    BinaryRule{TokenKind::Slash, 11, BinaryOperator::Divide},
    BinaryRule{TokenKind::Percent, 11, BinaryOperator::Modulo},
};

struct AssignmentRule {
  TokenKind token{};
  std::optional<BinaryOperator> op;
};

constexpr std::array assignment_rules = {
    AssignmentRule{TokenKind::Assign, std::nullopt},
    AssignmentRule{TokenKind::StarAssign, BinaryOperator::Multiply},
    AssignmentRule{TokenKind::SlashAssign, BinaryOperator::Divide},
    AssignmentRule{TokenKind::PercentAssign, BinaryOperator::Modulo},
    AssignmentRule{TokenKind::PlusAssign, BinaryOperator::Add},
    AssignmentRule{TokenKind::MinusAssign, BinaryOperator::Subtract},
    AssignmentRule{TokenKind::ShiftLeftAssign, BinaryOperator::ShiftLeft},
    AssignmentRule{TokenKind::ShiftRightAssign, BinaryOperator::ShiftRight},
    AssignmentRule{TokenKind::AndAssign, BinaryOperator::BitAnd},
    AssignmentRule{TokenKind::CaretAssign, BinaryOperator::BitXor},
    AssignmentRule{TokenKind::OrAssign, BinaryOperator::BitOr},
};

std::optional<UnaryOperator> prefix_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::Increment:
      return UnaryOperator::PreIncrement;
    case TokenKind::Decrement:
      return UnaryOperator::PreDecrement;
    case TokenKind::And:
      return UnaryOperator::AddressOf;
    case TokenKind::Star:
      return UnaryOperator::Dereference;
    case TokenKind::Plus:
      return UnaryOperator::Plus;
    case TokenKind::Minus:
      return UnaryOperator::Minus;
    case TokenKind::Tilde:
      return UnaryOperator::BitNot;
    case TokenKind::Not:
      return UnaryOperator::LogicalNot;
    default:
      return std::nullopt;
  }
}

// `` ext4`ext4_mount ``: the name is behind the last backquote.
KernelSymbol split_symbol(const std::string& text) {
  const std::size_t quote = text.rfind('`');
  return {.object = text.substr(0, quote), .name = text.substr(quote + 1)};
}

// The height of the highest expression of a list; 0 when it is empty.
std::uint32_t height_of(const std::vector<Expression>& list) {
  std::uint32_t height = 0;
  for (const Expression& expression : list) {
    height = std::max(height, expression.height);
  }
  return height;
}

}  // namespace

// Every expression is made here, so that none is higher than visitors can bear.
// below: the height of the highest child.
Expression Parser::make(Span span, std::uint32_t below, ExpressionNode node) {
  if (below >= max_expression_height) {
    fail_for_good(span, "the expression is nested too deeply");
  }
  return {.span = span, .height = below + 1, .node = std::move(node)};
}

Expression Parser::make_binary(BinaryOperator op, Span operator_span, Expression left,
                               Expression right) {
  const Span span = span_since(left.span);
  const std::uint32_t below = std::max(left.height, right.height);
  return make(span, below,
              Binary{.op = op,
                     .operator_span = operator_span,
                     .left = own(std::move(left)),
                     .right = own(std::move(right))});
}

// expression:
//     assignment-expression
//     expression , assignment-expression
Expression Parser::parse_expression() {
  Expression left = parse_assignment();
  while (peek().kind == TokenKind::Comma) {
    const Span comma = take().span;
    Expression right = parse_assignment();
    left = make_binary(BinaryOperator::Comma, comma, std::move(left), std::move(right));
  }
  return left;
}

// assignment-expression:
//     conditional-expression
//     unary-expression assignment-operator assignment-expression
Expression Parser::parse_assignment() {
  if (!enter(peek().span)) {
    leave();
    return {};
  }
  Expression target = parse_conditional();
  const auto* rule =
      std::ranges::find(assignment_rules, peek().kind, &AssignmentRule::token);
  if (rule == assignment_rules.end()) {
    leave();
    return target;
  }
  if (!is_assignable_) {
    fail(
        "D_SYNTAX", peek().span,
        fmt::format("syntax error near {}: what stands before it cannot be assigned to",
                    describe(peek())));
  }
  const Span operator_span = take().span;
  if (const auto* variable = std::get_if<Identifier>(&target.node)) {
    variables_.insert(variable->name);
  }
  Expression value = parse_assignment();
  leave();
  is_assignable_ = false;
  const Span span = span_since(target.span);
  const std::uint32_t below = std::max(target.height, value.height);
  return make(span, below,
              Assignment{.op = rule->op,
                         .operator_span = operator_span,
                         .target = own(std::move(target)),
                         .value = own(std::move(value))});
}

// conditional-expression:
//     logical-or-expression
//     logical-or-expression ? expression : conditional-expression
Expression Parser::parse_conditional() {
  Expression condition = parse_binary(binary_rules.front().precedence);
  if (peek().kind != TokenKind::Question) {
    return condition;
  }
  if (!enter(take().span)) {
    leave();
    return {};
  }
  ++groups_;
  Expression if_true = parse_expression();
  expect(TokenKind::Colon, "between the values of '?'");
  --groups_;
  Expression if_false = parse_conditional();
  leave();
  is_assignable_ = false;
  const Span span = span_since(condition.span);
  const std::uint32_t below =
      std::max({condition.height, if_true.height, if_false.height});
  return make(span, below,
              Conditional{.condition = own(std::move(condition)),
                          .if_true = own(std::move(if_true)),
                          .if_false = own(std::move(if_false))});
}

// The ten levels from logical-or-expression to multiplicative-expression, each
//     level:  higher-level  |  level operator higher-level
// by climbing precedences. lowest: that of the weakest operator to be taken here.
Expression Parser::parse_binary(unsigned lowest) {
  Expression left = parse_cast();
  while (true) {
    const auto* rule = std::ranges::find(binary_rules, peek().kind, &BinaryRule::token);
    if (rule == binary_rules.end() || rule->precedence < lowest || ends_predicate()) {
      return left;
    }
    const Span operator_span = take().span;
    Expression right = parse_binary(rule->precedence + 1);
    left = make_binary(rule->op, operator_span, std::move(left), std::move(right));
    is_assignable_ = false;
  }
}

// Whether the next word is the '/' that ends a predicate, not a division: something
// that can only follow a predicate is behind it.
bool Parser::ends_predicate() {
  if (!is_in_predicate_ || groups_ != 0 || peek().kind != TokenKind::Slash) {
    return false;
  }
  switch (peek(1).kind) {
    case TokenKind::End:
    case TokenKind::Semicolon:
    case TokenKind::LeftBrace:
    case TokenKind::Slash:
      return true;
    default:
      return false;
  }
}

// cast-expression:
//     unary-expression
//     ( type-name ) cast-expression
Expression Parser::parse_cast() {
  if (peek().kind != TokenKind::LeftParen || !begins_type_here(1)) {
    if (casts_to_unknown_type()) {
      refuse_unknown_type(peek(1));
    }
    return parse_unary();
  }
  const Span begin = take().span;
  TypeSyntax type = parse_type_name();
  expect(TokenKind::RightParen, "behind the type of a cast");
  if (!enter(begin)) {
    leave();
    return {};
  }
  Expression operand = parse_cast();
  leave();
  is_assignable_ = false;
  const std::uint32_t below = operand.height;
  return make(span_since(begin), below,
              Cast{.type = std::move(type), .operand = own(std::move(operand))});
}

// unary-expression:
//     postfix-expression
//     ++ unary-expression
//     -- unary-expression
//     unary-operator cast-expression
//     sizeof unary-expression
//     sizeof ( type-name )
//     stringof unary-expression
Expression Parser::parse_unary() {
  const std::optional<UnaryOperator> op = prefix_operator(peek().kind);
  const bool is_sizeof = peek().kind == TokenKind::Sizeof;
  const bool is_stringof = peek().kind == TokenKind::Stringof;
  if (!op && !is_sizeof && !is_stringof) {
    Expression postfix = parse_postfix();
    is_assignable_ = true;
    return postfix;
  }
  const Span begin = take().span;
  if (!enter(begin)) {
    leave();
    return {};
  }
  Expression result;
  if (is_sizeof) {
    result = parse_sizeof(begin);
  } else {
    const bool takes_unary = is_stringof || op == UnaryOperator::PreIncrement ||
                             op == UnaryOperator::PreDecrement;
    Expression operand = takes_unary ? parse_unary() : parse_cast();
    const std::uint32_t below = operand.height;
    ExpressionPtr owned = own(std::move(operand));
    result = is_stringof
                 ? make(span_since(begin), below, Stringof{.operand = std::move(owned)})
                 : make(span_since(begin), below,
                        Unary{.op = *op, .operand = std::move(owned)});
  }
  leave();
  is_assignable_ = true;
  return result;
}

// Behind `sizeof`.
Expression Parser::parse_sizeof(Span begin) {
  if (peek().kind == TokenKind::LeftParen && begins_type_here(1)) {
    take();
    TypeSyntax type = parse_type_name();
    expect(TokenKind::RightParen, "behind the type of sizeof");
    return make(span_since(begin), 0, SizeofType{.type = std::move(type)});
  }
  if (casts_to_unknown_type()) {
    refuse_unknown_type(peek(1));
  }
  Expression operand = parse_unary();
  const std::uint32_t below = operand.height;
  return make(span_since(begin), below,
              SizeofExpression{.operand = own(std::move(operand))});
}

// postfix-expression:
//     primary-expression
//     postfix-expression [ argument-expression-list ]
//     postfix-expression ( argument-expression-list? )
//     postfix-expression . identifier
//     postfix-expression -> identifier
//     postfix-expression ++
//     postfix-expression --
//     offsetof ( type-name , identifier )
//     xlate < type-name > ( expression )
Expression Parser::parse_postfix() {
  Expression base;
  switch (peek().kind) {
    case TokenKind::Offsetof:
      base = parse_offsetof();
      break;
    case TokenKind::Xlate:
      base = parse_xlate();
      break;
    default:
      base = parse_primary();
      break;
  }
  while (true) {
    switch (peek().kind) {
      case TokenKind::LeftBracket:
        base = parse_index(std::move(base));
        break;
      case TokenKind::LeftParen:
        base = parse_call(std::move(base));
        break;
      case TokenKind::Dot:
      case TokenKind::Arrow:
        base = parse_member(std::move(base));
        break;
      case TokenKind::Increment:
      case TokenKind::Decrement:
        base = parse_postfix_step(std::move(base));
        break;
      default:
        return base;
    }
  }
}

Expression Parser::parse_postfix_step(Expression operand) {
  const bool is_increment = take().kind == TokenKind::Increment;
  if (const auto* variable = std::get_if<Identifier>(&operand.node)) {
    variables_.insert(variable->name);
  }
  const Span span = span_since(operand.span);
  const std::uint32_t below = operand.height;
  return make(span, below,
              Unary{.op = is_increment ? UnaryOperator::PostIncrement
                                       : UnaryOperator::PostDecrement,
                    .operand = own(std::move(operand))});
}

Expression Parser::parse_index(Expression base) {
  take();
  std::vector<Expression> indices = parse_list(TokenKind::RightBracket);
  if (indices.empty()) {
    fail("D_SYNTAX", last_, "syntax error near ']': expected an index");
  }
  const Span span = span_since(base.span);
  const std::uint32_t below = std::max(base.height, height_of(indices));
  return make(span, below,
              Index{.base = own(std::move(base)), .indices = std::move(indices)});
}

Expression Parser::parse_call(Expression function) {
  const Span function_span = function.span;
  std::string name;
  if (auto* identifier = std::get_if<Identifier>(&function.node)) {
    name = std::move(identifier->name);
  } else if (const auto* symbol = std::get_if<KernelSymbol>(&function.node)) {
    name = symbol->object + "`" + symbol->name;
  }
  take();
  std::vector<Expression> arguments = parse_list(TokenKind::RightParen);
  const std::uint32_t below = height_of(arguments);
  return make(span_since(function_span), below,
              Call{.function = std::move(name),
                   .function_span = function_span,
                   .arguments = std::move(arguments)});
}

Expression Parser::parse_member(Expression object) {
  const bool is_arrow = take().kind == TokenKind::Arrow;
  if (peek().kind != TokenKind::Identifier) {
    fail_at_word("a member's name");
  }
  const Token name = take();
  const Span span = span_since(object.span);
  const std::uint32_t below = object.height;
  return make(span, below,
              Member{.object = own(std::move(object)),
                     .is_arrow = is_arrow,
                     .name = name.text,
                     .name_span = name.span});
}

// Takes the word that ends a list.
void Parser::end_list(TokenKind end, const std::vector<Expression>& list) {
  if (accept(end)) {
    return;
  }
  const bool joins_strings = peek().kind == TokenKind::String && !list.empty() &&
                             std::holds_alternative<StringLiteral>(list.back().node);
  Diagnostic* told = fail_at_word(fmt::format("{} or ','", describe(end)));
  if (told != nullptr && joins_strings) {
    told->hint = "strings are joined by strjoin()";
  }
}

// argument-expression-list:
//     assignment-expression
//     argument-expression-list , assignment-expression
// and the word that ends it; the list may be empty.
std::vector<Expression> Parser::parse_list(TokenKind end) {
  std::vector<Expression> list;
  ++groups_;
  if (!accept(end)) {
    do {
      list.push_back(parse_assignment());
    } while (accept(TokenKind::Comma));
    end_list(end, list);
  }
  --groups_;
  return list;
}

// primary-expression:
//     identifier
//     aggregation
//     integer
//     string
//     self
//     this
//     ( expression )
Expression Parser::parse_primary() {
  switch (peek().kind) {
    case TokenKind::Identifier: {
      const Token name = take();
      if (name.text.find('`') != std::string::npos) {
        return make(name.span, 0, split_symbol(name.text));
      }
      return make(name.span, 0, Identifier{name.text});
    }
    case TokenKind::Aggregation:
      return parse_aggregation();
    case TokenKind::Integer:
      return parse_integer();
    case TokenKind::String: {
      Token string = take();
      return make(string.span, 0, StringLiteral{std::move(string.text)});
    }
    case TokenKind::Self:
    case TokenKind::This:
      return parse_scoped();
    case TokenKind::LeftParen: {
      const Span begin = take().span;
      ++groups_;
      Expression inner = parse_expression();
      --groups_;
      expect(TokenKind::RightParen, "to end the parenthesis");
      inner.span = span_since(begin);
      return inner;
    }
    default:
      refuse_expression();
      return {};
  }
}

void Parser::refuse_expression() {
  std::string hint;
  if (peek().kind == TokenKind::Percent && peek(1).kind == TokenKind::Identifier) {
    hint = "a register is an element of regs[]: regs[R_";
    for (const char letter : peek(1).text) {
      hint += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    }
    hint += ']';
  }
  Diagnostic* told = fail_at_word("an expression");
  if (told != nullptr && told->hint.empty()) {
    told->hint = std::move(hint);
  }
}

Expression Parser::parse_integer() {
  const Token integer = take();
  Expression literal =
      make(integer.span, 0,
           IntegerLiteral{.value = integer.value,
                          .is_decimal = integer.is_decimal,
                          .has_unsigned_suffix = integer.has_unsigned_suffix,
                          .long_suffixes = integer.long_suffixes,
                          .is_character = integer.is_character});
  if (!integer.is_negative) {
    return literal;
  }
  return make(integer.span, 1,
              Unary{.op = UnaryOperator::Minus, .operand = own(std::move(literal))});
}

// `self->x`, `this->x`. Without the arrow they are names that nothing is called by,
// which the checker tells.
Expression Parser::parse_scoped() {
  const Token word = take();
  const bool is_self = word.kind == TokenKind::Self;
  if (!accept(TokenKind::Arrow)) {
    return make(word.span, 0, Identifier{is_self ? "self" : "this"});
  }
  if (peek().kind != TokenKind::Identifier) {
    fail_at_word("a variable's name");
  }
  const Token name = take();
  return make(
      span_since(word.span), 0,
      ScopedVariable{.scope = is_self ? Scope::Self : Scope::This, .name = name.text});
}

Expression Parser::parse_aggregation() {
  const Token word = take();
  AggregationReference aggregation{.name = word.text, .keys = {}};
  if (accept(TokenKind::LeftBracket)) {
    aggregation.keys = parse_list(TokenKind::RightBracket);
    if (aggregation.keys.empty()) {
      fail("D_SYNTAX", last_, "syntax error near ']': expected a key");
    }
  }
  const std::uint32_t below = height_of(aggregation.keys);
  return make(span_since(word.span), below, std::move(aggregation));
}

Expression Parser::parse_offsetof() {
  const Span begin = take().span;
  expect(TokenKind::LeftParen, "behind offsetof");
  TypeSyntax type = parse_type_name();
  expect(TokenKind::Comma, "between offsetof's type and member");
  if (peek().kind != TokenKind::Identifier) {
    fail_at_word("a member's name");
  }
  const Token member = take();
  expect(TokenKind::RightParen, "behind offsetof's member");
  return make(
      span_since(begin), 0,
      Offsetof{
          .type = std::move(type), .member = member.text, .member_span = member.span});
}

Expression Parser::parse_xlate() {
  const Span begin = take().span;
  expect(TokenKind::Less, "behind xlate");
  TypeSyntax type = parse_type_name();
  expect(TokenKind::Greater, "behind xlate's type");
  expect(TokenKind::LeftParen, "before what xlate translates");
  ++groups_;
  Expression operand = parse_expression();
  --groups_;
  expect(TokenKind::RightParen, "behind what xlate translates");
  const std::uint32_t below = operand.height;
  return make(span_since(begin), below,
              Xlate{.type = std::move(type), .operand = own(std::move(operand))});
}

}  // namespace kinst::d
