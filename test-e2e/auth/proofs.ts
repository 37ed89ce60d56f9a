import { describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { ErrorBody, SessionAnswer } from '../support/objects.ts';
import { freshAddress, newcomer, register } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

const METHODS = { password: true, totp: false, webauthn: false };

/** Sudo mode (docs/credentials.md#sudo-mode), by a proof in the request or a grant to the session. */
export function proofs(stack: TestStack): void {
  describe('a sensitive operation', () => {
    const codes = (api: Api, body?: object) => api.post('/users/@me/mfa/backup-codes', body);

    it('without a proof is 403 SUDO_MODE_REQUIRED and lists the methods', async () => {
      const { api } = await newcomer(stack.api);
      for (const reply of [await api.post('/auth/sudo'), await api.post('/users/@me/delete', {})]) {
        const body = expectError(reply, 403, 'SUDO_MODE_REQUIRED') as ErrorBody & Record<string, unknown>;
        expect([body.has_mfa, body.methods]).toEqual([false, METHODS]);
      }
      const methods = await api.get('/users/@me/sudo/mfa-methods');
      expect(methods.json()).toEqual({ ...METHODS, has_mfa: false });
    });

    it('is allowed for five minutes in the session with the proof only', async () => {
      const home = stack.api.from(freshAddress());
      const { api, email, password } = await register(home);
      const login = (await home.post('/auth/login', { email, password })).json<SessionAnswer>();
      const other = home.as(`Bearer ${login.token}`);
      expectError(await api.post('/auth/sudo', { password: 'no' }), 400, 'INVALID_FORM_BODY', {
        password: 'INVALID_PASSWORD',
      });
      expectError(await codes(api), 403, 'SUDO_MODE_REQUIRED');
      const granted = await api.post('/auth/sudo', { password });
      const left = Date.parse(granted.json<{ expires_at: string }>().expires_at) - Date.now();
      expect(left / 60_000).toBeCloseTo(5, 0);
      // The proof is accepted. The account has no second factor, so this is 400.
      expectError(await codes(api), 400, 'BAD_REQUEST');
      expectError(await codes(other), 403, 'SUDO_MODE_REQUIRED');
      expectError(await codes(api, { password: 'no' }), 400, 'INVALID_FORM_BODY', {
        password: 'INVALID_PASSWORD',
      });
    });

    it('accepts ten password attempts in five minutes, over all routes together', async () => {
      const person = await newcomer(stack.api);
      const from = () => stack.api.from(freshAddress()).as(`Bearer ${person.token}`);
      const bySudo = () => from().post('/auth/sudo', { password: 'no' });
      const inline = () => codes(from(), { password: 'no' });
      const byPatch = () =>
        from().send('PATCH', '/users/@me', { body: { new_password: '12345678', password: 'no' } });
      for (let n = 0; n < 5; n += 1) {
        for (const wrong of [await bySudo(), await inline()])
          expectError(wrong, 400, 'INVALID_FORM_BODY', { password: 'INVALID_PASSWORD' });
      }
      for (const again of [bySudo, inline, byPatch]) expectError(await again(), 429, 'RATE_LIMITED');
      expectError(await codes(from()), 403, 'SUDO_MODE_REQUIRED');
    });
  });
}
