#include "report/score_table.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "files/table_reader.hpp"

namespace personascope::report {
namespace {

constexpr std::size_t kLongestShown = 60;
constexpr double kLargestScore = 1e100;  // the squares and cubes of what is larger overflow

std::string show(std::string_view text) {
  return printable(shorten(text, kLongestShown));
}

Result<std::size_t> find_column(const files::TableReader& reader, const std::string& path,
                                const std::string& name) {
  const auto& columns = reader.columns();
  const auto found = std::ranges::find(columns, name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  std::vector<std::string> shown;
  for (const std::string& column : columns) {
    if (shown.size() < 20) shown.push_back(show(column));
  }
  return fail(ErrorKind::Invalid, "{} has no column \"{}\"; it has: {}", printable(path),
              show(name), join(shown, ", "));
}

// Numbers for names, by first appearance.
class Numbering {
 public:
  std::size_t number_of(const std::string& name) {
    return numbers_.try_emplace(name, numbers_.size()).first->second;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names(numbers_.size());
    for (const auto& [name, number] : numbers_) names[number] = name;
    return names;
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
};

// Fills a table from a reader's rows.
class Loader {
 public:
  static Result<ScoreTable> load(const std::string& path, const TableChoice& choice) {
    ASSIGN_OR_RETURN(files::TableReader reader, files::TableReader::open(path));
    Loader loader(reader, choice);
    RETURN_IF_ERROR(loader.choose(path));
    std::vector<std::string> cells;
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, reader.next(cells));
      if (!more) break;
      RETURN_IF_ERROR(loader.add(cells));
    }
    if (loader.table_.rows() == 0) {
      return fail(ErrorKind::Invalid, "{} has no rows below its column names", printable(path));
    }
    if (choice.cells == Cells::Names) loader.table_.labels = loader.labels_.names();
    return std::move(loader.table_);
  }

 private:
  Loader(const files::TableReader& reader, const TableChoice& choice)
      : reader_(reader), choice_(choice) {
    const auto has = [&](const char* name) {
      return std::ranges::find(reader_.columns(), name) != reader_.columns().end();
    };
    if (!choice_.cluster && has("cluster") && has("verdict") && has("judges"))
      choice_.cluster = "cluster";
    const bool is_taken = choice_.cluster == "id" ||
                          std::ranges::find(choice_.columns, "id") != choice_.columns.end();
    if (!choice_.id && has("id") && !is_taken) choice_.id = "id";
  }

  Result<void> choose(const std::string& path) {
    for (const std::string& name : choice_.columns) {
      ASSIGN_OR_RETURN(const std::size_t place, find_column(reader_, path, name));
      if (std::ranges::find(places_, place) != places_.end()) {
        return fail(ErrorKind::Invalid, "the column \"{}\" is named twice", show(name));
      }
      places_.push_back(place);
      table_.columns.push_back({name, {}});
    }
    if (choice_.id) {
      ASSIGN_OR_RETURN(id_place_, find_column(reader_, path, *choice_.id));
    }
    if (choice_.cluster) {
      ASSIGN_OR_RETURN(cluster_place_, find_column(reader_, path, *choice_.cluster));
      table_.cluster_column = choice_.cluster;
    }
    return {};
  }

  Result<void> add(const std::vector<std::string>& cells) {
    if (choice_.id) {
      const std::string& id = cells[id_place_];
      if (id.empty()) return fail_in(*choice_.id, "is empty");
      if (!seen_ids_.insert(id).second) {
        return fail(ErrorKind::Invalid,
                    "{}: the id \"{}\" occurs twice in the column \"{}\"; ids must be unique (name "
                    "another column with `id`)",
                    reader_.place(), show(id), show(*choice_.id));
      }
      table_.ids.push_back(id);
    }
    std::size_t cluster = table_.rows();
    if (choice_.cluster) {
      const std::string& name = cells[cluster_place_];
      if (name.empty()) return fail_in(*choice_.cluster, "is empty: no cluster");
      cluster = clusters_.number_of(name);
    }
    table_.clusters.push_back(cluster);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      ASSIGN_OR_RETURN(const auto score, parse_cell(cells[places_[i]], choice_.columns[i]));
      table_.columns[i].cells.push_back(score);
    }
    return {};
  }

  Result<std::optional<double>> parse_cell(std::string_view cell, const std::string& column) {
    const std::string_view text = trim(cell);
    if (text.empty()) return std::nullopt;
    if (choice_.cells == Cells::Names) {
      return static_cast<double>(labels_.number_of(std::string(text)));
    }
    const auto number = find_number_in(text.starts_with('+') ? text.substr(1) : text);
    if (number && std::abs(*number) > kLargestScore)
      return fail_in(column, fmt::format("has {}, which is too large to calculate with", *number));
    if (number) return number;
    return fail_in(
        column,
        fmt::format("has \"{}\", which is not a number; leave a missing score empty", show(text)));
  }

  std::unexpected<Error> fail_in(const std::string& column, std::string_view what) const {
    return fail(ErrorKind::Invalid, "{}: the column \"{}\" {}", reader_.place(), show(column),
                what);
  }

  const files::TableReader& reader_;
  TableChoice choice_;
  ScoreTable table_;
  std::vector<std::size_t> places_;
  std::size_t id_place_ = 0;
  std::size_t cluster_place_ = 0;
  std::unordered_set<std::string> seen_ids_;
  Numbering clusters_;
  Numbering labels_;
};

}  // namespace

CompleteRows complete_rows(const ScoreTable& table, std::span<const std::size_t> columns) {
  CompleteRows complete;
  complete.values.resize(columns.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto is_there = [&](std::size_t column) {
      return table.columns[column].cells[row].has_value();
    };
    if (!std::ranges::all_of(columns, is_there)) {
      ++complete.missing;
      continue;
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      complete.values[i].push_back(*table.columns[columns[i]].cells[row]);
    }
    complete.clusters.push_back(table.clusters[row]);
    complete.rows.push_back(row);
  }
  return complete;
}

Result<ScoreTable> load_scores(const std::string& path, const TableChoice& choice) {
  return Loader::load(path, choice);
}

std::optional<std::string> find_id_column(const std::vector<std::string>& names,
                                          const std::vector<std::string>& taken) {
  const auto is_free = [&](const std::string& name) {
    return std::ranges::find(taken, name) == taken.end();
  };
  if (is_free("id") && std::ranges::find(names, "id") != names.end()) return "id";
  const auto first = std::ranges::find_if(names, is_free);
  return first == names.end() ? std::nullopt : std::optional(*first);
}

Result<std::vector<std::string>> load_column_names(const std::string& path) {
  ASSIGN_OR_RETURN(const files::TableReader reader, files::TableReader::open(path));
  return reader.columns();
}

}  // namespace personascope::report
