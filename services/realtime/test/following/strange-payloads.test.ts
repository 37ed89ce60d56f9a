import { expect, test } from 'vitest';
import { deliver, usersToFetch } from '../../src/following/deliver.ts';
import type { EventReceiver } from '../../src/following/event-receiver.ts';
import type { LogEvent } from '../../src/world/event.ts';
import { World } from '../../src/world/world.ts';
import { EVENTS, LUNCH_EVENTS } from '../payloads/samples.ts';
import { ANN, guildOf, OWNER } from '../support/cast.ts';
import { accountState, guildState } from '../world/rows.ts';

const STRANGE: readonly unknown[] = [
  undefined,
  null,
  7,
  -1,
  true,
  'x',
  '',
  '١',
  [],
  {},
  [null],
  [7],
  [{}],
  1e300,
];

/** Variants of the value with one unexpected part each. */
function* strange(value: unknown): Generator<unknown> {
  yield* STRANGE;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value))
    for (const other of strange(member))
      yield Array.isArray(value)
        ? value.map((item, index) => (String(index) === key ? other : item))
        : { ...value, [key]: other };
}

function deliverEvent(event: LogEvent): void {
  const world = new World<EventReceiver>();
  const guild = guildOf(OWNER, ANN);
  world.addGuild(guildState(guild, []));
  for (const id of [OWNER, ANN])
    world.addAccount(accountState(id, [guild])).sessions.add({ receive: () => undefined });
  usersToFetch(event);
  deliver(event, { world, users: new Map(), isOnlyEvent: false });
}

test('an event with any payload is delivered or skipped', () => {
  for (const event of [...EVENTS, ...LUNCH_EVENTS])
    for (const payload of strange(event.payload))
      expect(
        () => deliverEvent({ ...event, payload }),
        `${event.type} ${JSON.stringify(payload)}`,
      ).not.toThrow();
});
