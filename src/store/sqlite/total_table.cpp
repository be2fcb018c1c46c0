#include "store/sqlite/total_table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace personascope::store {
namespace {

constexpr const char* kAddSpending = R"(
INSERT INTO total (run, calls, input_tokens, output_tokens, cost_usd, unpriced_calls, most_tokens,
                   most_cost_usd)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (run) DO UPDATE SET
  calls = calls + ?2, input_tokens = input_tokens + ?3, output_tokens = output_tokens + ?4,
  cost_usd = cost_usd + ?5, unpriced_calls = unpriced_calls + ?6,
  most_tokens = most_tokens + ?7, most_cost_usd = most_cost_usd + ?8)";

constexpr const char* kAddOutcomes = R"(
INSERT INTO total (run, answered, scored, abstained, refused, empty, failed)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (run) DO UPDATE SET
  answered = answered + ?2, scored = scored + ?3, abstained = abstained + ?4,
  refused = refused + ?5, empty = empty + ?6, failed = failed + ?7)";

constexpr const char* kLoadSpending = R"(
SELECT calls, input_tokens, output_tokens, cost_usd, unpriced_calls, most_tokens, most_cost_usd
FROM total WHERE run = ?1)";

// A server may claim any number of tokens; the sum must not overflow.
std::int64_t countable(std::optional<std::int64_t> tokens) {
  return std::clamp<std::int64_t>(tokens.value_or(0), 0, 1'000'000'000);
}

// What is known is the least of the most.
void add_charge(Spending& spending, const Charge& charge) {
  spending.max_tokens =
      std::max(countable(charge.tokens), spending.input_tokens + spending.output_tokens);
  spending.max_cost_usd = spending.cost_usd;
  if (std::isfinite(charge.cost_usd))
    spending.max_cost_usd = std::max(charge.cost_usd, spending.cost_usd);
}

}  // namespace

Spending spending_of(const CallRecord& record) {
  Spending spending{.calls = 1};
  if (record.answer) {
    spending.input_tokens = countable(record.answer->usage.input_tokens);
    spending.output_tokens = countable(record.answer->usage.output_tokens);
  }
  if (record.cost_usd && std::isfinite(*record.cost_usd)) {
    spending.cost_usd = *record.cost_usd;
  } else {
    spending.unpriced_calls = 1;
  }
  add_charge(spending, record.charge);
  return spending;
}

Spending spending_of(const AttemptRecord& record) {
  Spending spending{.calls = 1};
  add_charge(spending, record.charge);
  return spending;
}

Result<void> add_spending(Connection& connection, std::int64_t run, const Spending& spending) {
  ASSIGN_OR_RETURN(Query add, connection.query(kAddSpending));
  add.bind(run, spending.calls, spending.input_tokens, spending.output_tokens, spending.cost_usd,
           spending.unpriced_calls, spending.max_tokens, spending.max_cost_usd);
  return add.run();
}

Result<void> add_outcomes(Connection& connection, std::int64_t run,
                          const core::OutcomeCounts& counts) {
  using enum core::Outcome;
  ASSIGN_OR_RETURN(Query add, connection.query(kAddOutcomes));
  return add
      .bind(run, counts[Answered], counts[Scored], counts[Abstained], counts[Refused],
            counts[Empty], counts[Failed])
      .run();
}

Result<Spending> load_spending(Connection& connection, std::int64_t run) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadSpending));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(run).next());
  if (!is_found) return Spending{};
  return Spending{row.integer(0), row.integer(1), row.integer(2), row.number(3),
                  row.integer(4), row.integer(5), row.number(6)};
}

}  // namespace personascope::store
