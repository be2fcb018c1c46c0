#include "run/call_book.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace personascope::run {
namespace {

// "canary/NAME/ITEM" is asked for ITEM.
std::string_view find_owner(std::string_view item) {
  constexpr std::string_view kCanary = "canary/";
  if (!item.starts_with(kCanary)) return item;
  const std::size_t slash = item.find('/', kCanary.size());
  return slash == std::string_view::npos ? item : item.substr(slash + 1);
}

}  // namespace

void CallBook::take(const llm::Draw& draw, const Digest& key, const Result<core::Reply>& answer) {
  const auto add = [&](std::vector<Call>& calls) {
    Call call;
    call.number = count_;
    call.link.key = key;
    call.link.purpose = draw.item;
    if (answer) call.text = answer->text;
    calls.push_back(std::move(call));
  };
  ++count_;
  if (draw.owners.empty()) {
    const std::string_view owner =
        ids_ == ItemIds::Plain ? std::string_view(draw.item) : find_owner(draw.item);
    add(own_[std::string(owner)]);
  }
  for (const std::string& owner : draw.owners) add((owner.ends_with('/') ? shared_ : own_)[owner]);
}

void CallBook::collect_own(const std::string& item, std::vector<Call>& calls) {
  const auto move_out = [&](ByOwner::iterator place) {
    std::ranges::move(place->second, std::back_inserter(calls));
    return own_.erase(place);
  };
  if (const auto place = own_.find(item); place != own_.end()) move_out(place);
  if (ids_ == ItemIds::Plain) return;
  const std::string beginning = item + "/";
  for (auto place = own_.lower_bound(beginning);
       place != own_.end() && place->first.starts_with(beginning);)
    place = move_out(place);
}

CallBook::Calls CallBook::collect(const std::string& item) {
  std::vector<Call> calls;
  collect_own(item, calls);
  if (!shared_.empty())
    for (std::size_t slash = item.find('/'); slash != std::string::npos;
         slash = item.find('/', slash + 1))
      if (const auto place = shared_.find(item.substr(0, slash + 1)); place != shared_.end())
        calls.insert(calls.end(), place->second.begin(), place->second.end());
  std::ranges::stable_sort(calls, {}, &Call::number);
  Calls collected;
  for (Call& call : calls) {
    const auto same = [&](const core::CallLink& link) { return link.key == call.link.key; };
    if (std::ranges::any_of(collected.links, same)) continue;
    if (call.link.purpose == item) call.link.purpose.clear();
    collected.links.push_back(std::move(call.link));
    collected.texts.push_back(std::move(call.text));
  }
  return collected;
}

}  // namespace personascope::run
