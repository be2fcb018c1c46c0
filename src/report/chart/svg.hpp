// An SVG document as it is drawn: shapes, texts and marks (what stands for a value). All texts are
// escaped here. Classes, not colours, say how things look, so that a document can be light or dark;
// chart_css() has them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace personascope::report {

enum class Theme { Light, Dark, Auto };  // Auto: as the reader's system has it

// The style sheet of all charts; a page that has several of them inside needs it once.
std::string chart_css(Theme theme);

enum class Anchor { Start, Middle, End };

// What a mark stands for. `values` become data attributes: {"value", "4.1"} is data-value="4.1";
// their names are ours, never from outside.
struct MarkInfo {
  std::string title;        // in short, shown on hover
  std::string description;  // in words
  std::vector<std::pair<std::string, std::string>> values;
};

class Svg {
 public:
  struct PointXy {
    double x = 0;
    double y = 0;
  };

  void rect(double x, double y, double width, double height, std::string_view css_class,
            std::string_view fill = "");
  void line(PointXy from, PointXy to, std::string_view css_class);
  void circle(PointXy center, double radius, std::string_view css_class);
  // Closed paths, each inside the one before it where there are two: a ring is filled.
  void polygons(const std::vector<std::vector<PointXy>>& outlines, std::string_view css_class);
  void polyline(const std::vector<PointXy>& points, std::string_view css_class);
  void text(PointXy at, std::string_view text, std::string_view css_class,
            Anchor anchor = Anchor::Start, double rotation = 0, std::string_view fill = "");

  // What is drawn until end_mark() is one mark.
  void begin_mark(const MarkInfo& info);
  void end_mark();

  // The document; with `css`, it has a style of its own and stands alone.
  std::string finish(double width, double height, std::string_view title,
                     std::string_view description, std::string_view css) const;

 private:
  std::string body_;
};

// A number of an attribute: at most two digits after the point, never an exponent.
std::string render_coordinate(double value);
// A number of a data attribute, in full.
std::string render_datum(double value);

}  // namespace personascope::report
