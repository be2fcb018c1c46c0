#include "files/svg_converter.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "files/environment.hpp"

namespace personascope::files {
namespace {

constexpr std::string_view kSquare =
    R"(<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>)";

// A program that says `script`, in a folder of its own.
std::string write_script(const std::string& name, const std::string& script) {
  const auto folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::create_directories(folder);
  const auto path = folder / "rsvg-convert";
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST(SvgConverter, IsFoundOnThePathOrWhereItIsSaid) {
  const std::string program = write_script("on_path", "exit 0");
  const std::string folder = std::filesystem::path(program).parent_path();
  EXPECT_EQ(find_svg_converter(Environment({{"PATH", "/nowhere:" + folder}})), program);
  EXPECT_EQ(find_svg_converter(Environment({{"PATH", "/nowhere:."}})), "");
  EXPECT_EQ(find_svg_converter(Environment({{"PERSONASCOPE_RSVG_CONVERT", "/my/own"}})), "/my/own");
}

TEST(SvgConverter, PassesTheDrawingThroughTheProgram) {
  const auto passed = convert_svg(kSquare, PictureFormat::Png, write_script("passes", "cat"));
  ASSERT_TRUE(passed) << passed.error().message;
  EXPECT_EQ(*passed, kSquare);
  const std::string large(3 << 20, 'x');
  EXPECT_EQ(*convert_svg(large, PictureFormat::Pdf, write_script("large", "cat")), large);
}

TEST(SvgConverter, GivesItNoneOfOurEnvironment) {
  ::setenv("PERSONASCOPE_TEST_KEY", "secret", 1);
  const auto seen = convert_svg(kSquare, PictureFormat::Png,
                                write_script("environment", "echo ${PERSONASCOPE_TEST_KEY:-none}"));
  EXPECT_EQ(*seen, "none\n");
}

TEST(SvgConverter, SaysWhyThereIsNoPicture) {
  const auto missing = convert_svg(kSquare, PictureFormat::Png, "");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::NotFound);
  EXPECT_NE(missing.error().message.find("librsvg2-bin"), std::string::npos);
  EXPECT_FALSE(convert_svg(kSquare, PictureFormat::Png, "/nowhere/rsvg-convert"));
  const auto failed = convert_svg(kSquare, PictureFormat::Png,
                                  write_script("fails", "echo out of ink >&2; exit 3"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::Storage);
  EXPECT_NE(failed.error().message.find("out of ink"), std::string::npos);
  EXPECT_FALSE(convert_svg(kSquare, PictureFormat::Png, write_script("silent", "exit 0")));
}

}  // namespace
}  // namespace personascope::files
