import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { commandOf, expectOk, newOperator, signedIn, Visitor } from '../visitor.ts';

let service: ConsoleUnderTest;
beforeAll(async () => {
  service = await startConsole('console_sessions', {
    trusted_proxies: ['127.0.0.1'],
    operator_header: 'x-operator',
    local_operator: true,
  });
});
afterAll(() => service.close());

const HOME = { 'x-forwarded-for': '192.0.2.10' };

describe('a session', () => {
  it('ends when its cookie comes from another address, and a line says so', async () => {
    const visitor = await signedIn(service, 'moved', 'admin', { headers: HOME });
    expect((await visitor.get('/api/me')).status).toBe(200);
    expect((await visitor.with({ 'x-forwarded-for': '203.0.113.9' }).get('/api/me')).status).toBe(401);
    expect((await visitor.get('/api/me')).status).toBe(401);
    const { rows } = await service.db.query(
      `SELECT operator, ip, outcome, detail FROM actions WHERE action = 'session.moved'`,
    );
    expect(rows).toEqual([
      { operator: 'moved', ip: '203.0.113.9', outcome: 'done', detail: { opened_from: '192.0.2.10' } },
    ]);
  });

  it.each([
    "last_used_at = now() - interval '61 minutes'",
    "created_at = now() - interval '12 hours 1 second'",
  ])('ends: %s', async (change) => {
    const name = `ends-${change.slice(0, 4)}`;
    const visitor = await signedIn(service, name, 'read', { headers: HOME });
    await service.db.query(`UPDATE sessions SET ${change} WHERE operator = $1`, [name]);
    expect((await visitor.get('/api/me')).status).toBe(401);
  });

  it('ends by sign-out', async () => {
    const visitor = await signedIn(service, 'leaver', 'read', { headers: HOME });
    const copy = visitor.with({});
    await expectOk(visitor.post('/api/sign-out'));
    expect((await copy.get('/api/me')).status).toBe(401);
  });
});

describe('a change', () => {
  it('that another site may have caused is refused', async () => {
    const visitor = await signedIn(service, 'victim', 'admin', { headers: HOME });
    for (const headers of [
      { 'x-gatehouse-console': '' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await visitor.with(headers).post('/api/operators', { name: 'planted', role: 'admin' });
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    const own = visitor.with({ origin: service.url, 'sec-fetch-site': 'same-origin' });
    expect((await own.post('/api/operators', { name: 'made', role: 'read' })).status).toBe(200);
  });

  it('by token needs no header', async () => {
    const command = await commandOf(service, 'shell');
    expect((await command.post('/api/operators', { name: 'by-shell', role: 'read' })).status).toBe(200);
  });
});

describe('a credential of the public API', () => {
  it.each([
    `gth_${'a'.repeat(36)}`,
    `123456789012345678.${'a'.repeat(43)}`,
    'a'.repeat(43),
    `gho_${'a'.repeat(42)}`,
    `gho_${'a'.repeat(43)}`,
  ])('is none here: %s', async (token) => {
    const answer = await new Visitor(service).with({ authorization: `Bearer ${token}` }).get('/api/me');
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe('a proxy’s header', () => {
  it('signs in the operator that it names, if the operator exists', async () => {
    await newOperator(service, 'proxied', 'support');
    const visitor = new Visitor(service, { headers: { ...HOME, 'x-operator': 'proxied' } });
    expect((await visitor.get('/api/me')).body).toMatchObject({
      name: 'proxied',
      role: 'support',
      by: 'header',
    });
    for (const name of ['nobody', 'Proxied', 'a b', '%'])
      expect((await visitor.with({ 'x-operator': name }).get('/api/me')).status).toBe(401);
    expect((await visitor.with({ 'x-gatehouse-console': '' }).post('/api/limits/reset')).status).toBe(403);
  });

  it('counts for nothing from another peer', async () => {
    const other = await startConsole('console_other_peer', {
      trusted_proxies: ['192.0.2.1'],
      operator_header: 'x-operator',
    });
    try {
      await newOperator(other, 'proxied');
      const visitor = new Visitor(other, { headers: { 'x-operator': 'proxied' } });
      expect((await visitor.get('/api/me')).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});

describe('the operator local', () => {
  const file = (name: string) => join(service.local_dir, name);
  const linkToken = () => readFileSync(file('link'), 'utf8').trim().split('#')[1] ?? '';

  it('signs in by its link on this machine alone', async () => {
    for (const name of ['link', 'token']) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
    const token = linkToken();
    const visitor = new Visitor(service);
    expect((await visitor.post('/api/sign-in/link', { token })).body).toEqual({
      state: 'signed_in',
      name: 'local',
    });
    expect((await visitor.get('/api/operators')).status).toBe(200);
    expect((await visitor.get('/api/me')).body).toMatchObject({ role: 'admin', has_factor: false });
  });

  it('acts by its token', async () => {
    const token = readFileSync(file('token'), 'utf8').trim();
    const command = new Visitor(service, { headers: { authorization: `Bearer ${token}` } });
    expect((await command.get('/api/me')).body).toMatchObject({ name: 'local', role: 'admin', by: 'token' });
  });

  it('needs a factor from elsewhere', async () => {
    const link = await service.operators.updateOperator(
      { name: 'local', new_link: true, new_token: false },
      { timeoutMs: 5_000 },
    );
    const token = link.link?.split('#')[1] ?? '';
    const visitor = new Visitor(service, { headers: HOME });
    expect((await visitor.post('/api/sign-in/link', { token })).body).toEqual({
      state: 'enrol',
      name: 'local',
    });
    expect((await visitor.get('/api/operators')).status).toBe(401);
  });
});
