import { describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { mailsTo, tokensMailed } from '../support/mail.ts';
import type { Application, CurrentUser, SessionAnswer } from '../support/objects.ts';
import { freshAddress, type Person, register } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

const WRONG_LOGIN = { email: 'INVALID_EMAIL_OR_PASSWORD', password: 'INVALID_EMAIL_OR_PASSWORD' };

/** A PNG of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The life of an account, from registration to deletion, through the API and mail. */
export function accounts(stack: TestStack): void {
  /** A new account, and a client at the address that it registered from. */
  async function somebody(): Promise<Person & { home: Api }> {
    const home = stack.api.from(freshAddress());
    return { ...(await register(home)), home };
  }
  const me = async (api: Api) => (await api.get('/users/@me')).json<CurrentUser>();
  const login = (api: Api, email: string, password: string) => api.post('/auth/login', { email, password });

  describe('an account', () => {
    it('verifies its address once, with the token from the mail', async () => {
      const { api, home, email } = await somebody();
      expect((await me(api)).verified).toBe(false);
      const [token] = await tokensMailed(stack.data_dir, email, 'verify');
      expectError(await home.post('/auth/verify', { token: 'x'.repeat(43) }), 400, 'INVALID_FORM_BODY', {
        token: 'INVALID_OR_EXPIRED_TOKEN',
      });
      expect((await home.post('/auth/verify', { token })).status).toBe(204);
      expect((await me(api)).verified).toBe(true);
      expectError(await home.post('/auth/verify', { token }), 400, 'INVALID_FORM_BODY', {
        token: 'INVALID_OR_EXPIRED_TOKEN',
      });
    });

    it('can request the verification mail again once a minute', async () => {
      const { api, email } = await somebody();
      await tokensMailed(stack.data_dir, email, 'verify');
      expect((await api.post('/auth/verify/resend')).status).toBe(204);
      const [, second] = await tokensMailed(stack.data_dir, email, 'verify', 2);
      const again = await api.post('/auth/verify/resend', { email: 'other@example.com' });
      expectError(again, 429, 'RATE_LIMITED');
      expect((await api.post('/auth/verify', { token: second })).status).toBe(204);
    });

    it('resets its password by mail; all sessions end and the token works once', async () => {
      const { api, home, email, password } = await somebody();
      const second = (await login(home, email, password)).json<SessionAnswer>().token;
      expect((await home.post('/auth/forgot', { email: ` ${email.toUpperCase()}` })).status).toBe(204);
      expect((await home.post('/auth/forgot', { email: `no-${email}` })).status).toBe(204);
      const [token] = await tokensMailed(stack.data_dir, email, 'reset');
      expect((await home.get(`/auth/reset/${token}`)).json()).toEqual({ valid: true });

      const renewed = `new-${password}`;
      expectError(await home.post('/auth/reset', { token, password: 'short' }), 400, 'INVALID_FORM_BODY', {
        password: 'PASSWORD_LENGTH_INVALID',
      });
      const reset = await home.post('/auth/reset', { token, password: renewed });
      expect(Object.keys(reset.json<object>()).sort(), reset.text).toEqual(['token', 'user', 'user_id']);
      for (const dead of [api, home.as(second)])
        expectError(await dead.get('/users/@me'), 401, 'UNAUTHORIZED');
      expect((await home.as(reset.json<SessionAnswer>().token).get('/users/@me')).status).toBe(200);
      expect((await home.get(`/auth/reset/${token}`)).json()).toEqual({ valid: false });
      expectError(await home.post('/auth/reset', { token, password: renewed }), 400, 'INVALID_FORM_BODY', {
        token: 'INVALID_OR_EXPIRED_TOKEN',
      });
      expectError(await login(home, email, password), 400, 'INVALID_FORM_BODY', WRONG_LOGIN);
      expect((await login(home, email, renewed)).status).toBe(200);
      expect(await mailsTo(stack.data_dir, `no-${email}`), 'nobody has that address').toEqual([]);
    });

    it('changes its profile, user name and address, and must verify the new address', async () => {
      const { api, email, password, username } = await somebody();
      const [old] = await tokensMailed(stack.data_dir, email, 'verify');
      const patch = (body: object) => api.send('PATCH', '/users/@me', { body });
      const changed = await patch({ username: `${username}.2`, bio: 'Reads a lot.', global_name: ' Ann ' });
      expect(changed.json()).toMatchObject({
        username: `${username}.2`,
        bio: 'Reads a lot.',
        global_name: 'Ann',
      });
      expect((await patch({ global_name: null })).json()).toMatchObject({
        global_name: null,
        bio: 'Reads a lot.',
      });

      const next = `next.${email}`;
      expectError(await patch({ email: next }), 403, 'SUDO_MODE_REQUIRED');
      expectError(await patch({ email: next, password: 'not it' }), 400, 'INVALID_FORM_BODY', {
        password: 'INVALID_PASSWORD',
      });
      expect((await patch({ email: next, password })).json()).toMatchObject({ email: next, verified: false });
      const [token] = await tokensMailed(stack.data_dir, next, 'verify');
      expectError(await api.post('/auth/verify', { token: old }), 400, 'INVALID_FORM_BODY');
      expect((await api.post('/auth/verify', { token })).status).toBe(204);
      expect((await me(api)).verified).toBe(true);
      expect((await mailsTo(stack.data_dir, email)).at(-1), 'the old address gets a mail').toContain(
        username,
      );
    });

    it('has an avatar that anyone can fetch by its hash', async () => {
      const { api, user } = await somebody();
      const patch = (avatar: string | null) => api.send('PATCH', '/users/@me', { body: { avatar } });
      const changed = await patch(PNG);
      const { avatar } = changed.json<CurrentUser>();
      expect(avatar, changed.text).toMatch(/^[0-9a-f]{32}$/);
      const picture = await fetch(`${stack.url}/media/avatars/${user.id}/${avatar}`);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(
        Buffer.from(await picture.arrayBuffer())
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
      expect((await patch(null)).json<CurrentUser>().avatar).toBeNull();
      expectError(await patch('bm8gcGljdHVyZQ=='), 400, 'INVALID_FORM_BODY');
    });

    it('can change its user name five times in three hours; sending the current name does not count', async () => {
      const { api, username } = await somebody();
      const patch = (body: object) => api.send('PATCH', '/users/@me', { body });
      for (let n = 0; n < 7; n += 1) expect((await patch({ username })).status).toBe(200);
      for (let n = 0; n < 5; n += 1) expect((await patch({ username: `${username}${n}` })).status).toBe(200);
      expectError(await patch({ username: `${username}x` }), 429, 'RATE_LIMITED');
      expect((await patch({ bio: 'x' })).status, 'nothing else is denied').toBe(200);
    });

    it('changes its password, and ends other sessions on request', async () => {
      const { api, home, email, password } = await somebody();
      const other = home.as((await login(home, email, password)).json<SessionAnswer>().token);
      const patch = (body: object) => api.send('PATCH', '/users/@me', { body });
      expect((await patch({ new_password: 'the second password', password })).status).toBe(200);
      expect((await other.get('/users/@me')).status).toBe(200);
      const third = { new_password: 'the third password', password: 'the second password' };
      expect((await patch({ ...third, end_other_sessions: true })).status).toBe(200);
      expectError(await other.get('/users/@me'), 401, 'UNAUTHORIZED');
      expect((await api.get('/users/@me')).status).toBe(200);
      expect((await login(home, email, third.new_password)).status).toBe(200);
    });

    it('is deleted with its sessions, bots and applications; its name and address are free at once', async () => {
      const { api, home, email, password, username, user } = await somebody();
      const made = (await api.post('/oauth2/applications', { name: 'x' })).json<Application>();
      const bot = home.as(`Bot ${made.bot.token}`);
      expect((await bot.get('/users/@me')).status).toBe(200);
      expectError(await api.post('/users/@me/delete'), 403, 'SUDO_MODE_REQUIRED');
      expect((await api.post('/users/@me/delete', { password })).status).toBe(204);

      for (const dead of [api, bot]) expectError(await dead.get('/users/@me'), 401, 'UNAUTHORIZED');
      expectError(await login(home, email, password), 400, 'INVALID_FORM_BODY', WRONG_LOGIN);
      const successor = await home.post('/auth/register', { email, username, password });
      const { token, user_id } = successor.json<SessionAnswer>();
      expect([successor.status, user_id === user.id], successor.text).toEqual([200, false]);
      const again = home.as(`Bearer ${token}`);
      expectError(await again.get(`/users/${user.id}`), 404, 'UNKNOWN_USER');
      expect((await again.get('/oauth2/applications/@me')).json()).toEqual([]);
    });
  });

  describe('a public user', () => {
    it('is visible to sessions and bots, without private fields', async () => {
      const { api, user } = await somebody();
      const { id, username, global_name } = user;
      const seen = (await api.get(`/users/${id}`)).json();
      expect(seen).toEqual({ id, username, discriminator: '0', global_name, avatar: null, bot: false });
      const made = (await api.post('/oauth2/applications', { name: 'x' })).json<Application>();
      expect((await stack.api.as(`Bot ${made.bot.token}`).get(`/users/${id}`)).json()).toEqual(seen);
      expectError(await api.get('/users/1'), 404, 'UNKNOWN_USER');
      expectError(await api.get('/users/@you'), 400, 'INVALID_FORM_BODY', {
        user_id: 'INVALID_SNOWFLAKE_FORMAT',
      });
    });
  });
}
