import { Authenticator } from '@gatehouse/dev-env/second-factors/authenticator';
import { describe, expect, it } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { CurrentUser, SessionAnswer, TicketAnswer } from '../support/objects.ts';
import { freshAddress, newcomer, type Person } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

const CREDENTIALS = '/users/@me/mfa/webauthn/credentials';

/** The life of a passkey, from registration to deletion. Requests and responses are WebAuthn's JSON. */
export function passkeys(stack: TestStack): void {
  async function withPasskey(): Promise<{ person: Person; key: Authenticator; codes: string[] }> {
    const person = await newcomer(stack.api);
    const key = new Authenticator({ origin: stack.url });
    const options = await person.api.post(`${CREDENTIALS}/registration-options`);
    const response: unknown = JSON.parse(key.create(options.text));
    const add = (body: object) => person.api.post(CREDENTIALS, { name: ' Laptop ', response, ...body });
    expectError(await add({}), 403, 'SUDO_MODE_REQUIRED');
    const added = await add({ password: person.password });
    expect(added.json(), added.text).toEqual({
      id: key.lastId,
      name: 'Laptop',
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      backup_codes: Array.from({ length: 10 }, () => ({ code: expect.any(String), consumed: false })),
    });
    const codes = added.json<{ backup_codes: { code: string }[] }>().backup_codes.map(({ code }) => code);
    return { person, key, codes };
  }

  /** Fetches options from `path` and signs them with the key. */
  async function assertion(key: Authenticator, api: Api, path: string, body?: object): Promise<unknown> {
    const options = await api.post(path, body);
    expect(options.status, options.text).toBe(200);
    return JSON.parse(key.get(options.text));
  }
  const sudoProof = (key: Authenticator, api: Api) =>
    assertion(key, api, '/users/@me/sudo/webauthn/authentication-options');
  const userOf = async (reply: Reply) => {
    expect(reply.status, reply.text).toBe(200);
    const session = stack.api.as(`Bearer ${reply.json<SessionAnswer>().token}`);
    return (await session.get('/users/@me')).json<CurrentUser>();
  };

  describe('a passkey', () => {
    it('logs in without a password, from any address, once per challenge', async () => {
      const { person, key } = await withPasskey();
      const client = stack.api.from(freshAddress());
      const response = await assertion(key, client, '/auth/webauthn/authentication-options');
      const login = () => client.post('/auth/webauthn/authenticate', { response });
      expect((await userOf(await login())).id).toBe(person.user.id);
      expectError(await login(), 400, 'INVALID_FORM_BODY', { response: 'INVALID_MFA_CODE' });
    });

    it('is the second factor of a password login', async () => {
      const { person, key } = await withPasskey();
      const { email, password } = person;
      const client = stack.api.from(freshAddress());
      const login = (await client.post('/auth/login', { email, password })).json<TicketAnswer>();
      expect(login.allowed_methods).toEqual(['webauthn']);
      const { ticket } = login;
      const path = '/auth/login/mfa/webauthn';
      const response = await assertion(key, client, `${path}/authentication-options`, { ticket });
      const user = await userOf(await client.post(path, { ticket, response }));
      expect(user).toMatchObject({ mfa_enabled: true, authenticator_types: ['webauthn'] });
      expectError(await client.post(path, { ticket, response }), 400, 'INVALID_FORM_BODY');
    });

    it('comes with backup codes when it is the first factor; a code completes a login without it', async () => {
      const { person, codes } = await withPasskey();
      const { email, password } = person;
      const client = stack.api.from(freshAddress());
      const { ticket, ...rest } = (
        await client.post('/auth/login', { email, password })
      ).json<TicketAnswer>();
      expect(rest).toEqual({ mfa: true, allowed_methods: ['webauthn'], backup_codes: true });
      const reply = await client.post('/auth/login/mfa/totp', { ticket, code: codes[0] });
      expect((await userOf(reply)).id).toBe(person.user.id);
      const [listed] = (await person.api.get(CREDENTIALS)).json<object[]>();
      expect(Object.keys(listed ?? {})).toEqual(['id', 'name', 'created_at', 'last_used_at']);
    });

    it('proves sudo, and is deleted with such a proof', async () => {
      const { person, key } = await withPasskey();
      const { api, password } = person;
      expectError(await api.post('/auth/sudo', { password }), 403, 'SUDO_MODE_REQUIRED');
      expectError(await api.post('/auth/sudo', { sudo_proof: {} }), 400, 'INVALID_FORM_BODY', {
        sudo_proof: 'INVALID_SUDO_PROOF',
      });
      const path = `${CREDENTIALS}/${key.lastId}`;
      const renamed = await api.send('PATCH', path, { body: { name: 'Old' } });
      expect(renamed.json<{ name: string }>().name, renamed.text).toBe('Old');
      const sudo_proof = await sudoProof(key, api);
      expect((await api.send('DELETE', path, { body: { sudo_proof } })).status).toBe(204);
      expect((await api.get(CREDENTIALS)).json()).toEqual([]);
      expect((await api.get('/users/@me')).json<CurrentUser>().mfa_enabled).toBe(false);
      expectError(await api.send('DELETE', path, { body: { password } }), 404, 'NOT_FOUND');
    });
  });
}
