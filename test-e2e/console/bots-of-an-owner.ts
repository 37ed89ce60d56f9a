import { type Bot, createBot, installBot } from '../support/bots.ts';
import { expectOk } from '../support/expect-status.ts';
import type { Webhook } from '../support/objects.ts';
import { createGuild, type GuildFixture, newcomer, type Person } from '../support/people.ts';
import type { useStackInProcess } from '../support/stack.ts';

/** The permission to create webhooks. */
const MANAGE_WEBHOOKS = String(1 << 29);

/** An owner with two bots in a guild, of which the first made two webhooks. */
export interface OwnerOfBots {
  readonly owner: Person;
  readonly guild: GuildFixture['guild'];
  readonly ticker: Bot;
  readonly other: Bot;
  readonly webhooks: readonly Webhook[];
}

export async function newOwnerOfBots(stack: ReturnType<typeof useStackInProcess>): Promise<OwnerOfBots> {
  const owner = await newcomer(stack.api);
  const { guild, channel } = await createGuild(owner);
  const [ticker, other] = [await createBot(owner), await createBot(owner)];
  await installBot(owner, guild, ticker, MANAGE_WEBHOOKS);
  const webhooks: Webhook[] = [];
  for (const name of ['ticker 1', 'ticker 2'])
    webhooks.push(await expectOk<Webhook>(ticker.api.post(`/channels/${channel.id}/webhooks`, { name })));
  return { owner, guild, ticker, other, webhooks };
}
