// The parts of findings as tables of text, with intervals, for reports.
#pragma once

#include "core/findings.hpp"
#include "report/document/block.hpp"

namespace personascope::report {

// A column that says nothing is left out.
TableBlock tabulate(const core::MetricList& list);
TableBlock tabulate(const core::Table& table);
TableBlock tabulate(const core::Curve& curve);
TableBlock tabulate(const core::Matrix& matrix);
TableBlock tabulate(const core::Part& part);

// "4.12 (3.90 to 4.30)"; "4.12 (no 95 % interval: needs 5 personas)".
std::string describe_metric(const core::Metric& metric);
// "90 scored, 3 refused".
std::string describe_counts(const core::OutcomeCounts& counts);

}  // namespace personascope::report
