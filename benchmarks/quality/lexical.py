#!/usr/bin/env python3
"""Rank judged sets by words alone: the analyser and BM25, by brute force.

`PYTHONPATH=src python benchmarks/quality/lexical.py FOLDER [SET …]` prints nDCG@10 and recall@10 of
each set (a folder with corpus.jsonl, queries.jsonl and qrels.tsv). Documents are cut into pieces of
at most 1,000 characters; a document is as good as its best piece. Metrics as in trec_eval, with
linear gain; a query whose answers are all missing from the run counts as 0.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from math import log2
from typing import Any

from holdfact.text.bm25 import idf, term_score, weigh
from holdfact.text.tokenizer import Analyzer, detect_language

PIECE_CHARS = 1_000
DEPTH = 10


def read_lines(path: str) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def read_judgements(path: str) -> dict[str, dict[str, float]]:
    """Grades above 0 by query and document."""
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        for line in file:
            query, document, grade = line.rstrip("\n").split("\t")
            if query != "query-id" and float(grade) > 0:
                grades[query][document] = float(grade)
    return grades


def pieces(text: str) -> list[str]:
    """`text` in pieces of at most PIECE_CHARS, cut after lines or spaces."""
    found = []
    while len(text) > PIECE_CHARS:
        cut = max(text.rfind("\n", 500, PIECE_CHARS), 0) or text.rfind(" ", 500, PIECE_CHARS)
        cut = cut + 1 if cut > 0 else PIECE_CHARS
        found.append(text[:cut])
        text = text[cut:]
    return [*found, text]


class Ranker:
    """All pieces of a corpus, by term."""

    def __init__(self, corpus: list[dict[str, Any]]) -> None:
        self.analyzer = Analyzer()
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.owners: list[str] = []
        self.scopes: list[str] = []
        self.lengths: list[int] = []
        languages = set()
        for document in corpus:
            language = detect_language(document["title"] + "\n" + document["text"])
            languages.add(language)
            title = self.analyzer.counts(document["title"], language)
            bodies = [self.analyzer.counts(one, language) for one in pieces(document["text"])]
            for body in bodies:
                counts = weigh(body, [title])
                for term, count in counts.items():
                    self.postings[term].append((len(self.owners), count))
                self.owners.append(document["_id"])
                self.scopes.append(document.get("scope", ""))
                self.lengths.append(sum(counts.values()))
        self.languages = sorted(languages)

    def search(self, query: str, scope: str) -> list[str]:
        """The ids of the best documents for `query`."""
        average = sum(self.lengths) / len(self.lengths)
        scores: dict[int, float] = defaultdict(float)
        for variants in self.analyzer.query_variants(query, self.languages):
            holders = [hit for term in variants for hit in self.postings.get(term, ())]
            weight = idf(len(self.owners), min(len(holders), len(self.owners)))
            for piece, count in holders:
                scores[piece] += term_score(weight, count, self.lengths[piece], average)
        ordered = sorted(scores, key=lambda piece: (-scores[piece], piece))
        allowed = {scope, "universal", ""}
        kept = (self.owners[p] for p in ordered if not scope or self.scopes[p] in allowed)
        return list(dict.fromkeys(kept))[:DEPTH]


def measure(folder: str) -> tuple[float, float]:
    """nDCG@10 and recall@10 of the set in `folder`."""
    grades = read_judgements(os.path.join(folder, "qrels.tsv"))
    ranker = Ranker(read_lines(os.path.join(folder, "corpus.jsonl")))
    ndcg = recall = 0.0
    for query in read_lines(os.path.join(folder, "queries.jsonl")):
        wanted = grades.get(query["_id"])
        if not wanted:
            continue
        found = ranker.search(query["text"], query.get("scope", ""))
        best = sorted(wanted.values(), reverse=True)[:DEPTH]
        ideal = sum(grade / log2(rank + 2) for rank, grade in enumerate(best))
        gained = sum(wanted.get(id_, 0.0) / log2(rank + 2) for rank, id_ in enumerate(found))
        ndcg += gained / ideal
        recall += sum(id_ in wanted for id_ in found) / len(wanted)
    return ndcg / len(grades), recall / len(grades)


def main() -> None:
    """Print one row a set."""
    root, *names = sys.argv[1:]
    for name in names or sorted(os.listdir(root)):
        folder = os.path.join(root, name)
        if os.path.exists(os.path.join(folder, "qrels.tsv")):
            ndcg, recall = measure(folder)
            print(f"{name}\t{ndcg:.3f}\t{recall:.3f}", flush=True)


if __name__ == "__main__":
    main()
