#include "cli/completion.hpp"

#include <gtest/gtest.h>

#include "cli/help.hpp"
#include "cli/man_page.hpp"

namespace personascope::cli {
namespace {

CommandNode make_sample() {
  CLI::App program{"Measures things."};
  program.name("personascope");
  program.formatter(std::make_shared<HelpText>());
  std::string text;
  CLI::App* gym = program.add_subcommand("gym", "A group")->group("Commands");
  CLI::App* run = gym->add_subcommand("run", "Run it: it's a test")->group("Commands");
  run->footer("Examples:\n  personascope gym run \\\n  .dot");
  run->add_option("ANSWERS", text, "a file")->required();
  run->add_option("-m,--model", text, "who's answering")->type_name("MODEL");
  run->add_option("--protocol", text, "which")->check(CLI::IsMember({"strict", "reference"}));
  run->add_option("--folder", text, "where")->type_name("DIR");
  run->add_option("--secret-flag", text, "hidden")->group("");
  bool fresh = false;
  run->add_flag("--fresh", fresh, "again…")->group("How calls are made");
  return make_command_tree(program);
}

const FlagNode& find_flag(const CommandNode& node, const std::string& name) {
  for (const FlagNode& flag : node.flags)
    if (flag.names.back() == name) return flag;
  ADD_FAILURE() << name;
  return node.flags.front();
}

TEST(CommandTree, HasCommandsFlagsAndWhatTheyTake) {
  const CommandNode program = make_sample();
  ASSERT_EQ(list_nodes(program).size(), 3u);
  const CommandNode& run = program.children.at(0).children.at(0);
  EXPECT_EQ(run.path, "gym run");
  EXPECT_EQ(find_flag(run, "--model").kind, ValueKind::Model);
  EXPECT_EQ(find_flag(run, "--protocol").choices,
            (std::vector<std::string>{"strict", "reference"}));
  EXPECT_EQ(find_flag(run, "--folder").kind, ValueKind::Folder);
  EXPECT_EQ(find_flag(run, "--fresh").kind, ValueKind::None);
  ASSERT_EQ(run.arguments.size(), 1u);
  EXPECT_EQ(run.arguments[0].kind, ValueKind::File);
  for (const FlagNode& flag : run.flags) EXPECT_NE(flag.names.back(), "--secret-flag");
}

TEST(Completion, OffersCommandsFlagsAndChoicesInEveryShell) {
  const CommandNode program = make_sample();
  const std::string bash = render_bash_completion(program, {"embedded/tiny"});
  EXPECT_NE(bash.find("'gym run:--protocol') _personascope_words 'strict reference'; return"),
            std::string::npos)
      << bash;
  EXPECT_NE(bash.find("'gym run:-m'|'gym run:--model') _personascope_words 'embedded/tiny'"),
            std::string::npos);
  const std::string zsh = render_zsh_completion(program, {});
  EXPECT_NE(zsh.find("'run:Run it: it'\\''s a test'"), std::string::npos) << zsh;
  const std::string fish = render_fish_completion(program, {});
  EXPECT_NE(fish.find("-a run -d 'Run it: it\\'s a test'"), std::string::npos) << fish;
  EXPECT_NE(fish.find("-s m -l model"), std::string::npos);
  for (const std::string* script : {&bash, &zsh, &fish})
    EXPECT_EQ(script->find("secret-flag"), std::string::npos);
}

TEST(ManPage, EscapesWhatRoffWouldTakeForItsOwn) {
  EXPECT_EQ(escape_roff(".dot"), "\\&.dot");
  EXPECT_EQ(escape_roff("a\\b-c"), "a\\eb\\-c");
  EXPECT_EQ(escape_roff("…"), "\\[u2026]");
  EXPECT_EQ(escape_roff("say \"x\""), "say \\(dqx\\(dq");
}

TEST(ManPage, ExplainsEveryCommandAndGathersWhatIsShared) {
  const std::string page = render_man_page(make_sample(), "1.2.3");
  EXPECT_NE(page.find(".SS \"personascope gym run\"\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\\fB\\-m\\fR, \\fB\\-\\-model\\fR \\fIMODEL\\fR\nwho's answering"),
            std::string::npos);
  const std::size_t shared = page.find(".SH HOW CALLS ARE MADE");
  ASSERT_NE(shared, std::string::npos);
  EXPECT_GT(page.find("\\-\\-fresh"), shared);
  EXPECT_EQ(page.find("\n.dot"), std::string::npos);
}

}  // namespace
}  // namespace personascope::cli
