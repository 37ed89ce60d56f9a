import { describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { bodyOf } from '../../support/expect-status.ts';
import type { Member, PrivateChannel } from '../../support/objects.ts';
import { createGuild, newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { codeOf, exchange, newApplication, type TokenPair } from '../calls.ts';
import { newOauthClient, type OauthClient, REDIRECT_URI } from '../consent.ts';

const ROUNDS = 16;

/** Deletions during use. */
export function applicationRaces(stack: TestStack): void {
  const newClientOf = async (owner: Person): Promise<OauthClient> => {
    const application = await newApplication(owner, { redirect_uris: [REDIRECT_URI] });
    const { id: client_id, client_secret } = application;
    return { client_id, client_secret, application, owner, person: owner };
  };
  const remove = ({ owner, client_id }: OauthClient) =>
    owner.api.send('DELETE', `/oauth2/applications/${client_id}`);
  const inRounds = <T>(round: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: ROUNDS }, (_, n) => round(n)));

  describe('an application that is deleted while its bot', () => {
    const installAndRemove = async (owner: Person, target: object): Promise<void> => {
      const client = await newClientOf(owner);
      const body = { client_id: client.client_id, scope: 'bot', ...target };
      const [installed, removed] = await Promise.all([
        owner.api.post('/oauth2/authorize/consent', body),
        remove(client),
      ]);
      expect(removed.status, removed.text).toBe(204);
      if (installed.status !== 200) expect([400, 404], installed.text).toContain(installed.status);
    };

    it('is installed into a guild leaves no member behind', async () => {
      const owner = await newcomer(stack.api);
      const { guild } = await createGuild(owner);
      await inRounds(() => installAndRemove(owner, { guild_id: guild.id, permissions: '8' }));
      await expect
        .poll(async () => bodyOf<Member[]>(await owner.api.get(`/guilds/${guild.id}/members`)))
        .toHaveLength(1);
    });

    it('is installed into a group DM leaves no recipient behind', async () => {
      const owner = await newcomer(stack.api);
      const recipients = [(await newcomer(stack.api)).user.id, (await newcomer(stack.api)).user.id];
      const groups = await inRounds(async () => {
        const { id } = bodyOf<PrivateChannel>(await owner.api.post('/users/@me/channels', { recipients }));
        await installAndRemove(owner, { channel_id: id });
        return id;
      });
      const count = async (id: string) =>
        bodyOf<PrivateChannel>(await owner.api.get(`/channels/${id}`)).recipients.length;
      await expect.poll(() => Promise.all(groups.map(count))).toEqual(groups.map(() => 2));
    });
  });

  it('an account that is deleted during consent leaves no valid code or token', async () => {
    const client = await newOauthClient(stack.api);
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const person = await newcomer(stack.api);
        const body = { client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
        const [consented, deleted] = await Promise.all([
          person.api.post('/oauth2/authorize/consent', body),
          person.api.post('/users/@me/delete', { password: person.password }),
        ]);
        expect(deleted.status, deleted.text).toBe(204);
        if (consented.status !== 200) {
          expectError(consented, 401, 'UNAUTHORIZED');
          return;
        }
        const form = { code: codeOf(consented), redirect_uri: REDIRECT_URI };
        const exchanged = await exchange(stack.api, client, form);
        if (exchanged.status !== 200) {
          expectError(exchanged, 400, 'INVALID_GRANT');
          return;
        }
        const { access_token } = exchanged.json<TokenPair>();
        const userInfo = await stack.api.as(`Bearer ${access_token}`).get('/oauth2/userinfo');
        expectError(userInfo, 401, 'INVALID_TOKEN');
      }),
    );
  });
}
