import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCursor, seenOf, writeCursor } from '../../src/event-log/cursor.ts';
import { isAtLeast, isVisibleIn, requireSnapshot } from '../../src/event-log/snapshot.ts';

const CURSORS = ['1/5:5:', '1/5:9:5,7', '1/5:9:5,7/7:9:/0', '1/5:9:/5:9:/9223372036854775807'];

test.each(CURSORS)('the cursor %s is parsed as it was written', (cursor) => {
  expect(writeCursor(readCursor(cursor))).toBe(cursor);
});

test("a reader has certainly received the events of its cursor's first snapshot", () => {
  expect(CURSORS.map((cursor) => seenOf(cursor).text)).toEqual(['5:5:', '5:9:5,7', '5:9:5,7', '5:9:']);
});

test.each([
  ['5:5:', '5:5:', true],
  ['5:6:', '5:5:', true],
  ['5:5:', '5:6:5', false],
  ['5:9:5,7', '5:9:5', false],
  ['5:9:7', '5:9:5,7', true],
  ['18446744073709551614:18446744073709551615:', '5:9:', true],
])('the snapshot %s is not before %s: %s', (one, other, answer) => {
  expect(isAtLeast(requireSnapshot(one), requireSnapshot(other))).toBe(answer);
});

test.each([
  ['4', true],
  ['5', false],
  ['6', true],
  ['7', false],
  ['8', true],
  ['9', false],
  ['18446744073709551615', false],
])('whether the snapshot 5:9:5,7 shows the transaction %s: %s', (xact_id, answer) => {
  expect(isVisibleIn(requireSnapshot('5:9:5,7'), xact_id)).toBe(answer);
});

test('of two snapshots of a server, the later shows all transactions that the earlier shows', () => {
  const history = fc.array(fc.tuple(fc.boolean(), fc.nat()), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(history, (steps) => {
      const snapshots = snapshotsOf(steps).map(requireSnapshot);
      for (const [index, later] of snapshots.entries())
        for (const earlier of snapshots.slice(0, index)) {
          expect(isAtLeast(later, earlier)).toBe(true);
          for (let xid = 1; xid <= steps.length + 3; xid++)
            if (isVisibleIn(earlier, String(xid))) expect(isVisibleIn(later, String(xid))).toBe(true);
        }
    }),
    { numRuns: 50 },
  );
});

/** Snapshots of a server in which transactions begin (true) and end: `xmax` is one past the last that ended. */
function snapshotsOf(steps: readonly (readonly [boolean, number])[]): string[] {
  let next = 3;
  let xmax = 3;
  let open: number[] = [];
  return steps.map(([begins, which]) => {
    const ended = open[which % Math.max(open.length, 1)];
    if (begins || ended === undefined) open.push(next++);
    else {
      open = open.filter((xid) => xid !== ended);
      xmax = Math.max(xmax, ended + 1);
    }
    const running = open.filter((xid) => xid < xmax);
    return `${running[0] ?? xmax}:${xmax}:${running.join(',')}`;
  });
}
