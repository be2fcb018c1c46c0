#include "store/sqlite/run_import.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/sqlite/attempt_table.hpp"
#include "store/sqlite/call_table.hpp"
#include "store/sqlite/item_table.hpp"
#include "store/sqlite/run_table.hpp"
#include "store/sqlite/total_table.hpp"

namespace personascope::store {
namespace {

class RunImport {
 public:
  RunImport(Connection& connection, TextCodec& codec, RunSource& source)
      : connection_(connection), codec_(codec), source_(source) {}

  Result<ImportedRun> carry_out() {
    ASSIGN_OR_RETURN(const auto known, find_run(connection_, source_.run().uid));
    if (known) return ImportedRun{.id = *known, .was_there = true};
    RETURN_IF_ERROR(write_run());
    RETURN_IF_ERROR(write_calls());
    RETURN_IF_ERROR(write_attempts());
    RETURN_IF_ERROR(write_items());
    return ImportedRun{.id = id_,
                       .was_there = false,
                       .differing_answers = static_cast<std::int64_t>(differing_.size())};
  }

 private:
  Result<void> write_run() {
    const RunRecord& run = source_.run();
    ASSIGN_OR_RETURN(id_, insert_run(connection_, run));
    // Nobody carries it out here.
    const RunState state = run.state == RunState::Running ? RunState::Stopped : run.state;
    RETURN_IF_ERROR(update_run(connection_, id_, state, run.note, run.finished_at));
    if (!run.results.is_null() || run.headline)
      RETURN_IF_ERROR(save_results(connection_, id_, run.results, run.headline));
    return add_spending(connection_, id_, run.spending);
  }

  Result<void> write_calls() {
    for (;;) {
      ASSIGN_OR_RETURN(auto next, source_.next_call());
      if (!next) return {};
      CallRecord& call = next->call;
      call.run = next->is_paid ? id_ : 0;  // 0: an answer that no run here paid for
      ASSIGN_OR_RETURN(const Kept kept, insert_call(connection_, codec_, call));
      if (kept == Kept::Earlier) RETURN_IF_ERROR(note_difference(call));
    }
  }

  Result<void> note_difference(const CallRecord& call) {
    ASSIGN_OR_RETURN(const auto stored, find_answer(connection_, codec_, call.key));
    const bool is_same = stored && !stored->is_damaged &&
                         stored->answer.has_value() == call.answer.has_value() &&
                         (!call.answer || stored->answer->text == call.answer->text);
    if (!is_same) differing_[call.key] = call.answer ? call.answer->text : "";
    return {};
  }

  Result<void> write_attempts() {
    for (;;) {
      ASSIGN_OR_RETURN(auto attempt, source_.next_attempt());
      if (!attempt) return {};
      attempt->run = id_;
      RETURN_IF_ERROR(insert_attempt(connection_, *attempt));
    }
  }

  Result<void> write_items() {
    for (;;) {
      ASSIGN_OR_RETURN(auto next, source_.next_item());
      if (!next) return {};
      RETURN_IF_ERROR(keep_texts(*next));
      RETURN_IF_ERROR(upsert_item(connection_, codec_, id_, next->item, next->calls));
    }
  }

  // The document of an item one of whose calls has another answer here gets its own texts in place
  // of references to that call, and loses the link to it.
  Result<void> keep_texts(SourceItem& item) {
    bool is_affected = false;
    for (const core::CallLink& link : item.calls)
      is_affected = is_affected || differing_.contains(link.key);
    if (!is_affected) return {};
    std::vector<std::string> own;     // the texts that the item was made from
    std::vector<std::string> stored;  // of these, those that can be referred to
    for (core::CallLink& link : item.calls) {
      if (const auto place = differing_.find(link.key); place != differing_.end()) {
        own.push_back(place->second);
        stored.emplace_back();
        link.key = {};
        continue;
      }
      ASSIGN_OR_RETURN(const auto found, find_answer(connection_, codec_, link.key));
      own.push_back(found && found->answer ? found->answer->text : "");
      stored.push_back(own.back());
    }
    core::resolve_calls(item.item.document, own);
    core::refer_to_calls(item.item.document, stored);
    return {};
  }

  Connection& connection_;
  TextCodec& codec_;
  RunSource& source_;
  std::int64_t id_ = 0;
  std::map<Digest, std::string> differing_;  // the source's texts of calls with other answers here
};

}  // namespace

Result<ImportedRun> import_run(Connection& connection, TextCodec& codec, RunSource& source) {
  return RunImport(connection, codec, source).carry_out();
}

}  // namespace personascope::store
