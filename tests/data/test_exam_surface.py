"""Nobody passes the exam of data/exam by looks: length, punctuation and words shared with the context are at chance."""

import copy
import itertools
import math

import pytest
from exam_items import FEATURES, PAIRS, PERSONAS, load_items, overlap, shared_words

# A share of n items is at chance if it lies within its 99 % interval around chance.
WIDTH = 2.58


def chance_limit(chance, count):
    return WIDTH * math.sqrt(chance * (1 - chance) / count)


def prefer(rows, measure):
    """The share of pairs in which the better answer has more of it; a tie is half a hit."""
    hits = 0
    for row in rows:
        better, worse = (measure(row["answers"][place], row) for place in (row["gold"], 1 - row["gold"]))
        hits += 1 if better > worse else 0.5 if better == worse else 0
    return hits / len(rows)


def name_speaker(rows, measure):
    """The share of answers whose speaker has the highest measure of the four; ties are shared out."""
    hits = 0
    for row in rows:
        scores = [measure(row["answer"], PERSONAS[persona]) for persona in row["personas"]]
        best = [place for place, score in enumerate(scores) if score == max(scores)]
        hits += (row["gold"] in best) / len(best)
    return hits / len(rows)


def mean_tau(rows, measure):
    total = 0
    for row in rows:
        values = [measure(text, row) for text in row["answers"]]
        for (left, first), (right, second) in itertools.combinations(zip(row["gold"], values), 2):
            total += math.copysign(1, left - right) * ((first > second) - (first < second))
    return total / (10 * len(rows))


def learn(samples, rounds=200, rate=0.1, decay=0.01):
    """Weights of a logistic regression without a constant: (differences, 1 if the first is better)."""
    weights = [0.0] * len(samples[0][0])
    for _ in range(rounds):
        slope = [0.0] * len(weights)
        for values, label in samples:
            guess = 1 / (1 + math.exp(-sum(weight * value for weight, value in zip(weights, values))))
            slope = [total + (label - guess) * value for total, value in zip(slope, values)]
        weights = [weight + rate * (step / len(samples) - decay * weight) for weight, step in zip(weights, slope)]
    return weights


def score_learner(rows, folds=10):
    """The accuracy, on pairs that it has not seen, of a model that weighs all features at once."""
    samples = [([measure(row["answers"][0], row) - measure(row["answers"][1], row) for measure in FEATURES.values()],
                1 - row["gold"]) for row in rows]
    spread = [math.sqrt(sum(values[i] ** 2 for values, _ in samples) / len(samples)) or 1 for i in range(len(FEATURES))]
    samples = [([value / width for value, width in zip(values, spread)], label) for values, label in samples]
    hits = 0
    for fold in range(folds):
        weights = learn([sample for i, sample in enumerate(samples) if i % folds != fold])
        for values, label in samples[fold::folds]:
            hits += (sum(weight * value for weight, value in zip(weights, values)) > 0) == (label == 1)
    return hits / len(samples)


@pytest.fixture(scope="module")
def items():
    return load_items()


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_alone_does_not_tell_the_better_answer(items, name, feature):
    share = prefer(items[name], FEATURES[feature])
    assert abs(share - 0.5) <= chance_limit(0.5, len(items[name])), f"{share:.0%} of {len(items[name])}"


def test_all_features_together_do_not_tell_the_better_answer(items):
    rows = [row for name in PAIRS for row in items[name]]
    assert score_learner(rows) <= 0.5 + chance_limit(0.5, len(rows))


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_alone_does_not_order_the_ladders(items, feature):
    rows = items["ladders"]
    deviation = math.sqrt(2 * (2 * 5 + 5) / (9 * 5 * 4))  # of tau, over all orders of five
    assert abs(mean_tau(rows, FEATURES[feature])) <= WIDTH * deviation / math.sqrt(len(rows))


@pytest.mark.parametrize("measure", [overlap, shared_words, lambda answer, persona: len(persona),
                                     lambda answer, persona: -abs(len(persona) - len(answer))])
def test_words_and_lengths_do_not_tell_the_speaker(items, measure):
    rows = items["who-speaks"]
    assert abs(name_speaker(rows, measure) - 0.25) <= chance_limit(0.25, len(rows))


def test_without_the_answer_the_speaker_is_at_chance(items):
    """The control without a persona's answer: whatever rule picks one of the four by their texts and the question
    is right once in four, because the four of a question are each right once."""
    rows = items["who-speaks"]
    for rule in (len, lambda text: text.count(","), lambda text: text, lambda text: text[::-1], lambda text: -len(text)):
        picks = [max(range(4), key=lambda place: rule(PERSONAS[row["personas"][place]])) for row in rows]
        assert sum(pick == row["gold"] for pick, row in zip(picks, rows)) == len(rows) / 4


@pytest.mark.parametrize("place", range(4))
def test_a_fixed_place_is_at_chance(items, place):
    rows = items["who-speaks"]
    assert sum(row["gold"] == place for row in rows) == len(rows) / 4


def test_the_baselines_find_a_planted_cue(items):
    rows = copy.deepcopy(items["gym-pairs"])
    for row in rows:
        row["answers"][row["gold"]] += " And that is all that there is to say of it."
    assert prefer(rows, FEATURES["words"]) > 0.9 and score_learner(rows) > 0.9
    ladders = copy.deepcopy(items["ladders"])
    for row in ladders:
        row["answers"] = [text + " so" * 20 * rank for text, rank in zip(row["answers"], row["gold"])]
    assert mean_tau(ladders, FEATURES["words"]) > 0.5
    speakers = copy.deepcopy(items["who-speaks"])
    for row in speakers:
        row["answer"] += " " + PERSONAS[row["personas"][row["gold"]]]
    assert name_speaker(speakers, overlap) > 0.9
