// Profiles whose summaries of past interactions a model writes. Everything else is drawn, and where
// the model fails, our own sentences stay.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/personalens/vocabulary.hpp"

namespace personascope::eval::personalens {

struct ProfilesPlan {
  std::string ours;    // our own folder: vocabulary and prompt
  std::string sha256;  // of the two
  std::string folder;  // files go to profile/userN below it
  std::vector<int> users;
  std::uint64_t seed = 0;
  std::string model;
};
Json to_json(const ProfilesPlan& plan);
// Fails as Invalid if it is no such plan.
Result<ProfilesPlan> parse_profiles_plan(const Json& value);
// The hash that a plan keeps.
Result<std::string> hash_profile_sources(const std::string& ours);

// Its item is a user: a summary for every domain that interests them, then their files.
class ProfileWriting final : public Evaluation {
 public:
  static Result<std::unique_ptr<ProfileWriting>> create(ProfilesPlan plan,
                                                        const FindModel& find_model);

  std::int64_t items() const override { return std::ssize(plan_.users); }
  std::vector<Forecast> forecast() const override;
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  // {"users", "tasks", "multi_tasks", "written", "kept": summaries of ours, "output", "model"}
  Result<Json> finish() override;

 private:
  explicit ProfileWriting(ProfilesPlan plan) : plan_(std::move(plan)) {}
  Task<Result<core::Reply>> ask_summary(ItemContext& context, const User& user,
                                        std::size_t domain) const;

  ProfilesPlan plan_;
  Vocabulary vocabulary_;
  std::string prompt_;
  llm::Model* model_ = nullptr;
  std::int64_t tasks_ = 0;
  std::int64_t multi_tasks_ = 0;
  std::int64_t written_ = 0;
  std::int64_t kept_ = 0;
};

}  // namespace personascope::eval::personalens
