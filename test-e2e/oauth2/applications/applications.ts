import { beforeAll, describe, expect, it } from 'vitest';
import type { Api, Reply } from '../../support/api.ts';
import { expectError } from '../../support/expect-error.ts';
import { bodyOf } from '../../support/expect-status.ts';
import { newcomer, type Person } from '../../support/people.ts';
import { png } from '../../support/png.ts';
import type { TestStack } from '../../support/stack.ts';
import { newApplication, type OwnApplication } from '../calls.ts';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function applications(stack: TestStack): void {
  let owner: Person;
  let other: Person;
  beforeAll(async () => {
    [owner, other] = await Promise.all([newcomer(stack.api), newcomer(stack.api)]);
  });

  const shown = ({ client_secret: _, bot: { token: __, ...bot }, ...application }: OwnApplication) => ({
    ...application,
    bot,
  });
  /** Calls every route for owners in turn. */
  const onEach = async (by: Api, id: string): Promise<Reply[]> => {
    const path = `/oauth2/applications/${id}`;
    return [
      await by.get(path),
      await by.send('PATCH', path, { body: { name: 'taken' } }),
      await by.send('DELETE', path),
      await by.post(`${path}/client-secret/reset`),
      await by.post(`${path}/bot/reset-token`, { password: other.password }),
      await by.send('PATCH', `${path}/bot`, { body: { username: 'taken' } }),
    ];
  };
  const create = (body: unknown) => owner.api.post('/oauth2/applications', body);

  describe('an application', () => {
    it('is created with its secrets, which are never shown again', async () => {
      const redirect_uris = ['https://client.test/cb'];
      const reply = await create({ name: '  Clock ', redirect_uris, unknown: 1, flags: 7 });
      expect(reply.headers.get('cache-control')).toContain('no-store');
      const made = bodyOf<OwnApplication>(reply);
      const { id } = made;
      expect(made).toEqual({
        id: expect.stringMatching(/^[1-9]\d*$/),
        name: 'Clock',
        icon: null,
        description: null,
        terms_url: null,
        privacy_url: null,
        created_at: expect.any(String),
        redirect_uris,
        bot_public: true,
        bot_require_code_grant: false,
        flags: 0,
        client_secret: expect.stringMatching(SECRET),
        bot: {
          id,
          username: expect.any(String),
          discriminator: expect.stringMatching(/^\d{1,4}$/),
          global_name: made.bot.global_name,
          avatar: null,
          bot: true,
          token: expect.stringMatching(new RegExp(`^${id}\\.[A-Za-z0-9_-]+$`)),
        },
        public: false,
      });
      const path = `/oauth2/applications/${id}`;
      expect(bodyOf(await owner.api.get(path))).toEqual(shown(made));
      const listed = bodyOf<OwnApplication[]>(await owner.api.get('/oauth2/applications/@me'));
      expect(listed).toContainEqual(shown(made));
      expect(bodyOf(await owner.api.send('PATCH', path, { body: {} }))).toEqual(shown(made));
      const least = await newApplication(owner);
      expect(least).toMatchObject({ redirect_uris: [], bot_public: true, bot_require_code_grant: false });
    });

    it('changes only the named fields, and all of them or none', async () => {
      const made = shown(await newApplication(owner, { redirect_uris: ['https://client.test/1'] }));
      const path = `/oauth2/applications/${made.id}`;
      const patch = (body: object) => owner.api.send('PATCH', path, { body });
      let expected = { ...made };
      const changes: Partial<OwnApplication>[] = [
        { name: 'New' },
        { bot_public: false },
        { bot_require_code_grant: true },
        { redirect_uris: ['https://client.test/2', 'http://localhost/'] },
        { bot_public: true, bot_require_code_grant: false, name: 'Newer', redirect_uris: [] },
      ];
      for (const change of changes) {
        expected = { ...expected, ...change };
        const { name, ...rest } = bodyOf<OwnApplication>(await patch(change));
        expect({ name, ...rest }).toEqual(expected);
        expect(bodyOf(await owner.api.get(path))).toEqual(expected);
      }
      const nothing = { name: null, redirect_uris: null, bot_public: null, bot_require_code_grant: null };
      expect(bodyOf(await patch(nothing)), 'null is ignored').toEqual(expected);
      const untouched = { id: '1', flags: 1, created_at: 'x', client_secret: 'x', bot: {} };
      expect(bodyOf(await patch(untouched))).toEqual(expected);
      for (const wrong of [
        { name: '' },
        { name: 'x'.repeat(101) },
        { bot_public: 'x' },
        { redirect_uris: ['x'] },
      ])
        expectError(
          await patch({ name: 'Other', bot_require_code_grant: true, ...wrong }),
          400,
          'INVALID_FORM_BODY',
        );
      expect(bodyOf(await owner.api.get(path))).toEqual(expected);
    });

    it('is accessible to its owner only', async () => {
      const made = await newApplication(owner);
      for (const reply of await onEach(other.api, made.id)) expectError(reply, 403, 'FORBIDDEN');
      const asBot = stack.api.as(`Bot ${made.bot.token}`);
      for (const reply of await onEach(asBot, made.id)) expectError(reply, 403, 'ACCESS_DENIED');
      for (const reply of await onEach(stack.api, made.id)) expectError(reply, 401, 'UNAUTHORIZED');
      expect(bodyOf(await owner.api.get(`/oauth2/applications/${made.id}`))).toEqual(shown(made));
      const listed = bodyOf<OwnApplication[]>(await other.api.get('/oauth2/applications/@me'));
      expect(listed).toEqual([]);
    });

    it('is visible to every user without private fields', async () => {
      const made = await newApplication(owner, {
        redirect_uris: ['https://client.test/'],
        bot_public: false,
      });
      const path = `/oauth2/applications/${made.id}/public`;
      const { token: _, ...bot } = made.bot;
      for (const { api } of [owner, other])
        expect(bodyOf(await api.get(path))).toEqual({
          id: made.id,
          name: made.name,
          icon: null,
          description: null,
          bot_public: false,
          bot_require_code_grant: false,
          scopes: expect.any(Array),
          bot,
          terms_url: null,
          privacy_url: null,
          created_at: expect.any(String),
          owner: expect.objectContaining({ id: owner.user.id }),
        });
      expectError(await stack.api.get(path), 401, 'UNAUTHORIZED');
      expectError(await stack.api.as(`Bot ${made.bot.token}`).get(path), 403, 'ACCESS_DENIED');
      expectError(await other.api.get('/oauth2/applications/1/public'), 404, 'UNKNOWN_APPLICATION');
      const wrong = await other.api.get('/oauth2/applications/0x1/public');
      expectError(wrong, 400, 'INVALID_FORM_BODY');
    });

    it('is visible to its bot, with the owner', async () => {
      const made = await newApplication(owner);
      const reply = await stack.api.as(`Bot ${made.bot.token}`).get('/applications/@me');
      const { id, username, discriminator, global_name, avatar } = owner.user;
      const seen = bodyOf<object>(reply);
      expect(seen).toMatchObject({
        ...shown(made),
        owner: { id, username, discriminator, global_name, avatar },
      });
      expect(reply.text).not.toContain(made.client_secret);
      expect(reply.text).not.toContain(owner.email);
      for (const credential of [
        `Bearer ${owner.token}`,
        owner.token,
        `Bot ${made.bot.token}x`,
        made.bot.token,
      ])
        expectError(await stack.api.as(credential).get('/applications/@me'), 401, 'UNAUTHORIZED');
      expectError(await stack.api.get('/applications/@me'), 401, 'UNAUTHORIZED');
    });

    it('has a bot whose name and avatar can change', async () => {
      const made = await newApplication(owner);
      const path = `/oauth2/applications/${made.id}`;
      const patch = (body: object) => owner.api.send('PATCH', `${path}/bot`, { body });
      const { token: _, ...bot } = made.bot;
      expect(bodyOf(await patch({}))).toEqual(bot);
      const named = { ...bot, username: 'Night.Watch_7' };
      expect(bodyOf(await patch({ username: '  Night.Watch_7 ' }))).toEqual(named);
      for (const username of ['', ' ', 'x'.repeat(33), 'a\0b', 'a b', 'ä', 5])
        expectError(await patch({ username }), 400, 'INVALID_FORM_BODY');
      const second = await newApplication(owner);
      const taken = { body: { username: 'night.watch_7' } };
      const twice = await owner.api.send('PATCH', `/oauth2/applications/${second.id}/bot`, taken);
      expectError(twice, 400, 'INVALID_FORM_BODY', { username: 'TAG_ALREADY_TAKEN' });
      const avatar = `data:image/png;base64,${png(2, 128).toString('base64')}`;
      const pictured = bodyOf<{ avatar: string }>(await patch({ avatar }));
      expect(pictured).toEqual({ ...named, avatar: expect.stringMatching(/^[0-9a-f]{32}$/) });
      expectError(await patch({ avatar: 'x' }), 400, 'INVALID_FORM_BODY');
      expect(bodyOf<OwnApplication>(await owner.api.get(path)).bot).toEqual(pictured);
      const me = await stack.api.as(`Bot ${made.bot.token}`).get('/users/@me');
      expect(bodyOf(me)).toMatchObject({ ...pictured });
      expect(bodyOf(await patch({ avatar: null }))).toEqual(named);
      expect((await owner.api.get(path)).json<OwnApplication>().name, 'the bot has its own name').toBe(
        made.name,
      );
    });
  });
}
