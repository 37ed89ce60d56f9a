import { beforeAll, describe, expect, it } from 'vitest';
import { expectOk } from '../../support/expect-status.ts';
import type { Message, PrivateChannel } from '../../support/objects.ts';
import { createGuild, newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { callbackOf, codeOf, exchange, type TokenPair } from '../calls.ts';
import { newOauthClient, type OauthClient, REDIRECT_URI } from '../consent.ts';

export function groupDmInstallation(stack: TestStack, webApp: string): void {
  let client: OauthClient;
  let people: readonly Person[];
  beforeAll(async () => {
    client = await newOauthClient(stack.api);
    people = await Promise.all(Array.from({ length: 10 }, () => newcomer(stack.api)));
  });

  const open = (count: number): Promise<PrivateChannel> => {
    const recipients = people.slice(1, count).map(({ user }) => user.id);
    return expectOk(person(0).api.post('/users/@me/channels', { recipients }));
  };
  const person = (index: number): Person => {
    const found = people[index];
    if (found === undefined) throw new Error(`no person ${index}`);
    return found;
  };
  const install = (by: Person, channel_id: string, changes: Record<string, unknown> = {}) =>
    by.api.post('/oauth2/authorize/consent', {
      client_id: client.client_id,
      scope: 'bot',
      channel_id,
      ...changes,
    });
  const state = async (path: string) => ({
    channel: await expectOk<PrivateChannel>(person(0).api.get(path)),
    messages: await expectOk<Message[]>(person(0).api.get(`${path}/messages`)),
  });

  describe('the installation into a group DM', () => {
    it('adds the bot as a recipient with a message; a repetition changes nothing', async () => {
      const group = await open(3);
      const path = `/channels/${group.id}`;
      const callback = callbackOf(await install(person(1), group.id, { state: 's', permissions: '8' }));
      expect([callback.origin, callback.searchParams.get('state')]).toEqual([webApp, 's']);
      const after = await state(path);
      const ids = [person(1).user.id, person(2).user.id, client.client_id];
      expect(after.channel.recipients.map(({ id }) => id).sort()).toEqual(ids.sort());
      expect(after.messages).toMatchObject([
        { type: 1, author: { id: person(1).user.id }, mentions: [{ id: client.client_id, bot: true }] },
      ]);
      const asBot = stack.api.as(`Bot ${client.application.bot.token}`);
      expect(await expectOk<Message[]>(asBot.get(`${path}/messages`))).toEqual(after.messages);

      for (const who of [person(0), person(1)]) {
        const code = codeOf(await install(who, group.id));
        const pair = await exchange(stack.api, client, { code, redirect_uri: webApp });
        expect(pair.json<TokenPair>().scope).toBe('bot');
      }
      expect(await state(path)).toEqual(after);
    });

    it('is allowed to recipients only, and in group DMs only', async () => {
      const group = await open(3);
      const before = await state(`/channels/${group.id}`);
      for (const stranger of [person(5), client.person, client.owner]) {
        const reply = await install(stranger, group.id);
        expect([reply.status, reply.json<{ code: string }>().code]).toEqual([
          403,
          expect.stringMatching(/^(FORBIDDEN|MISSING_ACCESS|MISSING_PERMISSIONS)$/),
        ]);
      }
      expect(await state(`/channels/${group.id}`)).toEqual(before);
      const dm = await open(2);
      const { channel } = await createGuild(person(0));
      for (const id of [dm.id, channel.id]) {
        const reply = await install(person(0), id);
        expect([reply.status, reply.json<{ code: string }>().code]).toEqual([400, 'BAD_REQUEST']);
      }
      for (const id of ['1', '0', '9223372036854775807', client.client_id]) {
        const reply = await install(person(0), id);
        expect([reply.status, reply.json<{ code: string }>().code]).toEqual([404, 'NOT_FOUND']);
      }
    });

    it('does not happen with other scopes, which ignore channel_id', async () => {
      const group = await open(3);
      const before = await state(`/channels/${group.id}`);
      const changes = { scope: 'identify', redirect_uri: REDIRECT_URI };
      for (const id of [group.id, '1']) codeOf(await install(person(0), id, changes));
      expect(await state(`/channels/${group.id}`)).toEqual(before);
    });
  });
}
