#include "report/chart/chart.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <regex>

#include "report/chart/colour.hpp"
#include "report/chart/frame.hpp"
#include "report/chart/text_size.hpp"

namespace personascope::report {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
const char* const kHostile = "<script>alert(1)</script>\" onload=\"x\x1b[31m\xE2\x80\xAE";

struct TextBox {
  double left, right, top, bottom;
  std::string text;
};

// The upright texts of a drawing, with the room that they take.
std::vector<TextBox> list_texts(const std::string& svg) {
  static const std::regex kText(
      R"re(<text x="([^"]*)" y="([^"]*)" class="([^"]*)" text-anchor="([a-z]*)"( style="[^"]*")?>([^<]*)</text>)re");
  std::vector<TextBox> boxes;
  for (std::sregex_iterator it(svg.begin(), svg.end(), kText), end; it != end; ++it) {
    const double x = std::stod((*it)[1]);
    const double y = std::stod((*it)[2]);
    const std::string style = (*it)[3];
    const double size = style.find("ps-title") != std::string::npos   ? 15
                        : style.find("ps-small") != std::string::npos ? 10
                                                                      : 12;
    const double width = text_width((*it)[6].str(), size);
    const std::string anchor = (*it)[4];
    const double left = anchor == "start" ? x : anchor == "end" ? x - width : x - width / 2;
    boxes.push_back({left, left + width, y - 0.75 * size, y + 0.1 * size, (*it)[6]});
  }
  return boxes;
}

void expect_no_collision(const std::string& svg) {
  const std::vector<TextBox> boxes = list_texts(svg);
  EXPECT_FALSE(boxes.empty());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_GE(boxes[i].left, 0) << boxes[i].text;
    EXPECT_LE(boxes[i].right, kChartWidth) << boxes[i].text;
    for (std::size_t j = i + 1; j < boxes.size(); ++j)
      EXPECT_FALSE(boxes[i].left < boxes[j].right && boxes[j].left < boxes[i].right &&
                   boxes[i].top < boxes[j].bottom && boxes[j].top < boxes[i].bottom)
          << boxes[i].text << " and " << boxes[j].text;
  }
}

std::size_t count_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

IntervalChart make_intervals() {
  return {"Scores",
          core::kScoreUnit,
          false,
          core::Interval{1, 5},
          IntervalForm::Dots,
          {{"Expected Action", 4.1, core::Interval{3.8, 4.4}, 18, false},
           {"A label that is far too long to stand beside a chart of this width, so it is cut",
            3.2,
            {},
            18,
            false},
           {"Toxicity Control", {}, {}, 0, false},
           {"PersonaScore", 3.9, core::Interval{3.7, 4.2}, 90, true}}};
}

std::vector<Chart> make_samples() {
  IntervalChart differences = make_intervals();
  differences.unit = core::kShareUnit;
  differences.is_difference = true;
  differences.scale.reset();
  differences.form = IntervalForm::Bars;
  differences.rows = {{"age", 0.04, core::Interval{-0.02, 0.1}, 40, false},
                      {"city", -0.03, core::Interval{-0.05, -0.01}, 40, false}};
  HeatMap map{"Means",
              core::kScoreUnit,
              "persona",
              "task",
              core::Interval{1, 5},
              {"p001", "p002"},
              {"Expected Action", "Toxicity Control", "Linguistic Habits"},
              {{{4.1, 3}, {2.0, 2}, {}}, {{1.0, 3}, {5.0, 3}, {3.3, 3}}}};
  LineChart lines{"pass@k, pass^k", "k", "", core::kShareUnit, core::Interval{0, 1}, {}};
  for (const char* name : {"pass@k", "pass^k"})
    lines.series.push_back({name,
                            {{1, 0.5, core::Interval{0.4, 0.6}, 20},
                             {2, 0.6, core::Interval{0.5, 0.7}, 20},
                             {3, 0.65, core::Interval{0.5, 0.8}, 20}}});
  Distribution shares{"Distribution",
                      core::kScoreUnit,
                      core::Interval{1, 5},
                      {{"Expected Action", {1, 2, 2, 5}}, {"Toxicity Control", {3, 3, 4}}}};
  RadarChart radar{"Tasks", core::kScoreUnit, {1, 5}, {}};
  for (const char* task : {"Expected Action", "Toxicity Control", "Linguistic Habits",
                           "Persona Consistency", "Action Justification"})
    radar.spokes.push_back({task, 3.5, core::Interval{3, 4}, 18});
  OutcomeBars outcomes{"Outcomes", {{"all", {}}}};
  outcomes.rows[0].counts[core::Outcome::Scored] = 80;
  outcomes.rows[0].counts[core::Outcome::Refused] = 7;
  outcomes.rows[0].counts[core::Outcome::Failed] = 3;
  return {make_intervals(), differences, map, lines, shares, radar, outcomes};
}

TEST(Charts, HaveLabelsThatDoNotCollide) {
  for (const Chart& chart : make_samples()) {
    SCOPED_TRACE(title_of(chart));
    expect_no_collision(render_svg(chart, {}));
  }
}

TEST(Charts, SayWhatEveryMarkStandsFor) {
  for (const Chart& chart : make_samples()) {
    const std::string svg = render_svg(chart, {});
    SCOPED_TRACE(title_of(chart));
    const std::size_t marks = count_in(svg, "class=\"ps-mark\"");
    EXPECT_GE(marks, 2u);
    EXPECT_EQ(count_in(svg, "<title>"), marks + 1);
    EXPECT_EQ(count_in(svg, "<desc>"), marks + 1);
    EXPECT_GE(count_in(svg, " data-label="), marks);
  }
  const std::string svg = render_svg(make_intervals(), {});
  EXPECT_NE(svg.find("<title>Expected Action: 4.10 (3.80 to 4.40), n 18</title>"),
            std::string::npos);
  EXPECT_NE(svg.find("data-value=\"4.1\" data-low=\"3.8\" data-high=\"4.4\" data-n=\"18\""),
            std::string::npos);
  EXPECT_NE(svg.find("<title>Toxicity Control: no value</title>"), std::string::npos);
}

TEST(Charts, PutValuesWhereTheyBelong) {
  IntervalChart chart{"", core::kScoreUnit, false, core::Interval{0, 10}, IntervalForm::Dots, {}};
  chart.rows = {{"a", 0.0, {}, 0, false}, {"b", 5.0, {}, 0, false}, {"c", 10.0, {}, 0, false}};
  const std::string svg = render_svg(chart, {});
  static const std::regex kCircle(R"re(<circle cx="([^"]*)")re");
  std::vector<double> xs;
  for (std::sregex_iterator it(svg.begin(), svg.end(), kCircle), end; it != end; ++it)
    xs.push_back(std::stod((*it)[1]));
  ASSERT_EQ(xs.size(), 3u);
  EXPECT_NEAR(xs[1] - xs[0], xs[2] - xs[1], 0.02);
  EXPECT_GT(xs[1], xs[0]);
}

TEST(Charts, ShowHostileTextAsText) {
  IntervalChart intervals = make_intervals();
  intervals.title = kHostile;
  intervals.rows[0].label = kHostile;
  intervals.rows[1].label = std::string(1 << 20, '<');
  HeatMap map{kHostile, core::kScoreUnit, kHostile,   kHostile,
              {},       {kHostile},       {kHostile}, {{{1.0, 1}}}};
  LineChart lines{kHostile, kHostile, kHostile, kHostile, {}, {{kHostile, {{1, 2, {}, 0}}}}};
  Distribution shares{kHostile, kHostile, {}, {{kHostile, {1.5}}}};
  RadarChart radar{kHostile, kHostile, {0, 1}, {{kHostile, 1.0, {}, 0}}};
  OutcomeBars outcomes{kHostile, {{kHostile, {}}}};
  outcomes.rows[0].counts[core::Outcome::Empty] = 1;
  for (const Chart& chart :
       {Chart(intervals), Chart(map), Chart(lines), Chart(shares), Chart(radar), Chart(outcomes)}) {
    const std::string svg = render_svg(chart, {});
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(svg.find("\" onload"), std::string::npos);
    EXPECT_EQ(svg.find('\x1b'), std::string::npos);
    EXPECT_EQ(svg.find("\xE2\x80\xAE"), std::string::npos);
    EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
  }
}

TEST(Charts, DrawWhateverNumbersThereAre) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  IntervalChart intervals = make_intervals();
  intervals.scale.reset();
  intervals.rows = {{"a", kNotANumber, core::Interval{kNotANumber, 1}, 0, false},
                    {"b", kInfinite, core::Interval{-kInfinite, kInfinite}, 0, false}};
  LineChart lines{"", "x", "y",
                  "", {},  {{"s", {{kNotANumber, 1, {}, 0}, {1, kNotANumber, {}, 0}}}}};
  Distribution shares{"", "", {}, {{"a", {kNotANumber}}, {"b", {}}}};
  RadarChart radar{"", "", {0, 1}, {{"a", kNotANumber, {}, 0}}};
  HeatMap map{"", "", "", "", {}, {"r"}, {"c"}, {{{kInfinite, 1}}}};
  for (const Chart& chart :
       {Chart(intervals), Chart(lines), Chart(shares), Chart(radar), Chart(map),
        Chart(IntervalChart{}), Chart(HeatMap{}), Chart(LineChart{}), Chart(Distribution{}),
        Chart(RadarChart{}), Chart(OutcomeBars{})}) {
    const std::string svg = render_svg(chart, {});
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(Charts, AreLightDarkOrWithoutAStyle) {
  const Chart chart = make_intervals();
  EXPECT_NE(render_svg(chart, {Theme::Light, Place::File}).find(".ps-bg{fill:#fff}"),
            std::string::npos);
  EXPECT_EQ(render_svg(chart, {Theme::Dark, Place::File}).find(".ps-bg{fill:#fff}"),
            std::string::npos);
  EXPECT_NE(render_svg(chart, {Theme::Auto, Place::File}).find("prefers-color-scheme:dark"),
            std::string::npos);
  EXPECT_EQ(render_svg(chart, {Theme::Auto, Place::Page}).find("<style>"), std::string::npos);
}

TEST(Colours, RunFromDarkToLightAndCarryReadableText) {
  EXPECT_EQ(viridis(0), "#440154");
  EXPECT_EQ(viridis(1), "#fde725");
  EXPECT_EQ(viridis(-3), viridis(0));
  EXPECT_EQ(viridis(kNotANumber), viridis(0));
  EXPECT_EQ(readable_on(viridis(0)), "#ffffff");
  EXPECT_EQ(readable_on(viridis(1)), "#000000");
}

}  // namespace
}  // namespace personascope::report
