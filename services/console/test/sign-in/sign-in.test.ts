import { totp } from '@gatehouse/dev-env/second-factors/totp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, IN_TIME, startConsole } from '../start-console.ts';
import {
  enrolByPasskey,
  enrolByPassword,
  expectOk,
  newOperator,
  PASSWORD,
  signedIn,
  Visitor,
} from '../visitor.ts';

let service: ConsoleUnderTest;
beforeAll(async () => {
  service = await startConsole('console_sign_in', { trusted_proxies: ['127.0.0.1'] });
});
afterAll(() => service.close());

let addresses = 0;
/** A browser at an address of its own: wrong sign-ins count by address. */
function browser(): Visitor {
  return new Visitor(service, { headers: { 'x-forwarded-for': `198.51.100.${++addresses}` } });
}

describe('a one-time link', () => {
  it('works once, and its session may do nothing but set up a sign-in', async () => {
    const { link_token } = await newOperator(service, 'once');
    const first = browser();
    const used = await expectOk(first.post('/api/sign-in/link', { token: link_token }));
    expect(used.body).toEqual({ state: 'enrol', name: 'once' });
    expect((await browser().post('/api/sign-in/link', { token: link_token })).status).toBe(401);
    expect((await first.get('/api/me')).body).toMatchObject({
      name: 'once',
      state: 'enrol',
      has_factor: false,
    });
    expect((await first.get('/api/operators')).status).toBe(401);
  });

  it('works once for simultaneous uses', async () => {
    const { link_token } = await newOperator(service, 'twice');
    const uses = await Promise.all(
      Array.from({ length: 8 }, () => browser().post('/api/sign-in/link', { token: link_token })),
    );
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('does not work after an hour', async () => {
    const { link_token } = await newOperator(service, 'late');
    await service.db.query(
      `UPDATE links SET created_at = now() - interval '1 hour 1 second' WHERE operator = 'late'`,
    );
    expect((await browser().post('/api/sign-in/link', { token: link_token })).status).toBe(401);
  });

  it('that is made again ends the former sign-in and its sessions', async () => {
    const visitor = await signedIn(service, 'again', 'read', {
      headers: { 'x-forwarded-for': `198.51.100.${++addresses}` },
    });
    const { link } = await service.operators.updateOperator(
      { name: 'again', new_link: true, new_token: false },
      IN_TIME,
    );
    expect(link).toMatch(/^http:\/\/localhost:\d+\/link#[\w-]{43}$/);
    expect((await visitor.get('/api/me')).status).toBe(401);
    const password = { name: 'again', password: PASSWORD, code: '123456' };
    expect((await browser().post('/api/sign-in/password', password)).status).toBe(401);
  });
});

describe('a sign-in by password', () => {
  it('needs password and code, and a code works once', async () => {
    const { link_token } = await newOperator(service, 'pat');
    const secret = await enrolByPassword(browser(), link_token);
    const code = totp(secret, 1);
    const visitor = browser();
    const wrong = { name: 'pat', password: `${PASSWORD}!`, code };
    expect((await visitor.post('/api/sign-in/password', wrong)).status).toBe(401);
    const right = { name: 'pat', password: PASSWORD, code };
    const answer = await expectOk(visitor.post('/api/sign-in/password', right));
    expect(answer.headers.get('set-cookie')).toMatch(
      /^gatehouse_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect((await visitor.get('/api/me')).body).toMatchObject({
      name: 'pat',
      role: 'admin',
      state: 'signed_in',
    });
    expect((await browser().post('/api/sign-in/password', right)).status).toBe(401);
  });

  it('is refused after too many wrong ones from an address, simultaneous ones too', async () => {
    const visitor = browser();
    const wrong = { name: 'nobody', password: PASSWORD, code: '000000' };
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => visitor.post('/api/sign-in/password', wrong)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(60);
  });
});

describe('a sign-in by passkey', () => {
  it('needs the operator’s own passkey and a live challenge', async () => {
    const { link_token } = await newOperator(service, 'kay');
    const authenticator = await enrolByPasskey(browser(), link_token);
    const visitor = browser();
    const options = await expectOk(visitor.post('/api/sign-in/passkey/options', { name: 'kay' }));
    const response: unknown = JSON.parse(authenticator.get(options.text));
    expect((await visitor.post('/api/sign-in/passkey', { name: 'pat', response })).status).toBe(401);
    const again = await expectOk(visitor.post('/api/sign-in/passkey/options', { name: 'kay' }));
    const right = { name: 'kay', response: JSON.parse(authenticator.get(again.text)) as unknown };
    await expectOk(visitor.post('/api/sign-in/passkey', right));
    expect((await visitor.get('/api/me')).body).toMatchObject({ name: 'kay', has_factor: true });
    expect((await browser().post('/api/sign-in/passkey', right)).status).toBe(401);
  });

  it('does not show whether a name exists', async () => {
    const unknown = () => browser().post('/api/sign-in/passkey/options', { name: 'no-such-name' });
    const [one, other] = [await expectOk(unknown()), await expectOk(unknown())];
    expect(one.body.allowCredentials).toHaveLength(1);
    expect(one.body.allowCredentials).toEqual(other.body.allowCredentials);
    expect(one.body.challenge).not.toBe(other.body.challenge);
  });
});

it('no table and no log has a secret', async () => {
  const { link_token, token } = await newOperator(service, 'planted');
  const visitor = browser();
  const totp_secret = await enrolByPassword(visitor, link_token);
  const session = visitor.cookie?.split('=')[1] ?? '';
  const tables = ['operators', 'passkeys', 'challenges', 'links', 'sessions', 'tokens', 'actions'];
  const rows = await Promise.all(
    tables.map(async (table) => (await service.db.query(`SELECT * FROM ${table}`)).rows),
  );
  const text = JSON.stringify(rows, (_key, value: unknown) =>
    value instanceof Buffer ? value.toString('latin1') : value,
  );
  for (const secret of [link_token, token, totp_secret, session, PASSWORD]) {
    expect(secret).not.toBe('');
    expect(text).not.toContain(secret);
    expect(service.log.join('')).not.toContain(secret);
  }
});
