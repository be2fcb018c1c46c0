#include "eval/personalens/summary_writer.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "eval/personalens/sentence_filler.hpp"

namespace personascope::eval::personalens {
namespace {

// How often a part stands in a summary, in percent. Kept low where there are few sentences, so
// that no sentence is in many summaries.
constexpr std::uint64_t kOpening = 55;
constexpr std::uint64_t kGeneralHabit = 75;
constexpr std::uint64_t kComplaint = 45;
constexpr std::uint64_t kException = 40;
constexpr std::uint64_t kClosing = 55;

// No attribute is spoken of twice in a summary, and no sentence is used twice.
class SummaryWriter {
 public:
  SummaryWriter(const Vocabulary& vocabulary, const Domain& domain, const Attributes& likes,
                Random& random)
      : vocabulary_(vocabulary),
        domain_(domain),
        likes_(likes),
        random_(random),
        filler_(domain, likes, random, [this](std::size_t i) { return paraphrase(i); }) {}

  std::string write() {
    add(kOpening, "opening", vocabulary_.sentences);
    add(100, "habit", domain_.sentences);
    add(100, "", domain_.sentences);
    add(kGeneralHabit, "habit", vocabulary_.sentences);
    add(kComplaint, "complaint", vocabulary_.sentences);
    add(kException, "exception", vocabulary_.sentences);
    add(kClosing, "closing", vocabulary_.sentences);
    return join(written_, " ");
  }

 private:
  // A sentence of that role (empty: of any but an opening), if the attributes left allow one.
  void add(std::uint64_t percent, std::string_view role, const std::vector<Sentence>& sentences) {
    if (random_.below(100) >= percent) return;
    std::vector<const Sentence*> candidates;
    for (const Sentence& sentence : sentences)
      if (role.empty() ? sentence.role != "opening" : sentence.role == role)
        candidates.push_back(&sentence);
    while (!candidates.empty()) {
      const auto at = static_cast<std::ptrdiff_t>(random_.below(candidates.size()));
      const Sentence* sentence = candidates[static_cast<std::size_t>(at)];
      candidates.erase(candidates.begin() + at);
      if (std::ranges::find(used_, sentence) != used_.end()) continue;
      std::string text = &sentences == &domain_.sentences ? filler_.fill_own(sentence->text)
                                                          : filler_.fill_general(sentence->text);
      if (text.empty()) continue;
      used_.push_back(sentence);
      written_.push_back(std::move(text));
      return;
    }
  }

  std::string paraphrase(std::size_t i) const {
    const AffinityChoice& choice = domain_.affinities[i];
    std::vector<std::string> texts;
    for (const std::string& value : likes_[i].values) {
      const auto at = std::ranges::find(choice.values, value) - choice.values.begin();
      texts.push_back(choice.paraphrases[static_cast<std::size_t>(at)]);
    }
    return join_spoken(texts);
  }

  const Vocabulary& vocabulary_;
  const Domain& domain_;
  const Attributes& likes_;
  Random& random_;
  SentenceFiller filler_;
  std::vector<std::string> written_;
  std::vector<const Sentence*> used_;
};

}  // namespace

std::string write_summary(const Vocabulary& vocabulary, const Domain& domain,
                          const Attributes& likes, Random& random) {
  return SummaryWriter(vocabulary, domain, likes, random).write();
}

}  // namespace personascope::eval::personalens
