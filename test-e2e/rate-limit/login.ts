import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { freshAddress, newcomer } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { expectBucketDenial } from './expect-denial.ts';

export function loginLimits(stack: TestStack): void {
  const visitor = () => stack.api.from(freshAddress());
  const login = (api: Api, email: unknown, password: unknown = 'not the password') =>
    api.post('/auth/login', { email, password });
  const unknownName = () => `${randomUUID()}@example.com`;

  describe('auth:login:email, 5 per 15 min and login name', () => {
    it('denies the sixth attempt on a name from any address, even with the right password', async () => {
      const { email, password } = await newcomer(stack.api);
      for (let n = 0; n < 5; n += 1) expectWrong(await login(visitor(), email));
      expectBucketDenial(await login(visitor(), email, password), 'auth:login:email');
    });

    it('limits an unknown name in the same way', async () => {
      const email = unknownName();
      for (let n = 0; n < 5; n += 1) expectWrong(await login(visitor(), email));
      expectBucketDenial(await login(visitor(), email), 'auth:login:email');
    });

    it('ignores case and surrounding spaces of a name', async () => {
      const name = unknownName();
      const spellings = [name, name.toUpperCase(), ` ${name}`, `${name}\t`, `  ${name.toUpperCase()} `];
      for (const spelling of spellings) expect((await login(visitor(), spelling)).status).toBe(400);
      expectBucketDenial(await login(visitor(), name), 'auth:login:email');
    });

    it('counts successful logins and invalid bodies too', async () => {
      const { email, password } = await newcomer(stack.api);
      for (let n = 0; n < 3; n += 1) expect((await login(visitor(), email, password)).status).toBe(200);
      for (let n = 0; n < 2; n += 1) expect((await login(visitor(), email, 7)).status).toBe(400);
      expectBucketDenial(await login(visitor(), email, password), 'auth:login:email');
    });

    it('charges no other bucket of the route when it denies', async () => {
      const email = unknownName();
      for (let n = 0; n < 5; n += 1) await login(visitor(), email);
      const api = visitor();
      for (let n = 0; n < 12; n += 1) {
        expectBucketDenial(await login(api, email), 'auth:login:email');
      }
      for (let n = 0; n < 10; n += 1) expectWrong(await login(api, unknownName()));
      expectBucketDenial(await login(api, unknownName()), 'login:ip');
    });
  });

  describe('login:ip, 10 per 30 min and address', () => {
    it('counts a body without a name too', async () => {
      const api = visitor();
      const send = (body: unknown) => api.post('/auth/login', body, { 'content-type': 'application/json' });
      const bodies = [
        '{',
        '[]',
        '',
        '{}',
        '{"email":7,"password":"x"}',
        '{"email":null}',
        '"x"',
        'null',
        '{"email":{}}',
        '7',
      ];
      for (const body of bodies) expectError(await send(body), 400, 'INVALID_FORM_BODY');
      expectBucketDenial(await send('{'), 'login:ip');
    });
  });

  describe('registration', () => {
    const register = (api: Api, body: object = {}) => api.post('/auth/register', body);

    it('is limited to 3 per hour and address, successful or not', async () => {
      const api = visitor();
      for (let n = 0; n < 3; n += 1) expectError(await register(api), 400, 'INVALID_FORM_BODY');
      expectBucketDenial(await register(api), 'registration:ip');
    });

    it('is limited to 3 per 15 min and e-mail address', async () => {
      const email = unknownName();
      for (let n = 0; n < 3; n += 1) expect((await register(visitor(), { email })).status).toBe(400);
      const again = await register(visitor(), { email: ` ${email.toUpperCase()}` });
      expectBucketDenial(again, 'registration:email');
    });

    it('is limited to 15 per hour and address block', async () => {
      for (let n = 0; n < 15; n += 1) await register(stack.api.from(`198.51.100.${n}`));
      expectBucketDenial(await register(stack.api.from('198.51.100.200')), 'registration:subnet');
    });

    it('groups IPv6 by /64 and treats IPv4-mapped addresses as IPv4', async () => {
      for (const n of [1, 2, 3]) await register(stack.api.from(`2001:db8:1:1::${n}`));
      expectBucketDenial(await register(stack.api.from('2001:DB8:1:1:ffff::')), 'registration:ip');
      expect((await register(stack.api.from('2001:db8:1:2::1'))).status, 'the next /64').toBe(400);

      const ip = freshAddress();
      for (let n = 0; n < 3; n += 1) await register(stack.api.from(n % 2 ? ip : `::ffff:${ip}`));
      expectBucketDenial(await register(stack.api.from(`::ffff:${ip}`)), 'registration:ip');
    });

    it('uses the last X-Forwarded-For address, which the trusted proxy appended', async () => {
      const ip = freshAddress();
      const through = (n: number) => stack.api.from(`203.0.113.${n}, ${ip}`);
      for (const n of [1, 2, 3]) await register(through(n));
      expectBucketDenial(await register(through(4)), 'registration:ip');
    });
  });

  function expectWrong(reply: Reply): void {
    expectError(reply, 400, 'INVALID_FORM_BODY', {
      email: 'INVALID_EMAIL_OR_PASSWORD',
      password: 'INVALID_EMAIL_OR_PASSWORD',
    });
  }
}
