import { fileURLToPath } from 'node:url';
import { runScript } from '@gatehouse/dev-env/run-script';
import { expect, test } from 'vitest';
import { failuresByKill } from '../failures/failures-by-kill.ts';

const DRILL = fileURLToPath(new URL('../main.ts', import.meta.url));

test('without a matching replica it exits with 2 and lists the replicas', async () => {
  const { code, stderr } = await runScript(DRILL, ['rolling', '--only', 'gatway']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^drill: no replica's name begins with gatway; there are: gateway-1, gateway-2, /m);
  expect(stderr).not.toContain('starting');
});

test('a late failure belongs to the kill before it was sent, or to the one during which it was in flight', () => {
  const failure = (kind: string, sentAt: number, endedAt: number) => ({
    kind,
    answer: '503',
    sentAt,
    endedAt,
  });
  const failures = [
    failure('warm up', 100, 200),
    failure('in flight at the first', 9_990, 10_001),
    failure('of the first', 10_500, 10_600),
    failure('of the first, hung until after the second', 10_700, 40_700),
    failure('of the first, ended just before the second', 29_900, 29_990),
    failure('of the second', 30_000, 30_100),
  ];
  const kinds = failuresByKill(failures, [10_000, 30_000]).map((of) => of.map(({ kind }) => kind));
  expect(kinds).toEqual([
    [
      'in flight at the first',
      'of the first',
      'of the first, hung until after the second',
      'of the first, ended just before the second',
    ],
    ['of the second'],
  ]);
});
