#include "report/score_table.hpp"

#include <gtest/gtest.h>

#include "files/testing/temporary_folder.hpp"
#include "report/join.hpp"
#include "report/scale.hpp"

namespace personascope::report {
namespace {

Result<JoinedTable> join_files(std::span<const std::string> paths, const JoinChoice& choice) {
  ASSIGN_OR_RETURN(const auto tables, load_tables(paths, choice));
  return join_tables(tables);
}

std::string write(const char* name, std::string_view text) {
  static const files::TemporaryFolder folder;  // each test is a process of its own
  return folder.write(name, std::string(text));
}

TEST(ScoreTable, ReadsTheChosenColumns) {
  const auto path = write("good.csv", "q,persona,b,a\n1,x,2,3.5\n2,y,,+4\n3,x, 1 ,-2e0\n");
  const ScoreTable table =
      load_scores(path, {.columns = {"a", "b"}, .id = "q", .cluster = "persona"}).value();
  EXPECT_EQ(table.ids, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(table.clusters, (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(table.columns[0].cells, (std::vector<std::optional<double>>{3.5, 4, -2}));
  EXPECT_EQ(table.columns[1].cells, (std::vector<std::optional<double>>{2, std::nullopt, 1}));
  const std::size_t both[] = {0, 1};
  const CompleteRows complete = complete_rows(table, both);
  EXPECT_EQ(complete.rows, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(complete.missing, 1u);
}

TEST(ScoreTable, NamesBecomeNumbers) {
  const auto path = write("names.csv", "id,r\n1,yes\n2,no\n3,yes\n4,\n");
  const ScoreTable table = load_scores(path, {.columns = {"r"}, .cells = Cells::Names}).value();
  EXPECT_EQ(table.labels, (std::vector<std::string>{"yes", "no"}));
  EXPECT_EQ(table.columns[0].cells, (std::vector<std::optional<double>>{0, 1, 0, std::nullopt}));
}

TEST(ScoreTable, TakesTheColumnIdForIdsUnlessItIsSomethingElse) {
  const auto path = write("ids.csv", "id,key,a\n7,x,1\n8,y,2\n");
  EXPECT_EQ(load_scores(path, {.columns = {"a"}})->ids, (std::vector<std::string>{"7", "8"}));
  EXPECT_EQ(load_scores(path, {.columns = {"a"}, .id = "key"})->ids[0], "x");
  EXPECT_TRUE(load_scores(path, {.columns = {"a", "id"}})->ids.empty());
  EXPECT_TRUE(load_scores(path, {.columns = {"a"}, .cluster = "id"})->ids.empty());
  EXPECT_EQ(find_id_column({"a", "id"}, {}), "id");
  EXPECT_EQ(find_id_column({"p", "a", "b"}, {"p"}), "a");
  EXPECT_EQ(find_id_column({"a", "b"}, {"a", "b"}), std::nullopt);
}

TEST(ScoreTable, SaysWhatIsWrongAndWhere) {
  const struct {
    const char* text;
    TableChoice choice;
    const char* message;
  } cases[] = {
      {"id,a\n1,2\n", {.columns = {"b"}}, "has no column \"b\"; it has: id, a"},
      {"id,a\n1,2\n", {.columns = {"a"}, .cluster = "p"}, "has no column \"p\""},
      {"id,a\n1,2\n", {.columns = {"a", "a"}}, "named twice"},
      {"id,a\n1,2\n2,two\n", {.columns = {"a"}}, "line 3: the column \"a\" has \"two\""},
      {"id,a\n1,nan\n", {.columns = {"a"}}, "not a number"},
      {"id,a\n1,inf\n", {.columns = {"a"}}, "not a number"},
      {"id,a\n1,1e999\n", {.columns = {"a"}}, "not a number"},
      {"id,a\n1,-1e101\n",
       {.columns = {"a"}},
       "line 2: the column \"a\" has -1e+101, which is too"},
      {"id,a\n1,2\n1,3\n", {.columns = {"a"}, .id = "id"}, "line 3: the id \"1\" occurs twice"},
      {"a,id\n1,x\n2,x\n", {.columns = {"a"}}, "line 3: the id \"x\" occurs twice in the column"},
      {"id,a\n,2\n", {.columns = {"a"}, .id = "id"}, "line 2: the column \"id\" is empty"},
      {"id,p,a\n1,,2\n", {.columns = {"a"}, .cluster = "p"}, "line 2: the column \"p\" is empty"},
      {"id,a\n", {.columns = {"a"}}, "has no rows"},
      {"id,a\n1,\x1b[2J\n", {.columns = {"a"}}, "line 2"},
  };
  for (const auto& [text, choice, message] : cases) {
    const auto table = load_scores(write("bad.csv", text), choice);
    ASSERT_FALSE(table) << text;
    EXPECT_EQ(table.error().kind, ErrorKind::Invalid);
    EXPECT_NE(table.error().message.find(message), std::string::npos) << table.error().message;
    EXPECT_EQ(table.error().message.find('\x1b'), std::string::npos);
  }
}

TEST(Join, PairsItemsByIdAndCountsTheRest) {
  const std::string paths[] = {write("one.csv", "id,persona,score\nx,p,1\ny,p,2\nz,q,3\n"),
                               write("two.jsonl",
                                     "{\"id\":\"z\",\"score\":5}\n"
                                     "{\"id\":\"x\",\"score\":null}\n"
                                     "{\"id\":\"w\",\"score\":4}\n")};
  const JoinedTable joined = join_files(paths, {.cluster = "persona"}).value();
  EXPECT_EQ(joined.table.ids, (std::vector<std::string>{"x", "z"}));
  EXPECT_EQ(joined.table.clusters, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(joined.table.columns[0].cells, (std::vector<std::optional<double>>{1, 3}));
  EXPECT_EQ(joined.table.columns[1].cells, (std::vector<std::optional<double>>{std::nullopt, 5}));
  EXPECT_EQ(joined.table.columns[0].name, "one");
  EXPECT_EQ(joined.files[0].unmatched, 1u);
  EXPECT_EQ(joined.files[0].examples, std::vector<std::string>{"y"});
  EXPECT_EQ(joined.files[1].examples, std::vector<std::string>{"w"});
}

TEST(Join, TakesTheFirstColumnForIdAndTheOnlyOtherForScore) {
  const std::string paths[] = {write("k1.csv", "key,value\na,1\n"),
                               write("k2.csv", "key,points\na,2\n")};
  EXPECT_EQ(join_files(paths, {})->table.columns[1].cells.front(), 2);
}

TEST(Join, RefusesWhatCannotBePaired) {
  const std::string one = write("one.csv", "id,persona,score\nx,p,1\ny,p,2\n");
  const auto message = [&](const char* text, const JoinChoice& choice) {
    const std::string paths[] = {one, write("other.csv", text)};
    const auto joined = join_files(paths, choice);
    return joined ? std::string("joined") : joined.error().message;
  };
  EXPECT_NE(message("id,score\nv,1\n", {}).find("no item is in all of the files"),
            std::string::npos);
  EXPECT_NE(message("id,a,b\nx,1,2\n", {}).find("`score`"), std::string::npos);
  EXPECT_NE(message("id,score\nx,1\n", {.score = "points"}).find("no column \"points\""),
            std::string::npos);
  EXPECT_NE(message("id,persona,score\nx,p,1\ny,q,2\n", {.cluster = "persona"})
                .find("the item \"y\" has a different \"persona\""),
            std::string::npos);
  EXPECT_EQ(message("id,persona,score\nx,P,1\ny,P,2\n", {.cluster = "persona"}), "joined");
  EXPECT_NE(message("id,score\nx,1\n", {.cluster = "user"}).find("no column \"user\""),
            std::string::npos);
}

TEST(ParseScale, ReadsEndsAndNothingElse) {
  const std::pair<const char*, std::pair<double, double>> good[] = {
      {"1-5", {1, 5}},       {"0:1", {0, 1}},           {"-1-1", {-1, 1}},      {"-2--1", {-2, -1}},
      {"1e-3:1", {1e-3, 1}}, {"-5:-1e-2", {-5, -1e-2}}, {"0.5-2.5", {0.5, 2.5}}};
  for (const auto& [text, ends] : good) {
    EXPECT_EQ(parse_scale(text)->low, ends.first) << text;
    EXPECT_EQ(parse_scale(text)->high, ends.second) << text;
  }
  for (const char* text : {"", "5", "5-1", "1-1", "a-b", "1-", "-5", "1-nan", "1-inf", "1-2-3"}) {
    EXPECT_FALSE(parse_scale(text)) << text;
  }
  EXPECT_EQ(make_places({1, 3}).value(), (std::vector{1, 2, 3}));
  EXPECT_FALSE(make_places({0, 0.5}));
  EXPECT_FALSE(make_places({0, 1e9}));
  EXPECT_FALSE(make_places({}));
}

}  // namespace
}  // namespace personascope::report
