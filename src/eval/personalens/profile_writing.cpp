#include "eval/personalens/profile_writing.hpp"

#include "base/all.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "eval/fill.hpp"
#include "eval/personalens/drawn_users.hpp"
#include "eval/personalens/folder_users.hpp"
#include "files/text_file.hpp"
#include "judge/prompt.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr std::int64_t kSummaryTokens = 400;
constexpr std::size_t kLongestSummary = 8000;  // bytes
constexpr double kSummaryTemperature = 0.7;
constexpr std::int64_t kSummaryPromptTokens = 350;

Result<std::string> load_summary_prompt(const std::string& ours) {
  return files::load_text(ours + "/prompts/write-summary.md", 1u << 20);
}

// Nothing if the reply is no summary.
std::optional<std::string> find_summary(const Result<core::Reply>& reply) {
  if (!reply || core::is_refusal(*reply) || reply->text.size() > kLongestSummary)
    return std::nullopt;
  std::string text(trim(reply->text));
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace

Json to_json(const ProfilesPlan& plan) {
  return {{"evaluation", "lens profiles"},
          {"own_words", plan.ours},
          {"sha256", plan.sha256},
          {"folder", plan.folder},
          {"users", plan.users},
          {"seed", plan.seed},
          {"model", plan.model}};
}

Result<ProfilesPlan> parse_profiles_plan(const Json& value) {
  const Json* users = find_member(value, "users");
  const Json* seed = find_member(value, "seed");
  if (find_text(value, "evaluation") != "lens profiles" || !users || !users->is_array() || !seed ||
      !seed->is_number_unsigned())
    return fail(ErrorKind::Invalid, "the stored plan is not one of lens profiles");
  ProfilesPlan plan;
  plan.ours = find_text(value, "own_words").value_or("");
  plan.sha256 = find_text(value, "sha256").value_or("");
  plan.folder = find_text(value, "folder").value_or("");
  plan.model = find_text(value, "model").value_or("");
  plan.seed = *seed;
  for (const Json& user : *users)
    if (user.is_number_integer()) plan.users.push_back(user.get<int>());
  return plan;
}

Result<std::string> hash_profile_sources(const std::string& ours) {
  ASSIGN_OR_RETURN(const Vocabulary vocabulary, load_vocabulary(ours));
  ASSIGN_OR_RETURN(const std::string prompt, load_summary_prompt(ours));
  return vocabulary.sha256 + render_hex(sha256(prompt));
}

Result<std::unique_ptr<ProfileWriting>> ProfileWriting::create(ProfilesPlan plan,
                                                               const FindModel& find_model) {
  ASSIGN_OR_RETURN(const std::string sha256, hash_profile_sources(plan.ours));
  if (plan.sha256 != sha256)
    return fail(ErrorKind::Invalid,
                "the files in {} have changed since the run was started; start a new run",
                printable(plan.ours));
  // The constructor is private, so make_unique cannot reach it.
  std::unique_ptr<ProfileWriting> writing(new ProfileWriting(std::move(plan)));
  const std::string& ours = writing->plan_.ours;
  ASSIGN_OR_RETURN(writing->vocabulary_, load_vocabulary(ours));
  ASSIGN_OR_RETURN(const std::string prompt, load_summary_prompt(ours));
  ASSIGN_OR_RETURN(const auto headed, judge::parse_headed_text(prompt, "write-summary.md"));
  writing->prompt_ = trim(headed.body);
  ASSIGN_OR_RETURN(writing->model_, find_model(writing->plan_.model));
  return writing;
}

std::vector<Forecast> ProfileWriting::forecast() const {
  Forecast forecast;
  forecast.model = plan_.model;
  forecast.role = "model";
  for (const int number : plan_.users)
    for (const auto& [domain, interested] : draw_user(vocabulary_, plan_.seed, number).interests)
      forecast.calls += interested ? 1 : 0;
  forecast.input_tokens = forecast.calls * kSummaryPromptTokens;
  forecast.max_output_tokens = forecast.calls * kSummaryTokens;
  return {forecast};
}

Task<Result<core::Reply>> ProfileWriting::ask_summary(ItemContext& context, const User& user,
                                                      std::size_t domain) const {
  Attributes shown = user.demographics;
  std::erase_if(shown, [](const Attribute& attribute) { return attribute.name == "user_id"; });
  const std::string demographics = render_attributes(shown);
  const std::string likes = render_attributes(user.affinities[domain].second);
  const std::string& name = user.affinities[domain].first;
  const Values values{{"demographics", demographics}, {"domain", name}, {"affinities", likes}};
  core::Request request;
  request.messages.push_back({core::Role::User, fill(prompt_, values)});
  request.sampling.temperature = kSummaryTemperature;
  request.sampling.max_tokens = kSummaryTokens;
  llm::Draw draw{.item = fmt::format("user{}/{}", user.number, name),
                 .role = std::string(llm::kModelRole),
                 .epoch = 0,
                 .trial = 0};
  Result<core::Reply> reply =
      co_await context.chain.ask(*model_, std::move(request), std::move(draw));
  co_return reply;
}

Task<void> ProfileWriting::work(ItemContext& context, std::int64_t piece) {
  const auto index = static_cast<std::size_t>(piece);
  User user = draw_user(vocabulary_, plan_.seed, plan_.users[index]);
  std::vector<std::size_t> domains;
  std::vector<Task<Result<core::Reply>>> tasks;
  for (std::size_t i = 0; i < user.interests.size(); ++i) {
    if (!user.interests[i].second) continue;
    domains.push_back(i);
    tasks.push_back(ask_summary(context, user, i));
  }
  std::vector<Result<core::Reply>> replies = co_await all(std::move(tasks));
  std::int64_t written = 0;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (!replies[i] && core::is_unfinished(replies[i].error())) co_return;
    if (auto summary = find_summary(replies[i])) {
      user.interactions[domains[i]].second = std::move(*summary);
      ++written;
    }
  }
  const auto single = draw_tasks(vocabulary_, plan_.seed, user, Span::Single);
  const auto multi = draw_tasks(vocabulary_, plan_.seed, user, Span::Multi);
  const auto kept = std::ssize(replies) - written;
  ItemRecord record;
  record.position = piece;
  record.id = fmt::format("user{}", user.number);
  record.document = {{"written", written}, {"kept", kept}};
  if (const auto saved = save_user(plan_.folder, user, single, multi); !saved) {
    record.outcome = core::Outcome::Failed;
    record.error = saved.error();
  } else {
    tasks_ += std::ssize(single);
    multi_tasks_ += std::ssize(multi);
    written_ += written;
    kept_ += kept;
  }
  context.record(std::move(record));
}

Result<Json> ProfileWriting::finish() {
  return Json{{"evaluation", "lens profiles"}, {"users", plan_.users.size()}, {"tasks", tasks_},
              {"multi_tasks", multi_tasks_},   {"written", written_},         {"kept", kept_},
              {"output", plan_.folder},        {"model", plan_.model}};
}

}  // namespace personascope::eval::personalens
