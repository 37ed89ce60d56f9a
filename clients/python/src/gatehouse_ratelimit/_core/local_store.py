from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from .cells import Cell, Leases, new_cell
from .denial_cache import LocalDenial
from .local_charges import LocalCharge
from .rules import Kind, Rule

MAX_BUCKETS = 65_536
_SWEEP_PER_CHARGE = 2
"""Old buckets that each new one may remove, if they are empty."""
_EVICTION_CANDIDATES = 16


class LocalStore:
    """Buckets in this process's memory. An empty bucket is the same as none.

    A full store evicts a bucket for each new one: of 16 old ones, that which is empty soonest. A rule keeps the highest
    level that was evicted, and its new buckets start there. So nobody is ever admitted beyond a limit.
    """

    def __init__(self, max_buckets: int = MAX_BUCKETS) -> None:
        self._max_buckets = max_buckets
        self._cells: OrderedDict[tuple[str, Kind, str], tuple[Rule, Cell]] = OrderedDict()
        self._evicted: dict[tuple[str, Kind], Cell] = {}

    def __len__(self) -> int:
        return len(self._cells)

    def decide(self, charges: Sequence[LocalCharge], now_us: int) -> LocalDenial | None:
        """Charges all of the set, or returns the denial with the longest wait and charges none."""
        denial: LocalDenial | None = None
        cells = [self._cell_of(charge, now_us) for charge in charges]
        for charge, cell in zip(charges, cells, strict=True):
            wait_us = cell.wait(charge, now_us)
            if wait_us > (0 if denial is None else denial.retry_after_us):
                denial = LocalDenial(charge.rule, wait_us, cell.empty_after(charge.rule, now_us))
        if denial is not None:
            return denial
        for charge, cell in zip(charges, cells, strict=True):
            if charge.cost != 0:
                cell.take(charge, now_us)
                self._keep(charge, cell, now_us)
        return None

    def denials(self, charges: Sequence[LocalCharge], now_us: int) -> Iterable[LocalDenial]:
        """The denials of these charges. Charges nothing."""
        for charge in charges:
            cell = self._cell_of(charge, now_us)
            wait_us = cell.wait(charge, now_us)
            if wait_us > 0:
                yield LocalDenial(charge.rule, wait_us, cell.empty_after(charge.rule, now_us))

    def release(self, charge: LocalCharge) -> None:
        """Releases leases."""
        _, cell = self._cells.get(_name_of(charge), (None, None))
        if isinstance(cell, Leases):
            for lease_id, _ in charge.leases:
                cell.release(lease_id)

    def keep_only(self, names: set[str]) -> None:
        """Removes the buckets of all other rules."""
        for cell_name in [name for name in self._cells if name[0] not in names]:
            del self._cells[cell_name]
        for rule_name in [name for name in self._evicted if name[0] not in names]:
            del self._evicted[rule_name]

    def _cell_of(self, charge: LocalCharge, now_us: int) -> Cell:
        _, cell = self._cells.get(_name_of(charge), (None, None))
        if cell is not None:
            return cell
        new = new_cell(charge.rule.kind)
        evicted = self._evicted.get((charge.rule.name, charge.rule.kind))
        if evicted is not None:
            new.raise_to(evicted, charge.rule, now_us)
        return new

    def _keep(self, charge: LocalCharge, cell: Cell, now_us: int) -> None:
        name = _name_of(charge)
        if name not in self._cells:
            self._sweep(now_us)
            if len(self._cells) >= self._max_buckets:
                self._evict(now_us)
        self._cells[name] = (charge.rule, cell)
        self._cells.move_to_end(name)

    def _sweep(self, now_us: int) -> None:
        for _ in range(min(_SWEEP_PER_CHARGE, len(self._cells))):
            name, (rule, cell) = self._cells.popitem(last=False)
            if cell.empty_after(rule, now_us) > 0:
                self._cells[name] = (rule, cell)

    def _evict(self, now_us: int) -> None:
        candidates = [self._cells.popitem(last=False) for _ in range(min(_EVICTION_CANDIDATES, len(self._cells)))]
        candidates.sort(key=lambda item: item[1][1].empty_after(item[1][0], now_us), reverse=True)
        name, (rule, cell) = candidates.pop()
        self._cells.update(candidates)
        floor = self._evicted.setdefault(name[:2], new_cell(rule.kind))
        floor.raise_to(cell, rule, now_us)


def _name_of(charge: LocalCharge) -> tuple[str, Kind, str]:
    return (charge.rule.name, charge.rule.kind, charge.key)
