#include "files/python_source.hpp"

#include <gtest/gtest.h>

namespace personascope::files {
namespace {

// "line name=json" for each assignment, with "f" before the line of a template; then "? line name:
// reason" for each gap.
std::string outline(std::string_view text) {
  const auto source = parse_python_source(text);
  if (!source) return source.error().message;
  std::string result;
  for (const PythonAssignment& row : source->assignments)
    result += fmt::format("{}{} {}={}\n", row.is_template ? "f" : "", row.line, row.name,
                          render_json(row.value));
  for (const PythonGap& gap : source->gaps)
    result += fmt::format("? {} {}: {}\n", gap.line, gap.name, gap.reason);
  return result;
}

struct Case {
  std::string source;
  std::string outline;
};

TEST(PythonSource, AssignmentsAreFoundWhereverAStatementMayBegin) {
  const Case cases[] = {
      {"", ""},
      {"a = 1", "1 a=1\n"},
      {"\xEF\xBB\xBF"
       "a='x'\r\nb='y'\r\n",
       "1 a=\"x\"\n2 b=\"y\"\n"},
      {"a = 'x' # note\n\n# b = 'y'\nc = 'z'", "1 a=\"x\"\n4 c=\"z\"\n"},
      {"def f(x = 'no', *,\n      y = 'no'):\n  a = 'yes'\n  return g(b = 'no',\n    c = 'no')\n",
       "3 a=\"yes\"\n"},
      {"class A:\n  def __init__(self):\n    self.user.prompt = '''x\ny'''\n    b = 2\n",
       "3 self.user.prompt=\"x\\ny\"\n5 b=2\n"},
      {"'''a = 1\nb = 2'''\nc = 3", "3 c=3\n"},
      {"a = b = 'x'; c = 1", "1 a=\"x\"\n1 b=\"x\"\n1 c=1\n"},
      {"a: str = 'x'\nb: dict[str, int] | None = {}\nelse: c = 1\n", "1 a=\"x\"\n2 b={}\n"},
      {"a = \\\n  'x' \\\n  'y'\nb = 1", "1 a=\"xy\"\n4 b=1\n"},
      {"a = (\n  'x'\n  'y'  # why\n)\n", "1 a=\"xy\"\n"},
      {"a = 'x'\na = 'y'", "1 a=\"x\"\n2 a=\"y\"\n"},
      {"a == 1\na += 'x'\na[0] = 'x'\nf(a) = 1\na, b = 1, 2\nif a: b = 1\n", ""},
      {"a = call('x')\nb = name\nc = not True", ""},
      {"\n\n   \t a=1;;b=2;\n", "3 a=1\n3 b=2\n"},
      {"größe = 1\na = 2", "2 a=2\n"},
  };
  for (const Case& row : cases) EXPECT_EQ(outline(row.source), row.outline) << row.source;
}

TEST(PythonSource, AnFStringWithPlainNamesIsATemplate) {
  const Case cases[] = {
      {"a = f'x {name} y'", "f1 a=\"x {name} y\"\n"},
      {"a = F\"\"\"\n  {one}{ two }\n \"\"\"\nb = 1", "f1 a=\"\\n  {one}{two}\\n \"\n4 b=1\n"},
      {"a = f'{{x}} {y}'", "f1 a=\"{{x}} {y}\"\n"},
      {"a = f'plain'", "f1 a=\"plain\"\n"},
      {"a = f'{x}' '{y}' r'\\d' f'{{'", "f1 a=\"{x}{{y}}\\\\d{{\"\n"},
      {R"(a = f'\x7b{x}\n\{y}')", "f1 a=\"{{{x}\\n\\\\{y}\"\n"},
      {R"(a = rf'\n{x}')", "f1 a=\"\\\\n{x}\"\n"},
      {"a = (f'{x}')", "f1 a=\"{x}\"\n"},
  };
  for (const Case& row : cases) EXPECT_EQ(outline(row.source), row.outline) << row.source;
}

TEST(PythonSource, WhatCannotBeReadIsAGapAndTheRestIsRead) {
  const std::string names = "more than a plain name in its braces\n";
  const Case cases[] = {
      {"a = f'{x.y}'\nb = 1", "2 b=1\n? 1 a: an f-string with " + names},
      {"a = f'{x!r}'", "? 1 a: an f-string with " + names},
      {"a = f'{x:>3}'", "? 1 a: an f-string with " + names},
      {"a = f'{x=}'", "? 1 a: an f-string with " + names},
      {"a = f'{}'", "? 1 a: an f-string with " + names},
      {"a = f'{x'\nb = 1", "2 b=1\n? 1 a: an f-string with a brace that has no counterpart\n"},
      {"a = f'x}'", "? 1 a: an f-string with a brace that has no counterpart\n"},
      {"a = [f'{x}']", "? 1 a: an f-string inside a list, a tuple or a dict\n"},
      {"a = 'x' + y\nb = 1", "2 b=1\n? 1 a: a literal that is only a part of an expression\n"},
      {"a = 'x'.format(\n  b = 'no')\nc = 1",
       "3 c=1\n? 1 a: a literal that is only a part of an expression\n"},
      {"a = {t: [] for t in x}\nb = 1",
       "2 b=1\n? 1 a: an expression where a literal is expected\n"},
      {"a = 'x\nb = 1",
       "2 b=1\n? 1 a: a string that is never closed\n? 1 : a string that is never closed\n"},
      {"a = 1\nb = '''x\nc = 1",
       "1 a=1\n? 2 b: a string that is never closed\n? 2 : a string that is never closed\n"},
      {"call(\n'x'\ndef f():\n  a = 1\n", "4 a=1\n? 1 : a bracket that is never closed\n"},
      {"a = ['x'\nclass B:\n  b = 1",
       "3 b=1\n? 1 a: an expression where a literal is expected\n? 1 : a bracket that is never "
       "closed\n"},
      {"a = )\nb = 1", "2 b=1\n? 1 a: an expression where a literal is expected\n"},
  };
  for (const Case& row : cases) EXPECT_EQ(outline(row.source), row.outline) << row.source;
}

TEST(PythonSource, HostileTextIsBounded) {
  EXPECT_EQ(outline("a = '\xFF'"), "Python source that is not UTF-8");
  EXPECT_EQ(outline(std::string((4u << 20) + 1, ' ')), "Python source larger than 4 MB");
  EXPECT_EQ(outline("a = " + std::string(3'000'000, '[')),
            "? 1 a: brackets nested deeper than 100\n? 1 : a bracket that is never closed\n");
  std::string chain;
  for (int i = 0; i < 100'000; ++i) chain += "a=";
  EXPECT_EQ(outline(chain + "'x'"), "");
  std::string quotes;
  for (int i = 0; i < 100'000; ++i) quotes += "a='\n";
  const auto source = parse_python_source(quotes);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->gaps.size(), 1000u);
}

}  // namespace
}  // namespace personascope::files
