#!/usr/bin/env python3
"""Writes examples/visits.csv: made-up visits of a shop, of nobody. Always the same bytes.

    python3 examples/visits.py > examples/visits.csv
"""
import math
import random

VISITS, VISITORS = 6000, 2500
DEVICES = ["phone", "laptop", "tablet"]

draw = random.Random(1)
device = [DEVICES[int(draw.random() * 3)] for _ in range(VISITORS)]
print("visitor,pages,minutes,device,returning,bought")
seen = set()
for _ in range(VISITS):
    visitor = int(draw.random() * VISITORS)
    pages = 1 + int(-6 * math.log(1 - draw.random()))
    minutes = round(pages * (0.5 + 2 * draw.random()), 1)
    returning = visitor in seen
    seen.add(visitor)
    odds = -3.6 + 0.25 * min(pages, 15) + 1.2 * returning
    odds += {"phone": -0.6, "laptop": 0.9, "tablet": 0.2}[device[visitor]]
    odds -= 0.02 * (minutes - 15) ** 2 / 15
    bought = draw.random() < 1 / (1 + math.exp(-odds))
    print(f"v{visitor:04d},{pages},{minutes},{device[visitor]},{'yes' if returning else 'no'},"
          f"{'yes' if bought else 'no'}")
