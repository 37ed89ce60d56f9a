import { describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { tokensMailed } from '../support/mail.ts';
import type { ErrorBody, SessionAnswer } from '../support/objects.ts';
import { freshAddress, newcomer, type Person } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

interface Held extends ErrorBody {
  ticket: string;
  email: string;
  resend_available_in: number;
}

/** Logins from a new address, which wait for the link in a mail. */
export function heldLogins(stack: TestStack): void {
  const login = (api: Api, { email, password }: Person) => api.post('/auth/login', { email, password });
  const poll = (api: Api, ticket: string) => api.get(`/auth/ip-authorization/poll?ticket=${ticket}`);
  const SPENT = { ticket: 'INVALID_OR_EXPIRED_TICKET' };

  describe('a login from a new location', () => {
    it('waits for its mail, then starts one session; later logins from there do not wait', async () => {
      const person = await newcomer(stack.api);
      const client = stack.api.from(freshAddress());
      const reply = await login(client, person);
      const held = expectError(reply, 403, 'IP_AUTHORIZATION_REQUIRED') as Held;
      expect(held.resend_available_in).toBe(30);
      expect(held.email).toContain('*');
      expect(held.email).not.toBe(person.email);
      expect((await poll(client, held.ticket)).json()).toEqual({ completed: false });

      const [token] = await tokensMailed(stack.data_dir, person.email, 'authorize-ip');
      expectError(await client.post('/auth/authorize-ip', { token: held.ticket }), 400, 'INVALID_FORM_BODY', {
        token: 'INVALID_OR_EXPIRED_TOKEN',
      });
      expect((await stack.api.from(freshAddress()).post('/auth/authorize-ip', { token })).status).toBe(204);
      const polls = await Promise.all(Array.from({ length: 10 }, () => poll(client, held.ticket)));
      const [done, ...others] = polls.sort((one, other) => one.status - other.status);
      const { completed, token: session } = done?.json<SessionAnswer & { completed: boolean }>() ?? {};
      expect(completed).toBe(true);
      expect((await client.as(`Bearer ${session}`).get('/users/@me')).status).toBe(200);
      for (const other of others) expectError(other, 400, 'INVALID_FORM_BODY', SPENT);
      expect((await login(client, person)).status).toBe(200);
    });

    it('can have its mail sent again after 30 seconds, not before', async () => {
      const person = await newcomer(stack.api);
      const client = stack.api.from(freshAddress());
      const { ticket } = (await login(client, person)).json<Held>();
      const early = await client.post('/auth/ip-authorization/resend', { ticket });
      const { resend_available_in } = expectError(early, 400, 'BAD_REQUEST') as Held;
      expect(resend_available_in).toBeGreaterThan(0);
      expect(resend_available_in).toBeLessThanOrEqual(30);
      const unknown = await client.post('/auth/ip-authorization/resend', { ticket: 'x'.repeat(43) });
      expectError(unknown, 400, 'INVALID_FORM_BODY', SPENT);
    });

    it('fails the same way for a wrong password and an unknown address', async () => {
      const person = await newcomer(stack.api);
      const client = stack.api.from(freshAddress());
      const wrong = await login(client, { ...person, password: 'not the password' });
      const nobody = await login(client, { ...person, email: `no-${person.email}` });
      expectError(wrong, 400, 'INVALID_FORM_BODY');
      expect(nobody.text).toBe(wrong.text);
    });
  });
}
