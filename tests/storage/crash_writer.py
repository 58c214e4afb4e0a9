"""The child of crash tests: commits numbered batches and tells each acknowledged number, until it is killed.

    python -m tests.storage.crash_writer DIRECTORY FIRST SEED
"""
import random
import sys

import numpy as np

from caldera.storage.database import Database
from tests.storage.databases import create, rows, table_of


def batch_rows(number):
    """How many rows batch `number` has: mostly few, sometimes enough for a part of its own."""
    return 70_000 if number % 5 == 4 else 1 + number % 7


def main(directory, first, seed):
    """Commit batches first, first + 1, ... for ever."""
    chooser = random.Random(seed)
    database = Database(directory)
    if first == 0:
        create(database, order_by="t")
    table, number = table_of(database), first
    print("open", flush=True)
    while True:
        transaction = database.begin()
        table.append(transaction, rows(np.full(batch_rows(number), number)))
        transaction.commit()
        print(number, flush=True)
        number += 1
        if chooser.random() < 0.1:
            table.merge_all()
        if chooser.random() < 0.1:
            database.checkpoint()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
