import { violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addGuild, newId } from '../support/guilds.ts';
import { as, internally } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_count_bot_guilds');
});
afterAll(() => fixture.close());

const count = async (bot_id: string) => (await fixture.chat.countBotGuilds({ bot_id }, internally)).guilds;

test('the guilds of a bot are counted, until it leaves them', async () => {
  const bot_id = newId();
  expect(await count(bot_id)).toBe(0);
  for (let guilds = 1; guilds <= 2; guilds++) {
    const { guild_id, owner } = await addGuild(fixture);
    await fixture.chat.installBot({ bot_id, application_name: 'Helper', guild_id }, as(owner));
    expect(await count(bot_id)).toBe(guilds);
  }
  await fixture.chat.removeBot({ bot_id }, internally);
  expect(await count(bot_id)).toBe(0);
});

test('an ID that is none is refused', async () => {
  expect(await violationsOf(count('x'))).toEqual(['bot_id INVALID_SNOWFLAKE_FORMAT']);
});
