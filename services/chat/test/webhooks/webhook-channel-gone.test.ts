import type { RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addChannel, addGuild, newId } from '../support/guilds.ts';
import { as, internally } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('webhook_channel_gone');
});
afterAll(() => fixture.close());

function changeIn(guild_id: string, channel_id: string): RecordWebhookChangeRequest {
  const webhook = { id: newId(), guild_id, channel_id, name: 'x', avatar: null };
  const entry = { action_type: 50, user_id: newId(), reason: null, changes: [] };
  return { id: newId(), webhook, revision: 1, channel_id, entry };
}

test('every change of a webhook in a deleted channel is answered with channel_gone', async () => {
  const { guild_id, owner, general } = await addGuild(fixture);
  const channel_id = await addChannel(fixture, guild_id, 0);
  const change = changeIn(guild_id, channel_id);
  const record = () => fixture.chat.recordWebhookChange(change, internally);
  expect(await record()).toEqual({ channel_gone: false });
  expect(await record()).toEqual({ channel_gone: false });
  await fixture.chat.deleteChannel({ channel_id }, as(owner));
  expect(await record()).toEqual({ channel_gone: true });
  // A webhook that has moved to another channel stays.
  const moved = { ...changeIn(guild_id, general), channel_id };
  expect(await fixture.chat.recordWebhookChange(moved, internally)).toEqual({ channel_gone: false });
});

test('a change of a webhook in a deleted guild is answered with channel_gone too', async () => {
  const { guild_id, owner, general } = await addGuild(fixture);
  await fixture.chat.deleteGuild({ guild_id }, as(owner));
  expect(await fixture.chat.recordWebhookChange(changeIn(guild_id, general), internally)).toEqual({
    channel_gone: true,
  });
});
