#include "report/chart/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart/escape.hpp"

namespace personascope::report {
namespace {

// Series in the colours of Okabe and Ito, which people with every kind of colour vision tell apart.
constexpr std::string_view kLightCss = R"(
.ps-bg{fill:#fff}.ps-text{fill:#1f2328}.ps-muted{fill:#59636e}
.ps-axis{stroke:#818b98}.ps-grid{stroke:#e3e6ea}.ps-zero{stroke:#59636e}.ps-gap{stroke:#fff}
.ps-f0{fill:#0072b2}.ps-f1{fill:#d55e00}.ps-f2{fill:#009e73}.ps-f3{fill:#aa4a85}.ps-f4{fill:#8a6d00}.ps-f5{fill:#3a87ad}
.ps-l0{stroke:#0072b2}.ps-l1{stroke:#d55e00}.ps-l2{stroke:#009e73}.ps-l3{stroke:#aa4a85}.ps-l4{stroke:#8a6d00}.ps-l5{stroke:#3a87ad}
.ps-whisker{stroke:#1f2328}.ps-none{fill:#eceff2}
.ps-scored{fill:#009e73}.ps-answered{fill:#0072b2}.ps-abstained{fill:#e0b400}.ps-refused{fill:#e06c00}.ps-empty{fill:#8c959f}.ps-failed{fill:#c1121f}
)";

constexpr std::string_view kDarkCss = R"(
.ps-bg{fill:#15181d}.ps-text{fill:#e8eaed}.ps-muted{fill:#a3acb6}
.ps-axis{stroke:#79838f}.ps-grid{stroke:#2c323a}.ps-zero{stroke:#a3acb6}.ps-gap{stroke:#15181d}
.ps-f0{fill:#56b4e9}.ps-f1{fill:#ff9d4d}.ps-f2{fill:#3ccb9e}.ps-f3{fill:#dd8fbe}.ps-f4{fill:#e6c84a}.ps-f5{fill:#8fc1dc}
.ps-l0{stroke:#56b4e9}.ps-l1{stroke:#ff9d4d}.ps-l2{stroke:#3ccb9e}.ps-l3{stroke:#dd8fbe}.ps-l4{stroke:#e6c84a}.ps-l5{stroke:#8fc1dc}
.ps-whisker{stroke:#e8eaed}.ps-none{fill:#23282f}
.ps-scored{fill:#3ccb9e}.ps-answered{fill:#56b4e9}.ps-abstained{fill:#f0d24a}.ps-refused{fill:#ff9d4d}.ps-empty{fill:#8c959f}.ps-failed{fill:#ff6b6b}
)";

constexpr std::string_view kFormCss = R"(
.ps-text,.ps-muted{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-size:12px}
.ps-title{font-size:15px;font-weight:600}.ps-small{font-size:10px}.ps-bold{font-weight:600}
.ps-axis,.ps-grid,.ps-zero{stroke-width:1;fill:none}
.ps-line{fill:none;stroke-width:2;stroke-linejoin:round}.ps-whisker{stroke-width:1.4;fill:none}
.ps-band{fill-opacity:.18}.ps-soft{fill-opacity:.8}.ps-pale{opacity:.4}.ps-gap{stroke-width:1}
.ps-mark:focus{outline:2px solid #0072b2}
)";

std::string_view name_of(Anchor anchor) {
  switch (anchor) {
    case Anchor::Start:
      return "start";
    case Anchor::Middle:
      return "middle";
    case Anchor::End:
      return "end";
  }
  return "start";
}

std::string render_points(const std::vector<Svg::PointXy>& points) {
  std::string path;
  for (const Svg::PointXy& point : points)
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", render_coordinate(point.x),
                        render_coordinate(point.y));
  return path;
}

}  // namespace

std::string chart_css(Theme theme) {
  std::string css(theme == Theme::Dark ? kDarkCss : kLightCss);
  if (theme == Theme::Auto)
    css += fmt::format("@media (prefers-color-scheme:dark){{{}}}\n", kDarkCss);
  return css + std::string(kFormCss);
}

std::string render_coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string render_datum(double value) {
  return fmt::format("{}", value);
}

void Svg::rect(double x, double y, double width, double height, std::string_view css_class,
               std::string_view fill) {
  body_ +=
      fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" class="{}"{}/>)",
                  render_coordinate(x), render_coordinate(y),
                  render_coordinate(std::max(width, 0.0)), render_coordinate(std::max(height, 0.0)),
                  css_class, fill.empty() ? "" : fmt::format(R"( fill="{}")", fill));
}

void Svg::line(PointXy from, PointXy to, std::string_view css_class) {
  body_ += fmt::format(R"(<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>)",
                       render_coordinate(from.x), render_coordinate(from.y),
                       render_coordinate(to.x), render_coordinate(to.y), css_class);
}

void Svg::circle(PointXy center, double radius, std::string_view css_class) {
  body_ +=
      fmt::format(R"(<circle cx="{}" cy="{}" r="{}" class="{}"/>)", render_coordinate(center.x),
                  render_coordinate(center.y), render_coordinate(radius), css_class);
}

void Svg::polygons(const std::vector<std::vector<PointXy>>& outlines, std::string_view css_class) {
  std::string path;
  for (const auto& outline : outlines) path += render_points(outline) + "Z";
  body_ += fmt::format(R"(<path d="{}" fill-rule="evenodd" class="{}"/>)", path, css_class);
}

void Svg::polyline(const std::vector<PointXy>& points, std::string_view css_class) {
  body_ += fmt::format(R"(<path d="{}" class="{}"/>)", render_points(points), css_class);
}

void Svg::text(PointXy at, std::string_view text, std::string_view css_class, Anchor anchor,
               double rotation, std::string_view fill) {
  const std::string x = render_coordinate(at.x);
  const std::string y = render_coordinate(at.y);
  body_ += fmt::format(
      R"(<text x="{}" y="{}" class="{}" text-anchor="{}"{}{}>{}</text>)", x, y, css_class,
      name_of(anchor),
      rotation == 0
          ? ""
          : fmt::format(R"x( transform="rotate({} {} {})")x", render_coordinate(rotation), x, y),
      // A style wins over the class.
      fill.empty() ? "" : fmt::format(R"( style="fill:{}")", fill), escape_markup(text));
}

void Svg::begin_mark(const MarkInfo& info) {
  body_ += R"(<g class="ps-mark" role="img")";
  for (const auto& [name, value] : info.values)
    body_ += fmt::format(R"( data-{}="{}")", name, escape_markup(value));
  body_ += fmt::format("><title>{}</title><desc>{}</desc>", escape_markup(info.title),
                       escape_markup(info.description));
}

void Svg::end_mark() {
  body_ += "</g>\n";
}

std::string Svg::finish(double width, double height, std::string_view title,
                        std::string_view description, std::string_view css) const {
  const std::string w = render_coordinate(width);
  const std::string h = render_coordinate(height);
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" role="group" aria-label="{}">
<title>{}</title><desc>{}</desc>
{}<rect width="{}" height="{}" class="ps-bg"/>
{}</svg>
)",
      w, h, w, h, escape_markup(title), escape_markup(title), escape_markup(description),
      css.empty() ? "" : fmt::format("<style>{}</style>\n", css), w, h, body_);
}

}  // namespace personascope::report
