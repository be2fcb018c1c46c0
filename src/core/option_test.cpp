#include "core/option.hpp"

#include <gtest/gtest.h>

#include "core/option_table.hpp"

namespace personascope::core {
namespace {

enum class Shade { Light, Dark };

struct Frame {
  bool thick = false;
  std::optional<std::int64_t> price;
  std::int64_t weight = 1;
  Shade shade = Shade::Light;
};

struct Painting {
  std::string title;
  std::optional<std::string> painter;
  std::vector<std::string> colours;
  std::int64_t layers = 3;
  int coats = 1;
  std::uint64_t seed = 0;
  std::optional<double> width;
  std::optional<bool> signed_by_hand;
  Shade shade = Shade::Light;
  Frame frame;
};

const ChoiceNames<Shade> kShades{{"light", Shade::Light}, {"dark", Shade::Dark}};

const OptionTable<Frame>& frame_options() {
  static const OptionTable<Frame> table{
      {&Frame::thick, {.name = "thick_frame", .sentence = "a thick frame"}},
      {&Frame::price, {.name = "price", .choices = {"10", "20"}, .sentence = "of the frame"}},
      {&Frame::weight, {.name = "weight", .least = 1, .stored_only = true}},
      {&Frame::shade, Shade::Light, Shade::Dark, {.name = "dark_frame", .sentence = "a dark one"}}};
  return table;
}

const OptionTable<Painting>& painting_options() {
  static const OptionTable<Painting> table = [] {
    OptionTable<Painting> rows{
        {&Painting::title, {.name = "title", .required = true, .sentence = "what it is called"}},
        {&Painting::painter, {.name = "painter", .otherwise = "nobody", .sentence = "who"}},
        {&Painting::colours,
         {.name = "colours", .flag = "colour", .short_flag = "c", .sentence = "may be repeated"}},
        {&Painting::layers,
         {.name = "layers",
          .old_names = {"depth"},
          .least = 1,
          .most = 9,
          .stages = {"paint"},
          .sentence = "layers of paint"}},
        {&Painting::coats, {.name = "coats", .least = 0, .sentence = "of varnish"}},
        {&Painting::seed, {.name = "seed", .sentence = "of every random choice"}},
        {&Painting::width, {.name = "width", .least = 0.5, .sentence = "in metres"}},
        {&Painting::signed_by_hand,
         {.name = "signed_by_hand", .excludes = {"thick_frame"}, .sentence = "with a signature"}},
        {&Painting::shade, kShades, {.name = "shade", .sentence = "of the whole"}},
    };
    rows.include(&Painting::frame, frame_options());
    return rows;
  }();
  return table;
}

OptionSpec spec_of(const std::string& name) {
  for (const OptionSpec& spec : painting_options().specs())
    if (spec.name == name) return spec;
  return {};
}

TEST(Option, IsSpeltOnceForEveryDoor) {
  EXPECT_EQ(flag_of(spec_of("signed_by_hand")), "--signed-by-hand");
  EXPECT_EQ(variable_of(spec_of("signed_by_hand")), "PERSONASCOPE_SIGNED_BY_HAND");
  EXPECT_EQ(flag_of(spec_of("colours")), "--colour");
  EXPECT_EQ(variable_of(spec_of("colours")), "PERSONASCOPE_COLOUR");
}

TEST(Option, IsDescribedWithItsDefault) {
  EXPECT_EQ(describe(spec_of("layers")), "layers of paint (default 3)");
  EXPECT_EQ(describe(spec_of("painter")), "who (default: nobody)");
  EXPECT_EQ(describe(spec_of("shade")), "of the whole (default light)");
  EXPECT_EQ(describe(spec_of("width")), "in metres");
  EXPECT_EQ(describe({.otherwise = "8", .sentence = "retries"}), "retries (default 8)");
  EXPECT_EQ(describe(spec_of("thick_frame")), "a thick frame");
}

TEST(OptionTable, KnowsWhatKindOfValueAMemberTakes) {
  EXPECT_EQ(spec_of("title").kind, OptionKind::Text);
  EXPECT_EQ(spec_of("painter").kind, OptionKind::Text);
  EXPECT_EQ(spec_of("colours").kind, OptionKind::Texts);
  EXPECT_EQ(spec_of("coats").kind, OptionKind::Integer);
  EXPECT_EQ(spec_of("width").kind, OptionKind::Number);
  EXPECT_EQ(spec_of("signed_by_hand").kind, OptionKind::Switch);
  EXPECT_EQ(spec_of("shade").kind, OptionKind::Choice);
  EXPECT_EQ(spec_of("dark_frame").kind, OptionKind::Switch);
}

TEST(OptionTable, TakesOptionsThroughJsonAndBack) {
  const Json full = parse_json(R"({"title": "Sea", "painter": "Ida", "colours": ["red", "blue"],
      "layers": 9, "coats": 2, "seed": 18446744073709551615, "width": 0.5, "signed_by_hand": true,
      "shade": "dark", "thick_frame": true, "dark_frame": true, "price": 20, "weight": 3})")
                        .value();
  const auto painting = painting_options().parse(full);
  ASSERT_TRUE(painting) << painting.error().message;
  EXPECT_EQ(painting->frame.shade, Shade::Dark);
  EXPECT_EQ(painting->seed, 18446744073709551615u);
  EXPECT_EQ(painting_options().to_json(*painting), full);
}

TEST(OptionTable, LeavesOutWhatIsNotSet) {
  EXPECT_EQ(painting_options().to_json({}),
            parse_json(R"({"title": "", "colours": [], "layers": 3, "coats": 1, "seed": 0,
                "shade": "light", "thick_frame": false, "dark_frame": false, "weight": 1})")
                .value());
  const auto unset = painting_options().parse({{"painter", nullptr}, {"layers", nullptr}});
  ASSERT_TRUE(unset);
  EXPECT_FALSE(unset->painter);
  EXPECT_EQ(unset->layers, 3);
}

TEST(OptionTable, ReadsTheNamesOfEarlierVersions) {
  EXPECT_EQ(painting_options().parse({{"depth", 7}})->layers, 7);
  EXPECT_EQ(painting_options().parse({{"depth", 7}, {"layers", 8}})->layers, 8);
  EXPECT_FALSE(painting_options().parse({{"depth", 0}})) << "their ranges are checked too";
}

TEST(OptionTable, NamesTheOptionThatIsWrong) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"layers": 0})", "`layers` must be a whole number from 1 to 9, not 0"},
      {R"({"layers": -1})", "`layers` must be a whole number from 1 to 9, not -1"},
      {R"({"layers": 2.5})", "`layers` must be a whole number from 1 to 9, not 2.5"},
      {R"({"layers": "2"})", "`layers` must be a whole number from 1 to 9, not 2"},
      {R"({"layers": 1e300})", "`layers` must be a whole number from 1 to 9, not 1e+300"},
      {R"({"coats": 4294967297})", "`coats` must be a whole number from 0 to 2147483647, not "},
      {R"({"seed": -1})", "`seed` must be a whole number of at least 0, not -1"},
      {R"({"width": "wide"})", "`width` must be a number of at least 0.5, not wide"},
      {R"({"title": 7.5})", "`title` must be a text, not 7.5"},
      {R"({"price": 15})", "`price` must be one of 10, 20, not 15"},
      {R"({"price": "20"})", "`price` must be a whole number, not 20"},
      {R"({"colours": "red"})", "`colours` must be a list of texts, not red"},
      {R"({"colours": ["red", 7]})", "`colours[1]` must be a text, not 7"},
      {R"({"signed_by_hand": 1})", "`signed_by_hand` must be true or false, not 1"},
      {R"({"dark_frame": "yes"})", "`dark_frame` must be true or false, not yes"},
      {R"({"shade": "grey"})", "`shade` must be one of light, dark, not grey"},
      {R"({"shade": 1})", "`shade` must be one of light, dark, not 1"}};
  for (const auto& [text, message] : wrong) {
    const auto painting = painting_options().parse(parse_json(text).value());
    ASSERT_FALSE(painting) << text;
    EXPECT_EQ(painting.error().kind, ErrorKind::Invalid);
    EXPECT_TRUE(painting.error().message.starts_with(message)) << painting.error().message;
  }
}

TEST(CheckValue, HoldsATextToItsChoices) {
  OptionSpec spec = spec_of("painter");
  spec.choices = {"Ida", "Jo"};
  EXPECT_TRUE(check_value(spec, "Jo", "`painter`"));
  for (const Json& wrong : {Json("Max"), Json(7)})
    EXPECT_FALSE(check_value(spec, wrong, "`painter`")) << wrong;
}

TEST(OptionTable, TakesANumberForAText) {
  EXPECT_EQ(painting_options().parse({{"title", 7}})->title, "7") << "as YAML reads `title: 7`";
}

TEST(OptionTable, OffersNoOptionThatIsStoredOnly) {
  EXPECT_EQ(spec_of("weight").name, "");
  EXPECT_FALSE(painting_options().parse({{"weight", 0}})) << "but checks it";
}

TEST(OptionTable, PassesOverMembersThatAreNoOptions) {
  EXPECT_TRUE(painting_options().parse({{"sha256", "abc"}}));
  EXPECT_TRUE(painting_options().parse(Json(7)));
}

TEST(OptionTable, GivesAStageItsOwnOptions) {
  const auto has_layers = [](const std::vector<OptionSpec>& specs) {
    return std::ranges::find(specs, "layers", &OptionSpec::name) != specs.end();
  };
  EXPECT_TRUE(has_layers(painting_options().specs("paint")));
  EXPECT_FALSE(has_layers(painting_options().specs("sell")));
}

TEST(OptionTable, MergesByWhatIsSet) {
  Painting base, over;
  base.width = 2;
  base.painter = "Ida";
  over.width = 3;
  const Painting merged = painting_options().merge(base, over);
  EXPECT_EQ(merged.width, 3);
  EXPECT_EQ(merged.painter, "Ida");
}

TEST(ParseOptionText, ReadsWhatWasTyped) {
  const auto read = [](const char* name, const char* text) {
    return parse_option_text(spec_of(name), text, "it");
  };
  EXPECT_EQ(read("title", "7").value(), Json("7"));
  EXPECT_EQ(read("colours", "red, blue").value(), Json::array({"red, blue"}));
  EXPECT_EQ(read("layers", "9").value(), Json(9));
  EXPECT_EQ(read("seed", "18446744073709551615").value(), Json(18446744073709551615u));
  EXPECT_EQ(read("width", "1e3").value(), Json(1000.0));
  EXPECT_EQ(read("signed_by_hand", "1").value(), Json(true));
  EXPECT_EQ(read("signed_by_hand", "off").value(), Json(false));
  EXPECT_EQ(read("shade", "dark").value(), Json("dark"));
  EXPECT_EQ(read("layers", "ten").error().message,
            "it must be a whole number from 1 to 9, not ten");
  for (const char* bad : {"", "nan", "inf", "0.4", "2m", "1e999"})
    EXPECT_FALSE(read("width", bad)) << bad;
  for (const char* bad : {"", " 2", "2.0", "0x2", "99999999999999999999"})
    EXPECT_FALSE(read("layers", bad)) << bad;
  EXPECT_FALSE(read("signed_by_hand", "perhaps"));
}

TEST(CheckGiven, RefusesWhatNoOptionIsCalled) {
  const auto specs = painting_options().specs();
  EXPECT_TRUE(check_given({{"title", "Sea"}, {"layers", 2}}, specs));
  EXPECT_EQ(check_given({{"title", "Sea"}, {"layer", 2}}, specs).error().message,
            "there is no option layer; did you mean `layers`?");
  EXPECT_EQ(check_given({{"title", "Sea"}, {"depth", 2}}, specs).error().kind, ErrorKind::Invalid)
      << "old names are for stored plans";
  EXPECT_EQ(check_given(Json::object(), specs).error().message,
            "`title` is missing: what it is called");
  EXPECT_FALSE(check_given(Json::array(), specs));
}

TEST(CheckGiven, RefusesOptionsThatExcludeEachOther) {
  const auto specs = painting_options().specs();
  Json given = {{"title", "Sea"}, {"signed_by_hand", true}, {"thick_frame", false}};
  EXPECT_TRUE(check_given(given, specs));
  given["thick_frame"] = true;
  EXPECT_EQ(check_given(given, specs).error().message,
            "`signed_by_hand` and `thick_frame` cannot be given together");
}

TEST(RenameOptions, PutsTheDoorsSpellingInPlaceOfTheName) {
  const auto rename = [](std::string_view name) -> std::optional<std::string> {
    if (name == "colours") return "--colour";
    return std::nullopt;
  };
  const std::pair<const char*, const char*> cases[] = {
      {"give `colours`", "give --colour"},
      {"`colours[1]` is empty", "--colour is empty"},
      {"`personascope runs` lists them", "`personascope runs` lists them"},
      {"`colours` or `colours`.", "--colour or --colour."},
      {"a lone ` and `colours`", "a lone ` and `colours`"},
      {"colours", "colours"},
      {"`", "`"},
      {"", ""}};
  for (const auto& [text, renamed] : cases) EXPECT_EQ(rename_options(text, rename), renamed);
}

}  // namespace
}  // namespace personascope::core
