#include "eval/personalens/import_pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr const char* kStrayProfile =
    R"({"demographics": {"user_id": "user874", "age": "30"}, "affinities": {"Zoo": {"animal": "ape"}},
        "interests": {"Zoo": 1, "Buses**": 0}, "interactions": {"Zoo": "Often."}})";
constexpr const char* kStrayTask =
    R"({"task_id": "SD-Zoo-task-1", "User Intent": "Go.", "Task Goal": "Gone.",
        "Relevant Domains": ["Zoo"], "situations": {"Place": "bed"}})";

// A few files of a copy of the published repository, in our own words.
class PersonaLensImport : public testing::Test {
 protected:
  PersonaLensImport() {
    folder_.write("data/profile/user874/profile.json", kStrayProfile);
    folder_.write("data/profile/user874/tasks.json", fmt::format("{{\"Task 1\": {}}}", kStrayTask));
    folder_.write("data/profile/user874/tasks_md.json", "{}");
    folder_.write(
        "src/generate_dialogue.py",
        "class C:\n  def __init__(self, system_prompt=\"\"):\n"
        "    self.system_prompt = system_prompt\n"
        "class U:\n  def __init__(self):\n"
        "    self.system_prompt = \"\"\"Be {brief}.\n\"\"\"\n"
        "    self.task_prompt = '{task_description} {demographic_profile} '\\\n"
        "      '{user_affinity}{interaction_summary}{situation_context} {message_history}'\n");
    folder_.write("util/evaluation_prompts.py",
                  "EVAL_DIALOGUE_TASK_COMPLETION = 'Was {goal} {reached}?'\n"
                  "EVAL_DIALOGUE_COHERENCE_USER = 3\n");
  }
  ImportedLensPack import() { return import_pack(folder_.path(""), "mine").value(); }

  files::TemporaryFolder folder_;
};

TEST_F(PersonaLensImport, UsersStayWhereTheyAreAndPromptsAreRead) {
  const ImportedLensPack pack = import();
  EXPECT_EQ((std::vector{pack.users, pack.tasks, pack.multi_tasks, pack.prompts}),
            (std::vector<std::size_t>{1, 1, 0, 2}));
  EXPECT_EQ(pack.files.at("reference/user-system.txt"), "Be {brief}.\n");
  EXPECT_TRUE(pack.files.at("reference/user.txt").starts_with("{task_description} {demo"));
  EXPECT_EQ(join(pack.odd, "\n"), "user874 has an interest in a domain called \"Buses**\"");
  EXPECT_EQ(pack.missing.size(), 28u);
  const auto says = [&](std::string_view sentence) {
    return std::ranges::find(pack.missing, sentence) != pack.missing.end();
  };
  EXPECT_TRUE(
      says("prompt user-first: src/generate_dialogue.py: no "
           "self.task_prompt_initial_query that can be read; ours is used"));
  EXPECT_TRUE(says(
      "prompt judge-task-completion: util/evaluation_prompts.py, "
      "EVAL_DIALOGUE_TASK_COMPLETION: {reached} is not one of its placeholders; ours is used"));
  EXPECT_TRUE(
      says("prompt judge-coherence-user: util/evaluation_prompts.py, line 2: "
           "EVAL_DIALOGUE_COHERENCE_USER is not text; ours is used"));
  EXPECT_TRUE(says("prompt user-multi: src/generate_dialogue_md.py: does not exist; ours is used"));
}

TEST_F(PersonaLensImport, ThePackSaysWhereItsUsersAre) {
  files::TemporaryFolder pack;
  pack.write("pack.yaml", import().files.at("pack.yaml"));
  EXPECT_EQ(find_pack_users(pack.path("")).value(), folder_.path(""));
  pack.write("pack.yaml", "name: other\n");
  EXPECT_TRUE(find_pack_users(pack.path("")).error().message.find("does not say where") !=
              std::string::npos);
}

TEST_F(PersonaLensImport, WhatIsWrongInAUsersFilesIsNamedAndNotFatal) {
  folder_.write("data/profile/user874/tasks_md.json", R"({"Task 1": {"task_id": 3}})");
  folder_.write("data/profile/user875/profile.json", "{");
  const ImportedLensPack pack = import();
  EXPECT_EQ(pack.users, 2u);
  EXPECT_TRUE(pack.missing[0].ends_with("tasks_md.json, Task 1: \"task_id\" must be a text"));
  EXPECT_NE(pack.missing[1].find("user875/profile.json"), std::string::npos);
}

TEST_F(PersonaLensImport, AFolderWithoutUsersIsNoCopy) {
  EXPECT_EQ(import_pack(folder_.path("") + "/src", "x").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(import_pack(folder_.path("") + "/nowhere", "x").error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace personascope::eval::personalens
