"""Rows of files, read while the query runs: only what workers are busy with is in memory.

    Lane     what has to be read in order: some row groups, a CSV file          read by one worker at a time
      └─▶ Piece    up to PIECE_ROWS rows with the wanted columns                 given to one worker, freed after use

    RowStream.take(worker) ─▶ the next piece of the worker's lane ─▶ of a lane that nobody reads yet ─▶ of another's lane

Workers read for themselves, as the library below lets go of the interpreter's lock; nothing is read ahead, so memory is
bounded by a piece for each worker. With one worker the pieces come in the order of the rows.
"""
import collections
import threading
from dataclasses import dataclass

from caldera.base.errors import error
from caldera.storage import arrays
from caldera.storage.external.files import fingerprint
from caldera.storage.external.relation import ReadOnlyRelation

PIECE_ROWS, PIECE_BYTES = 1 << 17, 16 << 20
PLACE_BITS = 32                 # of a piece's place: its number in its lane
WAIT_S = 0.02                   # between looks whether the query has been stopped


@dataclass
class Piece:
    """Some rows. columns: {name: ColumnData}. size: bytes of memory. place: a number that tells which piece of a stream
    comes before another."""
    row_count: int
    columns: dict
    size: int
    place: int = 0


class Lane:
    """pieces: a generator of what `convert` makes Pieces of. granules: how many row groups, or whatever is left out as a
    whole, it covers."""

    def __init__(self, pieces, convert, granules=1):
        self.pieces, self.convert, self.granules = pieces, convert, granules
        self.lock, self.opened, self.ended = threading.Lock(), False, False
        self.next_place = 0


class RowStream:
    """lanes: in the order of the rows. nullable: {name: whether it may be NULL}. row_count: as far as it is known; estimated
    otherwise. piece_count: about how many pieces there are. granule: what is left out as a whole, in words;
    granules_total: how many of them there are, with those left out."""

    def __init__(self, lanes, nullable, row_count, piece_count, granule, granules_total):
        self.waiting, self.active, self.lock = collections.deque(lanes), [], threading.Lock()
        for number, lane in enumerate(self.waiting):
            lane.next_place = number << PLACE_BITS
        self.nullable, self.row_count, self.piece_count = nullable, row_count, piece_count
        self.granule, self.granules_total, self.granules_read, self.rows_read = granule, granules_total, 0, 0
        self.current = {}               # by worker: its Lane

    def take(self, worker=0, must_stop=lambda: False):
        """The next Piece for a worker; None if there is none, or the run is to stop."""
        while (lane := self.lane_of(worker)) is not None:
            while not lane.lock.acquire(timeout=WAIT_S):
                if must_stop():
                    return None
            try:
                raw = None if lane.ended else next(lane.pieces, None)
                lane.ended = raw is None
                place, lane.next_place = lane.next_place, lane.next_place + 1
            finally:
                lane.lock.release()
            if raw is not None:
                piece = lane.convert(raw)
                piece.place = place
                with self.lock:
                    self.rows_read += piece.row_count
                return piece
        return None

    def lane_of(self, worker):
        """The lane that a worker shall read from: its own, a new one, one of the others' in turn; None at the end."""
        lane = self.current.get(worker)
        if lane is not None and not lane.ended:
            return lane
        with self.lock:
            self.active = [other for other in self.active if not other.ended]
            if self.waiting:
                lane = self.waiting.popleft()
                self.active.append(lane)
                self.granules_read += lane.granules
            else:
                lane = self.active[worker % len(self.active)] if self.active else None
            self.current[worker] = lane
            return lane

    def pieces(self):
        """All Pieces, in order."""
        while (piece := self.take()) is not None:
            yield piece

    def close(self):
        """Let go of the files. No worker takes pieces any more."""
        for lane in self.active:
            lane.pieces.close()
        self.waiting.clear()
        self.active, self.current = [], {}


def piece_of(row_count, columns):
    """The Piece of {name: ColumnData}."""
    return Piece(row_count, columns, sum(map(arrays.byte_count, columns.values())))


class StreamedRelation(ReadOnlyRelation):
    """Base of relations over files. Subclasses have `prints`, {path: fingerprint when it was planned}, and `stream`."""
    is_streamed = True

    def check(self, path):
        """Raise 58P01 if a file is gone since the query was planned, 58030 if it has changed."""
        if fingerprint(path) != self.prints[path]:
            raise error("58030", f'file "{path}" has changed since the query was planned', hint="Run the query again.")
