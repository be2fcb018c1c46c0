// The options of a command as rows: each binds an OptionSpec to a member of the struct `Options`.
//
//   const OptionTable<Limits> kLimits{{
//       {&Limits::max_calls, {.name = "max_calls", .value = "N", .least = 0, .sentence = "…"}},
//   }};
//
// A member may be text, a list of texts, bool, an integer, a double, an optional of one of these,
// or an enum with the names of its values. A name may occur in several rows with the same member,
// for stages with different help.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option.hpp"

namespace personascope::core {

// The names of an enum's values.
template <class Enum>
using ChoiceNames = std::vector<std::pair<std::string_view, Enum>>;

template <class Options>
class OptionRow {
 public:
  template <class Value>
  OptionRow(Value Options::* member, OptionSpec spec) : spec_(std::move(spec)) {
    using Plain = typename Unwrap<Value>::type;
    spec_.kind = kind_of<Plain>();
    if constexpr (std::is_integral_v<Plain> && !std::is_same_v<Plain, bool>) {
      // So that no stored number overflows its member.
      constexpr double kMost = sizeof(Plain) < 8 ? std::numeric_limits<int>::max() : 1e15;
      spec_.least = std::max(spec_.least.value_or(-kMost), std::is_signed_v<Plain> ? -kMost : 0.0);
      if (!spec_.most && (std::is_signed_v<Plain> || sizeof(Plain) < 8)) spec_.most = kMost;
    }
    set_ = [member](Options& options, const Json& value) {
      if constexpr (std::is_same_v<Plain, std::string>) {
        if (value.is_number()) return void(options.*member = render_json(value));
      }
      if (!value.is_null())
        options.*member = value.template get<Plain>();
      else if constexpr (Unwrap<Value>::is_optional)
        options.*member = std::nullopt;
    };
    get_ = [member](const Options& options) -> Json {
      if constexpr (Unwrap<Value>::is_optional)
        return options.*member ? Json(*(options.*member)) : Json(nullptr);
      else
        return Json(options.*member);
    };
    set_default_text();
  }

  // A choice among the enum's values.
  template <class Enum>
  OptionRow(Enum Options::* member, const ChoiceNames<Enum>& names, OptionSpec spec)
      : spec_(std::move(spec)) {
    spec_.kind = OptionKind::Choice;
    for (const auto& [name, value] : names) spec_.choices.emplace_back(name);
    set_ = [member, names](Options& options, const Json& value) {
      for (const auto& [name, one] : names)
        if (value.is_string() && value.template get_ref<const std::string&>() == name)
          options.*member = one;
    };
    get_ = [member, names](const Options& options) -> Json {
      for (const auto& [name, one] : names)
        if (options.*member == one) return Json(name);
      return nullptr;
    };
    set_default_text();
  }

  // A switch between an enum's two values.
  template <class Enum>
  OptionRow(Enum Options::* member, Enum off, Enum on, OptionSpec spec) : spec_(std::move(spec)) {
    spec_.kind = OptionKind::Switch;
    set_ = [member, off, on](Options& options, const Json& value) {
      if (!value.is_null()) options.*member = value == true ? on : off;
    };
    get_ = [member, on](const Options& options) { return Json(options.*member == on); };
  }

  // A row of a struct that is a member of Options, for these stages.
  template <class Part>
  OptionRow(const OptionRow<Part>& row, Part Options::* member,
            const std::vector<std::string>& stages)
      : spec_(row.spec()) {
    spec_.stages = stages;
    set_ = [member, row](Options& options, const Json& value) { row.set(options.*member, value); };
    get_ = [member, row](const Options& options) { return row.get(options.*member); };
  }

  const OptionSpec& spec() const { return spec_; }
  // `value` has passed check_value.
  void set(Options& options, const Json& value) const { set_(options, value); }
  Json get(const Options& options) const { return get_(options); }

 private:
  template <class Value>
  struct Unwrap {
    using type = Value;
    static constexpr bool is_optional = false;
  };
  template <class Value>
  struct Unwrap<std::optional<Value>> {
    using type = Value;
    static constexpr bool is_optional = true;
  };

  template <class Plain>
  static constexpr OptionKind kind_of() {
    if constexpr (std::is_same_v<Plain, std::string>) return OptionKind::Text;
    if constexpr (std::is_same_v<Plain, std::vector<std::string>>) return OptionKind::Texts;
    if constexpr (std::is_same_v<Plain, bool>) return OptionKind::Switch;
    if constexpr (std::is_integral_v<Plain> && !std::is_same_v<Plain, bool>)
      return OptionKind::Integer;
    if constexpr (std::is_floating_point_v<Plain>) return OptionKind::Number;
  }

  void set_default_text() {
    const Json value = get_(Options{});
    if (value.is_string()) spec_.default_text = value.template get<std::string>();
    if (value.is_number()) spec_.default_text = render_json(value);
  }

  OptionSpec spec_;
  std::function<void(Options&, const Json&)> set_;
  std::function<Json(const Options&)> get_;
};

template <class Options>
class OptionTable {
 public:
  using Row = OptionRow<Options>;

  OptionTable() = default;
  OptionTable(std::initializer_list<Row> rows) : rows_(rows) {}

  void add(Row row) { rows_.push_back(std::move(row)); }
  // Adds the rows of a part of Options, for these stages.
  template <class Part>
  void include(Part Options::* member, const OptionTable<Part>& part,
               const std::vector<std::string>& stages = {}) {
    for (const OptionRow<Part>& row : part.rows()) rows_.emplace_back(row, member, stages);
  }

  const std::vector<Row>& rows() const { return rows_; }

  // The descriptions of the options, in the order of the rows.
  std::vector<OptionSpec> specs() const {
    std::vector<OptionSpec> specs;
    for (const Row& row : rows_)
      if (!row.spec().stored_only) specs.push_back(row.spec());
    return specs;
  }
  // Those that the stage has.
  std::vector<OptionSpec> specs(std::string_view stage) const {
    std::vector<OptionSpec> all = specs();
    std::erase_if(all, [&](const OptionSpec& spec) {
      return !spec.stages.empty() && std::ranges::find(spec.stages, stage) == spec.stages.end();
    });
    return all;
  }

  // The options of an object, which may have other members too; missing ones get their defaults.
  // Fails as Invalid, naming the option, if a value has a wrong type or is out of range: a stored
  // plan is checked as strictly as what a user typed.
  Result<Options> parse(const Json& values) const {
    Options options;
    for (const Row& row : rows_) {
      const Json* value = find_value(values, row.spec());
      if (!value) continue;
      RETURN_IF_ERROR(check_value(row.spec(), *value, "`" + row.spec().name + "`"));
      row.set(options, *value);
    }
    return options;
  }

  // {name: value}; what is not set is left out.
  Json to_json(const Options& options) const {
    Json value = Json::object();
    for (const Row& row : rows_)
      if (Json member = row.get(options); !member.is_null())
        value[row.spec().name] = std::move(member);
    return value;
  }

  // What `over` sets, otherwise what `base` has; for members that are optional.
  Options merge(const Options& base, const Options& over) const {
    Options merged = base;
    for (const Row& row : rows_)
      if (const Json value = row.get(over); !value.is_null()) row.set(merged, value);
    return merged;
  }

 private:
  static const Json* find_value(const Json& values, const OptionSpec& spec) {
    if (!values.is_object()) return nullptr;
    if (const auto found = values.find(spec.name); found != values.end()) return &*found;
    for (const std::string& name : spec.old_names)
      if (const auto found = values.find(name); found != values.end()) return &*found;
    return nullptr;
  }

  std::vector<Row> rows_;
};

}  // namespace personascope::core
