"""The plain Python way to gather ratings: list, open, search, count. Prints count and mean."""

import os
import re
import sys

values, by_domain = [], {}
tree, assistant, dimension, judge = sys.argv[1:]
for user in os.listdir(tree):
    folder = os.path.join(tree, user, assistant, dimension, judge)
    for name in os.listdir(folder):
        with open(os.path.join(folder, name)) as file:
            found = re.search(r"Personalization Score: (\d+)", file.read())
        if found:
            values.append(int(found[1]))
            by_domain.setdefault(name.split("-")[1], []).append(int(found[1]))
print(len(values), sum(values) / len(values))
