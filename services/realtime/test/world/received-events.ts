import type { DeliveryKind } from '../../src/world/delivery.ts';
import type { LogEvent } from '../../src/world/event.ts';
import type { World } from '../../src/world/world.ts';

/** The events that each followed account receives, with repetitions. */
export function receivedEvents(
  world: World<string>,
  event: LogEvent,
  accountIds: readonly string[],
): Record<string, string[]> {
  const followed = accountIds.filter((id) => world.account(id) !== undefined);
  const all: Record<string, string[]> = Object.fromEntries(followed.map((id) => [id, []]));
  for (const { accounts, kind } of world.apply(event)) {
    if (accounts.length === 0) throw new Error('a delivery without accounts');
    for (const account of accounts) {
      if (account !== world.account(account.id)) throw new Error(`a delivery to a former ${account.id}`);
      all[account.id]?.push(written(kind));
    }
  }
  return all;
}

function written(kind: DeliveryKind): string {
  switch (kind.type) {
    case 'event':
      return 'event';
    case 'guild_created':
      return `guild_created ${kind.guild.id}`;
    case 'channel_shown':
      return `channel_shown ${kind.channel.id}`;
    case 'channel_hidden':
      return `channel_hidden ${kind.channel_id}`;
  }
}
