import { unavailable } from '@gatehouse/kit/fault';
import { describe, expect, it } from 'vitest';
import { steps, useEdge } from '../support/edge.ts';
import type { SendOptions } from '../support/http.ts';
import { ACCESS_TOKEN, BOT, charged, SESSION } from '../support/peers.ts';
import { currentUser } from '../support/samples.ts';

const IP = 'ip:127.0.0.1';
const ACCOUNT = 'account:1001';
const GLOBAL = ['global credential:1:9001'];
const session = { authorization: `Bearer ${SESSION}` };
const proofs = {
  password: `auth:sudo_pwd ${ACCOUNT}`,
  mfa_code: `auth:sudo_mfa ${ACCOUNT}`,
  sudo_proof: `auth:pk_assert ${ACCOUNT}`,
};

describe('a body that adds buckets to its route’s', () => {
  const edge = useEdge();

  async function charge(line: string, body: SendOptions['body'], headers = session): Promise<string[][]> {
    edge.peers.calls.length = 0;
    await edge.send(line, { headers, ...(body === undefined ? {} : { body }) });
    return charged(edge.peers);
  }

  describe.each([
    ['POST /auth/sudo', `auth:sudo ${IP}`],
    ['PATCH /users/@me', `user:update ${ACCOUNT}`],
    ['POST /users/@me/delete', `user:account:delete ${ACCOUNT}`],
    ['POST /users/@me/mfa/totp/enable', `user:mfa:totp:enable ${ACCOUNT}`],
    ['POST /users/@me/mfa/backup-codes', `user:mfa:backup_codes ${ACCOUNT}`],
    ['POST /users/@me/mfa/webauthn/credentials', `mfa:webauthn:register ${ACCOUNT}`],
    ['DELETE /users/@me/mfa/webauthn/credentials/7', `mfa:webauthn:delete ${ACCOUNT}`],
    ['POST /oauth2/applications/7/bot/reset-token', 'oauth_dev:clients:rotate_secret application:7'],
  ])('%s', (line, own) => {
    it('counts each proof in the route’s own set', async () => {
      expect(await charge(line, { password: 'x' })).toEqual([GLOBAL, [own, proofs.password]]);
      expect(await charge(line, { mfa_code: '123456' })).toEqual([GLOBAL, [own, proofs.mfa_code]]);
      expect(await charge(line, { sudo_proof: {} })).toEqual([GLOBAL, [own, proofs.sudo_proof]]);
      const all = await charge(line, { sudo_proof: { id: 'x' }, mfa_code: '', password: '' });
      expect(all).toEqual([GLOBAL, [own, ...Object.values(proofs)]]);
    });

    it.each<[string, SendOptions['body']]>([
      ['no body', undefined],
      ['an empty body', ''],
      ['no member', {}],
      ['null', { password: null, mfa_code: null, sudo_proof: null }],
      ['members of another type', { password: 7, mfa_code: 123456, sudo_proof: 'x' }],
      ['lists', { password: ['x'], mfa_code: [], sudo_proof: [] }],
      ['broken JSON', '{"password":"x"'],
      ['no object', '["password"]'],
      ['an inherited name', '{"__proto__":{"password":"x"}}'],
    ])('counts no proof for %s', async (_, body) => {
      expect(await charge(line, body)).toEqual([GLOBAL, [own]]);
    });

    it('counts a body that is too long, without its members', async () => {
      const bytes = line.startsWith('PATCH') ? 14.5 * 1024 * 1024 : 64 * 1024;
      expect(await charge(line, `{"password":"${'x'.repeat(bytes)}"}`)).toEqual([GLOBAL, [own]]);
      expect(steps(edge)).toEqual(['identify', 'check']);
    });

    it.each([
      ['an anonymous caller', '', `auth:sudo_pwd ${IP}`],
      ['a bot', `Bot ${BOT}`, 'auth:sudo_pwd account:2001'],
      ['an access token', `Bearer ${ACCESS_TOKEN}`, `auth:sudo_pwd ${ACCOUNT}`],
    ])('counts a proof from %s too, although it refuses the caller', async (_, authorization, counted) => {
      const [, own] = await charge(line, { password: 'x' }, { authorization });
      expect(own).toContain(counted);
      expect(steps(edge)).toEqual(['identify', 'check']);
    });

    it('counts a refused caller’s long body by the request’s head', async () => {
      const body = `{"password":"${'x'.repeat(64 * 1024)}"}`;
      const [, own] = await charge(line, body, { authorization: '' });
      expect(own?.join()).not.toContain('sudo_pwd');
      const status = (await edge.send(line, { headers: { authorization: '' }, body })).status;
      expect(status).toBe(line.startsWith('PATCH') ? 401 : 413);
    });
  });

  it.each<[string, unknown, boolean]>([
    ['two others', ['1', '2'], true],
    ['two others and the caller', ['1', '1001', '2'], true],
    ['more than are read', Array.from({ length: 50 }, (_, n) => `${n}`), true],
    ['one other', ['1'], false],
    ['one other twice', ['1', '1'], false],
    ['one other and the caller', ['1', '1001'], false],
    ['nobody', [], false],
    ['integers', [1, 2], true],
    ['an integer and a text', [11, '12'], true],
    ['one other as a text and as an integer', ['1', 1], false],
    ['a text', '1,2', false],
    ['an object', { 0: '1', 1: '2' }, false],
    ['null', null, false],
  ])('counts as a group DM only if it names two others (%s)', async (_, recipients, isGroup) => {
    const own = [`user:channels ${ACCOUNT}`, ...(isGroup ? [`user:group_dm:create ${ACCOUNT}`] : [])];
    expect(await charge('POST /users/@me/channels', { recipients })).toEqual([GLOBAL, own]);
  });

  it('counts the code that disables TOTP as a proof', async () => {
    const line = 'POST /users/@me/mfa/totp/disable';
    const own = `user:mfa:totp:disable ${ACCOUNT}`;
    expect(await charge(line, { code: '123456' })).toEqual([GLOBAL, [own, proofs.mfa_code]]);
    expect(await charge(line, { code: 123456 })).toEqual([GLOBAL, [own]]);
  });

  describe('PATCH /users/@me', () => {
    const own = `user:update ${ACCOUNT}`;
    const patch = async (body: object) => (await charge('PATCH /users/@me', body))[1];

    it('counts a new user name, a new address and a new password, each against buckets of its own', async () => {
      expect(await patch({ username: 'bob' })).toEqual([own, `username_change ${ACCOUNT}`]);
      const email = [`user:email_change:start ${ACCOUNT}`, `email_change:orig ${ACCOUNT}`];
      expect(await patch({ email: 'bob@example.com' })).toEqual([own, ...email]);
      const password = [`user:password_change:start ${ACCOUNT}`, `auth:pwdchg_start ${ACCOUNT}`];
      expect(await patch({ new_password: 'x' })).toEqual([own, ...password]);
      const all = { username: 'bob', email: 'bob@example.com', new_password: 'x', password: 'y' };
      const charges = [own, proofs.password, `username_change ${ACCOUNT}`, ...email, ...password];
      expect(await patch(all)).toEqual(charges);
    });

    it('does not count the values that the account has', async () => {
      expect(await patch({ username: 'ann', email: ' ann@example.com ' })).toEqual([own]);
      expect(await patch({ username: 'Ann' })).toEqual([own, `username_change ${ACCOUNT}`]);
    });

    it('loads the account only for a body with one of the two members, once, as the caller', async () => {
      await patch({ bio: 'x', new_password: 'y', password: 'z' });
      expect(steps(edge)).toEqual(['identify', 'check', 'updateCurrentUser']);
      await patch({ username: 'bob', email: 'bob@example.com' });
      expect(steps(edge)).toEqual(['identify', 'getCurrentUser', 'check', 'updateCurrentUser']);
      expect(edge.peers.calls[1]?.call.caller).toMatchObject({ account_id: '1001', credential_id: '9001' });
    });

    it('takes pictures of 14.5 MiB in total', async () => {
      const avatar = 'x'.repeat(7 * 1024 * 1024);
      const options = { headers: session, body: { avatar, banner: avatar } };
      expect((await edge.send('PATCH /users/@me', options)).status).toBe(200);
      const over = { headers: session, body: { avatar, banner: `${avatar}${'x'.repeat(512 * 1024)}` } };
      expect((await edge.send('PATCH /users/@me', over)).status).toBe(413);
    });

    it('counts by the request’s head if the account cannot be loaded, and then fails', async () => {
      edge.peers.answers.auth = { getCurrentUser: () => Promise.reject(unavailable()) };
      const options = { headers: session, body: { username: 'bob' } };
      expect((await edge.send('PATCH /users/@me', options)).status).toBe(503);
      expect(charged(edge.peers)).toEqual([GLOBAL, [own]]);
    });
  });

  it('is ignored for a verification mail: the account’s address counts', async () => {
    const line = 'POST /auth/verify/resend';
    const own = (email: string) => [
      `auth:send-verification ${IP}`,
      ...(email === '' ? [] : [`auth:send-verification-email ${email}`]),
    ];
    expect(await charge(line, { email: 'other@example.com' })).toEqual([GLOBAL, own('ann@example.com')]);
    edge.peers.answers.auth = {
      getCurrentUser: () => ({ user: { ...currentUser, email: 'Bob@Example.com' } }),
    };
    expect(await charge(line, undefined)).toEqual([GLOBAL, own('bob@example.com')]);
    expect(await charge(line, undefined, { authorization: '' })).toEqual([[`global ${IP}`], own('')]);
  });
});

describe('an optional body', () => {
  const edge = useEdge();
  const OPTIONAL = [
    'POST /auth/sudo',
    'POST /users/@me/delete',
    'POST /users/@me/mfa/backup-codes',
    'DELETE /users/@me/mfa/webauthn/credentials/7',
    'POST /oauth2/applications/7/bot/reset-token',
  ];
  const absent = { password: null, mfa_code: null, sudo_proof: null };

  it.each(OPTIONAL)('may be absent on %s; a present one is checked', async (line) => {
    for (const body of [undefined, '', '{}', {}]) {
      const options = { headers: session, ...(body === undefined ? {} : { body }) };
      expect((await edge.send(line, options)).status).toBeLessThan(300);
      expect(edge.peers.calls.at(-1)?.request).toMatchObject(absent);
    }
    for (const body of [' ', '{', '[]', 'null', '{"password":7}', '{"sudo_proof":"x"}']) {
      const { status, text } = await edge.send(line, { headers: session, body });
      expect([body, status, JSON.parse(text).code]).toEqual([body, 400, 'INVALID_FORM_BODY']);
    }
  });

  it('passes a proof on as JSON text', async () => {
    const sudo_proof = { id: 'x', response: { signature: 'é' } };
    await edge.send('POST /auth/sudo', { headers: session, body: { sudo_proof } });
    expect(edge.peers.calls.at(-1)?.request).toEqual({ ...absent, sudo_proof: JSON.stringify(sudo_proof) });
  });
});
