import { fileURLToPath } from 'node:url';
import { runScript } from '@gatehouse/dev-env/run-script';
import { expect, test } from 'vitest';
import { failuresOfKills } from '../failures/failures-of-kills.ts';

const DRILL = fileURLToPath(new URL('../main.ts', import.meta.url));

test('with no replica to start anew it ends with 2, and names those that there are', async () => {
  const { code, stderr } = await runScript(DRILL, ['rolling', '--only', 'gatway']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^drill: no replica's name begins with gatway; there are: gateway-1, gateway-2, /m);
  expect(stderr).not.toContain('starting');
});

test('a request that fails late is the kill’s that it was sent after or was under way with', () => {
  const failure = (kind: string, sentAt: number, endedAt: number) => ({
    kind,
    answer: '503',
    sentAt,
    endedAt,
  });
  const failures = [
    failure('warm up', 100, 200),
    failure('under way with the first', 9_990, 10_001),
    failure('of the first', 10_500, 10_600),
    failure('of the first, hung until after the second', 10_700, 40_700),
    failure('of the first, ended just before the second', 29_900, 29_990),
    failure('of the second', 30_000, 30_100),
  ];
  const kinds = failuresOfKills(failures, [10_000, 30_000]).map((of) => of.map(({ kind }) => kind));
  expect(kinds).toEqual([
    [
      'under way with the first',
      'of the first',
      'of the first, hung until after the second',
      'of the first, ended just before the second',
    ],
    ['of the second'],
  ]);
});
