"""What the embedded model is measured with: judgements, dialogues and interviews, in our own words."""

import json
import pathlib

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
ANSWER_TOKENS = 96
LABELS = ["1", "2", "3", "4", "5"]
SCORE = {
    "type": "json_schema",
    "json_schema": {
        "name": "score",
        "schema": {
            "type": "object",
            "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 5}},
            "required": ["score"],
            "additionalProperties": False,
        },
    },
}

# About 400 tokens.
RUBRIC = """\
You judge how well an answer fits the person who is supposed to give it. You will read who the
person is, what the person was asked, and what was answered. Judge the answer alone: not how
pleasant it is, not how long it is, and not whether you would agree with it.

Look at four things. First, the facts: does the answer hold anything that this person could not
know, has never done, or has said otherwise elsewhere? A single plain contradiction weighs more than
many small matches. Second, the voice: are the words, the length of the sentences and the habits of
speech those of this person, in this place, at this age? Words that are merely put on, such as a
greeting in another language before an answer that anybody might give, do not count. Third, the
aims: does the answer want what this person wants, fear what this person fears, and leave alone what
this person does not care about? Fourth, the moment: does it meet what was asked, as this person
would meet it, or does it fall back to advice in general, to lists, to an assistant's politeness?

Then give one score.
1: somebody else is speaking, or the answer contradicts the person in a plain way.
2: there are traces of the person, but most of it could be said by anybody.
3: the person can be made out, though something important is missing or does not fit.
4: the person is clearly there, with a small slip in the facts, the voice or the aims.
5: nobody else could have said it, and nothing in it is out of place.

If you waver between two scores, take the lower one. Do not explain yourself.
"""

TURNS = [
    "I have a free weekend and no plan. Describe in detail how you would spend it in my place.",
    "That sounds good, but it may well rain all day. Tell me at length what changes then.",
    "My sister wants to come along with two small children. Go through the whole day again for us.",
    "We have little money this month. Explain step by step where we could save, and on what not.",
    "Now write a long message to my sister that tells her all of it, as I would write it.",
    "And what could still go wrong? Name everything that comes to your mind, and how to meet it.",
]


def load_lines(name):
    with open(DATA / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def load_personas():
    return [line["persona"] for line in load_lines("gym/personas.jsonl")]


def make_judgements(count, **form):
    """One score each, after a rubric that all share and about 110 tokens of their own."""
    personas = load_personas()
    questions = [line["question"] for line in load_lines("gym/questions.jsonl")]
    lines = []
    for index in range(count):
        persona = " ".join(personas[index].split()[:30])
        question = " ".join(questions[index * 7].split()[:24])
        answer = ("I would take my time over it, and ask the people who were there before me. "
                  f"After {index + 3} years I know that much.")
        lines.append({
            "messages": [{"role": "system", "content": RUBRIC}],
            "users": [f"The person: {persona}\n\nAsked: {question}\n\nAnswered: {answer}\n\nScore:"],
            "temperature": 0,
            "max_tokens": 40,  # llama-server's grammar lets a model write blanks for a while
            **form,
        })
    return lines


def make_dialogues(count, turns):
    """A user and an assistant who knows the user's profile, turn by turn."""
    return [{
        "messages": [{"role": "system", "content":
                      "You help one user plan the days. Always answer in several long sentences. "
                      f"What you know of the user: {persona}"}],
        "users": TURNS[:turns],
        "temperature": 0,
        "max_tokens": ANSWER_TOKENS,
    } for persona in load_personas()[:count]]


def make_interviews(personas, questions):
    """Some personas, each asked many things apart from one another."""
    asked = [line["question"] for line in load_lines("gym/questions.jsonl")]
    lines = []
    for index in range(questions):
        persona = load_personas()[20 + index % personas]
        lines.append({
            "messages": [{"role": "system", "content":
                          "You are the person described here, and nobody else. Stay in character "
                          "whatever you are asked. Speak as this person speaks, of what this person "
                          "knows, and never say that you are a model or an assistant. Answer every "
                          "question at length and in the first person, with details of your life, "
                          "and do not end before you have told the whole story. If you do not know "
                          "something, say so as this person would say it. The person: " + persona}],
            "users": [asked[index * 11 % len(asked)]],
            "temperature": 0,
            "max_tokens": ANSWER_TOKENS,
        })
    return lines
