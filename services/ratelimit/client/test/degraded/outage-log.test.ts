import { expect, test } from 'vitest';
import { OutageLog } from '../../src/degraded/outage-log.ts';

/** An outage log on a clock that the test sets. */
function outageLog() {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const log = {
    info: (_: object, message: string) => void lines.push(`info ${message}`),
    warn: (_: object, message: string) => void lines.push(`warn ${message}`),
  };
  return { outage: new OutageLog(log, () => clock.ms), clock, lines };
}

const AWAY = 'warn ratelimit does not answer: limits are decided here';
const BACK = 'warn ratelimit answers again';

test('single calls that fail end with a line of the same level, once', () => {
  const { outage, clock, lines } = outageLog();
  outage.answered();
  outage.decidedLocally();
  clock.ms = 999;
  outage.answered();
  expect(lines).toEqual([AWAY]);
  clock.ms = 1_000;
  outage.answered();
  outage.answered();
  expect(lines).toEqual([AWAY, BACK]);
});

test('calls that fail and succeed in turn are one outage', () => {
  const { outage, clock, lines } = outageLog();
  for (clock.ms = 0; clock.ms < 900; clock.ms += 300) {
    outage.decidedLocally();
    outage.answered();
  }
  clock.ms = 1_500;
  outage.answered();
  expect(lines).toEqual([AWAY]);
  clock.ms = 1_600;
  outage.answered();
  expect(lines).toEqual([AWAY, BACK]);
});
