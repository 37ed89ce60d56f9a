import { newSecret, totp } from '@gatehouse/dev-env/second-factors/totp';
import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { mailsTo, tokensMailed } from '../support/mail.ts';
import type { BackupCode, CurrentUser, SessionAnswer, TicketAnswer } from '../support/objects.ts';
import { freshAddress, type Person, register } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

/** TOTP and backup codes, from enabling to disabling. */
export function secondFactors(stack: TestStack): void {
  interface Protected extends Person {
    home: Api;
    secret: string;
    /** The TOTP code that enabled it. */
    code: string;
    codes: string[];
  }

  async function protectedPerson(): Promise<Protected> {
    const home = stack.api.from(freshAddress());
    const person = await register(home);
    const secret = newSecret();
    const code = totp(secret);
    const enable = (body: object) => person.api.post('/users/@me/mfa/totp/enable', { secret, ...body });
    expectError(await enable({ code }), 403, 'SUDO_MODE_REQUIRED');
    expectError(await enable({ code: '000', password: person.password }), 400, 'INVALID_FORM_BODY', {
      code: 'INVALID_MFA_CODE',
    });
    const enabled = await enable({ code, password: person.password });
    expect(enabled.status, enabled.text).toBe(200);
    const { backup_codes } = enabled.json<{ backup_codes: BackupCode[] }>();
    expect(backup_codes.filter(({ consumed }) => !consumed)).toHaveLength(10);
    return { ...person, home, secret, code, codes: backup_codes.map((each) => each.code) };
  }

  async function ticketOf({ email, password }: Person, from: Api): Promise<string> {
    const answer = await from.post('/auth/login', { email, password });
    const { ticket, ...rest } = answer.json<TicketAnswer>();
    expect(rest, answer.text).toEqual({ mfa: true, allowed_methods: ['totp'], backup_codes: true });
    return ticket;
  }
  const finish = (from: Api, ticket: string, code: string): Promise<Reply> =>
    from.post('/auth/login/mfa/totp', { ticket, code });
  const WRONG = { code: 'INVALID_MFA_CODE' };
  const SPENT = { ticket: 'INVALID_OR_EXPIRED_TICKET' };

  describe('an account with TOTP', () => {
    it('logs in by password and code from any address; each code works once, including the enabling one', async () => {
      const person = await protectedPerson();
      const elsewhere = stack.api.from(freshAddress());
      const ticket = await ticketOf(person, elsewhere);
      expectError(await finish(elsewhere, ticket, person.code), 400, 'INVALID_FORM_BODY', WRONG);
      const next = totp(person.secret, 1);
      const session = await finish(elsewhere, ticket, next);
      expect(session.status, session.text).toBe(200);
      const user = elsewhere.as(`Bearer ${session.json<SessionAnswer>().token}`);
      expect((await user.get('/users/@me')).json<CurrentUser>()).toMatchObject({
        mfa_enabled: true,
        authenticator_types: ['totp'],
      });
      expectError(await finish(elsewhere, ticket, next), 400, 'INVALID_FORM_BODY', SPENT);
      const second = await ticketOf(person, elsewhere);
      expectError(await finish(elsewhere, second, next), 400, 'INVALID_FORM_BODY', WRONG);
    });

    it('logs in with a backup code once', async () => {
      const person = await protectedPerson();
      const [code = ''] = person.codes;
      expect((await finish(person.home, await ticketOf(person, person.home), code)).status).toBe(200);
      const again = await ticketOf(person, person.home);
      expectError(await finish(person.home, again, code), 400, 'INVALID_FORM_BODY', WRONG);
      const listed = await person.api.post('/users/@me/mfa/backup-codes', { mfa_code: person.codes[1] });
      const { backup_codes } = listed.json<{ backup_codes: BackupCode[] }>();
      expect(backup_codes.filter(({ consumed }) => consumed).map((each) => each.code)).toEqual(
        person.codes.slice(0, 2),
      );
    });

    it('is blocked after 20 wrong codes from any address, also for a valid code; its owner gets a mail', async () => {
      const person = await protectedPerson();
      const from = () => stack.api.from(freshAddress());
      for (let round = 0; round < 4; round += 1) {
        const ticket = await ticketOf(person, from());
        for (let n = 0; n < 5; n += 1)
          expectError(await finish(from(), ticket, '000000'), 400, 'INVALID_FORM_BODY', WRONG);
      }
      const held = await finish(from(), await ticketOf(person, from()), person.codes[0] ?? '');
      expect(held.status, held.text).toBe(429);
      const { retry_after, message, ...rest } = held.json<{ retry_after: number; message: string }>();
      expect(rest).toEqual({ error: '429 Too Many Requests', code: 'RATE_LIMITED', global: false });
      const seconds = Math.ceil(retry_after);
      expect(seconds).toBeGreaterThan(600);
      expect(message).toBe(`You are being rate limited. Try again in ${seconds} seconds.`);
      const limitHeaders = [...held.headers].filter(([name]) => /^(retry-after|x-ratelimit-.*)$/.test(name));
      expect(Object.fromEntries(limitHeaders)).toEqual({
        'retry-after': `${seconds}`,
        'x-ratelimit-scope': 'user',
      });
      await until('the mail about the block', 30_000, async () => {
        const mails = await mailsTo(stack.data_dir, person.email);
        return mails.some((mail) => mail.includes('20 wrong codes')) || undefined;
      });
    });

    it('proves sudo by a code, not by its password, and disables TOTP with a code', async () => {
      const { api, password, codes } = await protectedPerson();
      expectError(await api.post('/auth/sudo', { password }), 403, 'SUDO_MODE_REQUIRED');
      expect((await api.get('/users/@me/sudo/mfa-methods')).json()).toEqual({
        password: false,
        totp: true,
        webauthn: false,
        has_mfa: true,
      });
      expect((await api.post('/auth/sudo', { mfa_code: codes[0] })).status).toBe(200);
      const renewed = await api.post('/users/@me/mfa/backup-codes', { regenerate: true });
      const fresh = renewed.json<{ backup_codes: BackupCode[] }>().backup_codes.map(({ code }) => code);
      expect(fresh.filter((code) => codes.includes(code))).toEqual([]);
      const disable = (code: unknown) => api.post('/users/@me/mfa/totp/disable', { code });
      for (const body of [undefined, {}, { code: null }])
        expectError(await api.post('/users/@me/mfa/totp/disable', body), 403, 'SUDO_MODE_REQUIRED');
      expectError(await disable(codes[1]), 400, 'INVALID_FORM_BODY', WRONG);
      expect((await disable(fresh[0])).status).toBe(204);
      expect((await api.get('/users/@me')).json<CurrentUser>()).toMatchObject({
        mfa_enabled: false,
        authenticator_types: [],
      });
    });

    it('gets a ticket instead of a session after a password reset', async () => {
      const person = await protectedPerson();
      await person.home.post('/auth/forgot', { email: person.email });
      const [token] = await tokensMailed(stack.data_dir, person.email, 'reset');
      const reset = await person.home.post('/auth/reset', { token, password: 'a new password' });
      const { ticket, ...rest } = reset.json<TicketAnswer>();
      expect(rest).toEqual({ mfa: true, allowed_methods: ['totp'], backup_codes: true });
      expectError(await person.api.get('/users/@me'), 401, 'UNAUTHORIZED');
      expect((await finish(person.home, ticket, person.codes[0] ?? '')).status).toBe(200);
    });
  });
}
