import { describe, expect, it } from 'vitest';
import { type Entries, expectError } from '../support/expect-error.ts';
import type { ErrorBody } from '../support/objects.ts';
import { foundGuild, freshAddress, newcomer, newHook } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';

export function forms(suite: TestSuite): void {
  describe('the registration form', () => {
    const good = () => {
      const username = `u_${crypto.randomUUID().slice(0, 13).replaceAll('-', '_')}`;
      return { email: `${username}@example.com`, username, password: 'long enough' };
    };
    const register = (body: object) => suite.api.from(freshAddress()).post('/auth/register', body);

    it.each<[string, object, Entries]>([
      ['an address that is none', { email: 'nobody' }, { email: 'INVALID_EMAIL_FORMAT' }],
      ['a name of 33', { username: 'u'.repeat(33) }, { username: 'USERNAME_LENGTH_INVALID' }],
      ['an empty name', { username: '' }, { username: 'USERNAME_LENGTH_INVALID' }],
      ['a name with other characters', { username: 'a b' }, { username: 'USERNAME_INVALID_CHARACTERS' }],
      ['a name in another script', { username: 'аdmin' }, { username: 'USERNAME_INVALID_CHARACTERS' }],
      ['a password of 7', { password: '1234567' }, { password: 'PASSWORD_LENGTH_INVALID' }],
      ['a password of 257', { password: 'p'.repeat(257) }, { password: 'PASSWORD_LENGTH_INVALID' }],
      ['a display name of 33', { global_name: 'g'.repeat(33) }, { global_name: 'STRING_LENGTH_INVALID' }],
      [
        'several at once',
        { email: 'x', username: 'a b', password: 'x' },
        {
          email: 'INVALID_EMAIL_FORMAT',
          username: 'USERNAME_INVALID_CHARACTERS',
          password: 'PASSWORD_LENGTH_INVALID',
        },
      ],
    ])('names %s', async (_, change, entries) => {
      expectError(await register({ ...good(), ...change }), 400, 'INVALID_FORM_BODY', entries);
    });

    it('names every member that is missing or of a wrong type', async () => {
      for (const body of [
        {},
        { email: 1, username: [], password: {} },
        { email: null, username: null, password: null },
      ]) {
        const { errors = [] } = expectError(await register(body), 400, 'INVALID_FORM_BODY');
        expect(errors.map(({ path }) => path).sort()).toEqual(['email', 'password', 'username']);
      }
    });

    it('takes the bounds themselves', async () => {
      const bounds = {
        username: good().username.padEnd(32, '.'),
        password: '😀'.repeat(8),
        global_name: '名'.repeat(32),
      };
      expect((await register({ ...good(), ...bounds })).status).toBe(200);
      expect((await register({ ...good(), password: 'p'.repeat(256) })).status).toBe(200);
    });

    it('gives an address and a name to one account only, whatever the case, however many ask at once', async () => {
      const first = good();
      expect((await register(first)).status).toBe(200);
      const address = { ...good(), email: first.email.toUpperCase() };
      expectError(await register(address), 400, 'INVALID_FORM_BODY', { email: 'EMAIL_ALREADY_IN_USE' });
      const name = { ...good(), username: first.username.toUpperCase() };
      expectError(await register(name), 400, 'INVALID_FORM_BODY', { username: 'TAG_ALREADY_TAKEN' });
      const wanted = good().username;
      const race = await Promise.all(
        Array.from({ length: 6 }, () => register({ ...good(), username: wanted })),
      );
      expect(race.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    });
  });

  describe('the login form', () => {
    it('does not tell an unknown address from a wrong password', async () => {
      const { email } = await newcomer(suite.api);
      const login = (body: object) => suite.api.from(freshAddress()).post('/auth/login', body);
      const wrong = await login({ email, password: 'not the password' });
      const unknown = await login({ email: `x${email}`, password: 'not the password' });
      const both = { email: 'INVALID_EMAIL_OR_PASSWORD', password: 'INVALID_EMAIL_OR_PASSWORD' };
      expectError(wrong, 400, 'INVALID_FORM_BODY', both);
      expect(unknown.text).toBe(wrong.text);
      expectError(await login({ email, password: 'p'.repeat(5000) }), 400, 'INVALID_FORM_BODY');
    });
  });

  describe('the forms of a guild and an application', () => {
    it('bound the name to 1–100 characters', async () => {
      const { api } = await newcomer(suite.api);
      for (const path of ['/guilds', '/oauth2/applications']) {
        for (const name of ['', '   ', 'n'.repeat(101), 7, null, undefined, {}]) {
          const { errors = [] } = expectError(await api.post(path, { name }), 400, 'INVALID_FORM_BODY');
          expect(errors.map((entry) => entry.path)).toEqual(['name']);
        }
      }
      expect((await foundGuild({ api }, '名'.repeat(100))).guild.name).toBe('名'.repeat(100));
    });

    it('bound redirect URIs to https or a loopback, at most ten', async () => {
      const { api } = await newcomer(suite.api);
      const create = (redirect_uris: unknown) =>
        api.post('/oauth2/applications', { name: 'x', redirect_uris });
      const good = [
        'https://app.example/cb?x=1',
        'http://localhost:3000/cb',
        'http://127.0.0.1/cb',
        'http://[::1]:1/',
      ];
      const created = await create(good);
      expect(
        created.json<{ redirect_uris: string[] }>().redirect_uris,
        'stored as the exact strings',
      ).toEqual(good);
      const bad = [
        'http://app.example/',
        'https://a.example/#x',
        'https://u:p@a.example/',
        'ftp://a.example',
        'x',
        '',
      ];
      for (const uri of bad) expectError(await create([uri]), 400, 'INVALID_FORM_BODY');
      expectError(await create(Array(11).fill('https://a.example/')), 400, 'INVALID_FORM_BODY');
    });
  });

  describe('the form of a message', () => {
    it('holds an account’s message to the same bounds', async () => {
      const { owner, channel } = await foundGuild(await newcomer(suite.api));
      const post = (body: object) => owner.api.post(`/channels/${channel.id}/messages`, body);
      expectError(await post({}), 400, 'CANNOT_SEND_EMPTY_MESSAGE');
      expectError(await post({ content: '😀'.repeat(4001) }), 400, 'INVALID_FORM_BODY', {
        content: 'CONTENT_EXCEEDS_MAX_LENGTH',
      });
      expectError(await post({ embeds: [{ title: 't'.repeat(257) }] }), 400, 'INVALID_FORM_BODY', {
        'embeds.0.title': 'STRING_LENGTH_INVALID',
      });
      expect((await post({ content: '😀'.repeat(4000) })).status).toBe(200);
      const users = Array.from({ length: 101 }, (_, n) => String(n + 1));
      expectError(await post({ content: 'x', allowed_mentions: { users } }), 400, 'INVALID_FORM_BODY');
    });

    it('parses an account’s mentions unless allowed_mentions says less', async () => {
      const { owner, channel } = await foundGuild(await newcomer(suite.api));
      const content = `<@${owner.user.id}> @everyone`;
      const post = async (allowed: object) =>
        (await owner.api.post(`/channels/${channel.id}/messages`, { content, ...allowed })).json();
      const mentions = [{ id: owner.user.id }];
      expect(await post({})).toMatchObject({ mentions, mention_everyone: true });
      expect(await post({ allowed_mentions: {} })).toMatchObject({ mentions: [], mention_everyone: false });
      expect(await post({ allowed_mentions: { parse: ['users'] } })).toMatchObject({
        mentions,
        mention_everyone: false,
      });
    });
  });

  describe('the form of a webhook', () => {
    it('refuses a bad name or image as BAD_REQUEST and names it', async () => {
      const { owner, channel } = await newHook(suite.api);
      const create = (body: object) => owner.api.post(`/channels/${channel.id}/webhooks`, body);
      for (const name of ['', '   ', 'n'.repeat(81)]) {
        const { errors = [] } = expectError(await create({ name }), 400, 'BAD_REQUEST');
        expect(errors.map(({ path }) => path)).toEqual(['name']);
      }
      // docs/webhooks.md#name-and-avatar does not say whether a missing name is an invalid one: any code will do.
      for (const body of [{}, { name: 7 }]) {
        const reply = await create(body);
        expect(reply.status).toBe(400);
        expect(reply.json<ErrorBody>().errors?.map(({ path }) => path)).toEqual(['name']);
      }
      for (const avatar of ['not an image', 'data:image/png;base64,AAAA', 'data:image/png;base64,!!!!']) {
        const { errors = [] } = expectError(await create({ name: 'x', avatar }), 400, 'BAD_REQUEST');
        expect(errors.map(({ path }) => path)).toEqual(['avatar']);
      }
    });

    it('takes the bounds, no avatar and a small picture', async () => {
      const { owner, channel } = await newHook(suite.api);
      const create = (body: object) => owner.api.post(`/channels/${channel.id}/webhooks`, body);
      const long = await create({ name: ` ${'😀'.repeat(80)} `, avatar: null });
      expect(long.json()).toMatchObject({ name: '😀'.repeat(80), avatar: null });
      const png =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      for (const avatar of [png, `data:image/gif;base64,${png}`]) {
        const reply = await create({ name: 'x', avatar });
        expect(reply.json(), 'the bytes decide').toMatchObject({
          avatar: expect.stringMatching(/^[0-9a-f]{32}$/),
        });
      }
    });
  });
}
