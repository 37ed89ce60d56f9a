import { reasonOf } from '@gatehouse/dev-env/faults';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { cursorOf, openReader } from './event-reader.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_event_cursors');
});
afterAll(() => fixture.close());

const reading = (cursor: string) => openReader(fixture.chat, { cursor }).then((reader) => reader.close());

describe('a cursor', () => {
  test.each([
    '',
    '0',
    '1',
    '1/',
    '2/5:5:',
    '1/5:5',
    '1/5:4:',
    '1/0:5:',
    '1/05:5:',
    '1/-1:5:',
    '1/5:7:5,5',
    '1/5:7:6,5',
    '1/5:7:4',
    '1/5:7:7',
    '1/5:7:5,',
    '1/5:99999999999999999999:',
    '1/5:7:/5:7:',
    '1/5:7:/5:7:/',
    '1/5:7:/5:7:/-1',
    '1/5:7:/5:7:/9223372036854775808',
    '1/5:7:/5:6:/1',
    '1/5:7:5/5:7:5,6/1',
    '1/5:7:/5:7:/1/',
    `1/5:7:${'5,'.repeat(100_000)}5`,
    "1/5:7:'; --",
    '1/5:7:\0',
  ])('of the form %j is BAD_REQUEST', async (cursor) => {
    expect(await reasonOf(reading(cursor))).toBe('BAD_REQUEST');
  });

  test.each(['1/99999999999:99999999999:', '1/5:7:/99999999999:99999999999:/3'])(
    'from another server that was ahead, %s, is too old',
    async (cursor) => {
      expect(await reasonOf(reading(cursor))).toBe('CURSOR_TOO_OLD');
    },
  );

  test('that is damaged is refused or understood, and breaks nothing', async () => {
    const real = await cursorOf(fixture.chat);
    const damaged = fc
      .tuple(
        fc.nat(real.length),
        fc.nat(3),
        fc.string({ maxLength: 3, unit: fc.constantFrom(...'0159:,/-x') }),
      )
      .map(([at, many, text]) => real.slice(0, at) + text + real.slice(at + many));
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, fc.string()), async (cursor) => {
        const ended = await reading(cursor).catch((error: { reason?: string }) => error.reason);
        expect(ended === 'BAD_REQUEST' || ended === 'CURSOR_TOO_OLD' || ended?.startsWith('1/')).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
