import { Fault, Status } from '@gatehouse/kit/fault';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { describe, expect, it } from 'vitest';
import { lastRequest, steps, useEdge } from '../support/edge.ts';
import { BOT, charged, SESSION } from '../support/peers.ts';
import { message } from '../support/samples.ts';

const headers = { authorization: `Bearer ${SESSION}`, 'x-request-id': 'r-1' };

describe('a request', () => {
  const edge = useEdge();

  it('is identified, limited and answered', async () => {
    const answer = await edge.send('POST /guilds', { headers, body: { name: 'é𝕏' } });
    expect([answer.status, answer.json()]).toMatchObject([200, { name: 'é𝕏' }]);
    expect(steps(edge)).toEqual(['identify', 'check', 'createGuild']);
    expect(charged(edge.peers)).toEqual([['global credential:1:9001'], ['guild:create account:1001']]);
  });

  it('reaches the service with caller, ID and deadline', async () => {
    await edge.send('GET /users/@me', { headers: { ...headers, authorization: `Bot ${BOT}` } });
    const { caller, requestId, due_ms } = edge.peers.calls.at(-1)?.call ?? {};
    expect(caller).toMatchObject({ kind: CallerKind.CALLER_KIND_BOT, account_id: '2001', ip: '127.0.0.1' });
    expect(requestId).toBe('r-1');
    expect((due_ms ?? 0) - performance.now()).toBeGreaterThan(5_000);
  });

  it('is denied', async () => {
    edge.peers.denial = { bucket: 'global', limit: 50, retry_after_us: 1_500_000, empty_after_us: 2_000_000 };
    // From an address that later tests do not use: the edge remembers the denial.
    const answer = await edge.send('POST /nothing');
    expect([answer.status, answer.json()]).toMatchObject([429, { global: true, retry_after: 1.5 }]);
  });

  it('returns an error with all its parts', async () => {
    const violations = [{ path: 'a.0', code: 'INVALID_FORMAT', message: 'Nein – é.' }];
    edge.peers.answers.chat = {
      getGuild: () => {
        const members = { retry_after: 1.5, deep: { a: [null, true] } };
        throw new Fault({
          status: Status.INVALID_ARGUMENT,
          reason: 'BAD_REQUEST',
          message: 'é',
          members,
          violations,
        });
      },
    };
    const answer = await edge.send('GET /guilds/1', { headers });
    expect([answer.status, answer.json()]).toEqual([
      400,
      {
        error: '400 Bad Request',
        code: 'BAD_REQUEST',
        message: 'é',
        retry_after: 1.5,
        deep: { a: [null, true] },
        errors: violations,
      },
    ]);
  });

  it('may be as long as its route allows, and so may its answer', async () => {
    const body = Buffer.alloc(25 * 1024 * 1024, 'x');
    expect((await edge.send('POST /webhooks/41/tok/codehost', { body })).status).toBe(204);
    expect(body.equals(lastRequest<{ body: Uint8Array }>(edge).body)).toBe(true);
    const messages = Array.from({ length: 100 }, () => ({ ...message, content: '😀'.repeat(4000) }));
    edge.peers.answers.chat = { listMessages: () => ({ messages }) };
    const answer = await edge.send('GET /channels/21/messages', { headers });
    expect(answer.json<{ content: string }[]>().map(({ content }) => content)).toEqual(
      messages.map(({ content }) => content),
    );
  });

  it('gets its own answer among a thousand others', async () => {
    const ids = Array.from({ length: 1000 }, (_, id) => String(id));
    const answers = await Promise.all(ids.map((id) => edge.send(`GET /guilds/${id}`, { headers })));
    expect(answers.map((answer) => answer.json().id)).toEqual(ids);
  });
});
