import { describe, expect, it } from 'vitest';
import { newOauthClient } from '../../oauth2/consent.ts';
import { grantTokens } from '../../oauth2/grant-tokens.ts';
import { newBot } from '../../support/bots.ts';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { newcomer } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { CLOSE, OP } from '../support/codes.ts';
import type { Connection } from '../support/connection.ts';
import { identify, sendResume } from '../support/session.ts';
import type { Gateway } from '../support/use-gateway.ts';

const FRAME_BYTES = 4096;
const IDENTIFY_BYTES = 15 * 1024;

/** A frame of exactly `bytes` bytes, padded by an unknown member. */
function padded(frame: object, bytes: number): string {
  const bare = JSON.stringify({ ...frame, pad: '' });
  return JSON.stringify({ ...frame, pad: 'x'.repeat(bytes - bare.length) });
}

/** Every client error with its close code (docs/gateway.md#close-codes). */
export function closeCodes(stack: TestStack, gateway: Gateway): void {
  const codeAfter = async (connection: Connection, ...frames: (string | Uint8Array | object)[]) => {
    for (const frame of frames) connection.send(frame);
    return (await connection.closed()).code;
  };
  const newSession = async () => gateway.identify((await newcomer(stack.api)).token);
  const heartbeat = { op: OP.HEARTBEAT, d: null };

  describe('4001', () => {
    it.each([3, 4, 8, 12, 99, -1, 2 ** 40])('for op %i', async (op) => {
      const session = await newSession();
      expect(await codeAfter(session.connection, { op, d: null })).toBe(CLOSE.UNKNOWN_OPCODE);
      const { missed } = await gateway.resume(session, session.seq());
      expect(missed, 'the session can be resumed').toEqual([]);
    });
  });

  describe('4002', () => {
    const BROKEN: [name: string, frame: string | Uint8Array][] = [
      ['no JSON', '{"op":1,'],
      ['an empty frame', ''],
      ['a list', '[1]'],
      ['null', 'null'],
      ['a string', '"1"'],
      ['a number', '1'],
      ['two objects', '{"op":1,"d":null}{"op":1,"d":null}'],
      ['a binary frame', Buffer.from('{"op":1,"d":null}')],
      ['4,097 bytes', padded(heartbeat, FRAME_BYTES + 1)],
      ['Identify of more than 15 KiB', padded({ op: OP.IDENTIFY, d: { token: 'x' } }, IDENTIFY_BYTES + 1)],
      ['Identify without d', '{"op":2}'],
      ['Identify with a token that is not a string', '{"op":2,"d":{"token":7}}'],
      ['Resume without a session', '{"op":6,"d":{"token":"x"}}'],
      ['an op that is a string', '{"op":"1","d":null}'],
      ['an op with a fraction', '{"op":1.5,"d":null}'],
      ['no op', '{"d":null}'],
    ];

    it.each(BROKEN)('for %s before Identify', async (_, frame) => {
      expect(await codeAfter(await gateway.connect(), frame)).toBe(CLOSE.DECODE_ERROR);
    });

    it.each(BROKEN.slice(0, 9))('for %s after it, and the session can be resumed', async (_, frame) => {
      const session = await newSession();
      expect(await codeAfter(session.connection, frame)).toBe(CLOSE.DECODE_ERROR);
      expect((await gateway.resume(session, session.seq())).missed).toEqual([]);
    });

    it('not for frames of exactly the maximum size', async () => {
      const connection = await gateway.connect();
      connection.send(padded(heartbeat, FRAME_BYTES));
      await connection.frame(OP.ACK);
      const { token } = await newcomer(stack.api);
      connection.send(padded({ op: OP.IDENTIFY, d: { token } }, IDENTIFY_BYTES));
      await connection.until('READY', () => connection.dispatches[0]);
      connection.send(padded(heartbeat, FRAME_BYTES));
      await connection.until('a second ack', () => connection.frames.filter(({ op }) => op === OP.ACK).at(1));
    });

    it('counts bytes, not characters', async () => {
      const connection = await gateway.connect();
      const frame = JSON.stringify({ ...heartbeat, pad: 'é'.repeat(FRAME_BYTES / 2) });
      expect(await codeAfter(connection, frame)).toBe(CLOSE.DECODE_ERROR);
    });
  });

  describe('4003', () => {
    it.each([0, 3, 7, 9, 10, 11, 99])('for op %i before Identify', async (op) => {
      const code = await codeAfter(await gateway.connect(), { op, d: null });
      expect(code).toBe(CLOSE.NOT_AUTHENTICATED);
    });
  });

  describe('4004', () => {
    it.each(['', 'x', 'Bot ', 'Bot x.y', `gth_${'a'.repeat(36)}`, `1234.${'b'.repeat(27)}`, '\u0000', 'é'])(
      'for the token %j',
      async (token) => {
        const identifying = { op: OP.IDENTIFY, d: { token, properties: {} } };
        const code = await codeAfter(await gateway.connect(), identifying);
        expect(code).toBe(CLOSE.AUTHENTICATION_FAILED);
      },
    );

    it('for a logged-out session, and for a token with a prefix, a space or another case', async () => {
      const { api, token } = await newcomer(stack.api);
      const codeOf = async (sent: string) =>
        codeAfter(await gateway.connect(), { op: OP.IDENTIFY, d: { token: sent } });
      expect(await codeOf(`Bearer ${token}`)).toBe(CLOSE.AUTHENTICATION_FAILED);
      expect(await codeOf(`Bot ${token}`)).toBe(CLOSE.AUTHENTICATION_FAILED);
      expect(await codeOf(token.toUpperCase())).toBe(CLOSE.AUTHENTICATION_FAILED);
      expect(await codeOf(`${token} `)).toBe(CLOSE.AUTHENTICATION_FAILED);
      await expectNoContent(api.post('/auth/logout'));
      expect(await codeOf(token)).toBe(CLOSE.AUTHENTICATION_FAILED);
    });

    it('for a replaced bot token', async () => {
      const { id, token, owner } = await newBot(stack.api);
      const path = `/oauth2/applications/${id}/bot/reset-token`;
      const reset = await expectOk<{ token: string }>(owner.api.post(path, { password: owner.password }));
      for (const old of [token, `Bot ${token}`])
        expect(await codeAfter(await gateway.connect(), { op: OP.IDENTIFY, d: { token: old } })).toBe(
          CLOSE.AUTHENTICATION_FAILED,
        );
      expect((await gateway.identify(reset.token)).ready.user.id).toBe(id);
    });

    it('for an OAuth2 access token', async () => {
      const { access_token } = await grantTokens(
        stack.api,
        await newOauthClient(stack.api),
        'identify email guilds',
      );
      for (const token of [access_token, `Bearer ${access_token}`, `Bot ${access_token}`])
        expect(await codeAfter(await gateway.connect(), { op: OP.IDENTIFY, d: { token } })).toBe(
          CLOSE.AUTHENTICATION_FAILED,
        );
    });
  });

  describe('4005', () => {
    it('for a second Identify, and for a Resume after it; the session can be resumed', async () => {
      const session = await newSession();
      const { connection, token } = session;
      expect(await codeAfter(connection, { op: OP.IDENTIFY, d: { token } })).toBe(
        CLOSE.ALREADY_AUTHENTICATED,
      );
      const { session: resumed } = await gateway.resume(session, session.seq());
      const d = { token, session_id: session.session_id, seq: 1 };
      expect(await codeAfter(resumed.connection, { op: OP.RESUME, d })).toBe(CLOSE.ALREADY_AUTHENTICATED);
      await gateway.resume(session, resumed.seq());
    });

    it('for two Identifies at once', async () => {
      const { token } = await newcomer(stack.api);
      const connection = await gateway.connect();
      const identifying = { op: OP.IDENTIFY, d: { token } };
      expect(await codeAfter(connection, identifying, identifying)).toBe(CLOSE.ALREADY_AUTHENTICATED);
      expect(connection.dispatches.filter(({ t }) => t === 'READY').length).toBeLessThanOrEqual(1);
    });
  });

  describe('4007', () => {
    it.each([2, 100, 2 ** 31, Number.MAX_SAFE_INTEGER])('for seq %i, which was never sent', async (seq) => {
      const session = await newSession();
      session.connection.break();
      const connection = await gateway.connect();
      sendResume(connection, session, seq);
      expect((await connection.closed()).code).toBe(CLOSE.INVALID_SEQUENCE);
      expect((await gateway.resume(session, 1)).missed, 'the session goes on').toEqual([]);
    });
  });

  describe('4008', () => {
    it('for the 121st frame within a minute', async () => {
      const session = await newSession();
      const { connection } = session;
      for (let n = 1; n < 120; n += 1) connection.send(heartbeat);
      await connection.until('119 acks', () => connection.frames.filter(({ op }) => op === OP.ACK).at(118));
      expect(connection.is_open).toBe(true);
      expect(await codeAfter(connection, heartbeat)).toBe(CLOSE.RATE_LIMITED);
      expect((await gateway.resume(session, session.seq())).missed).toEqual([]);
    });

    it('before Identify too', async () => {
      const connection = await gateway.connect();
      for (let n = 0; n < 121; n += 1) connection.send(heartbeat);
      expect((await connection.closed()).code).toBe(CLOSE.RATE_LIMITED);
    });
  });

  it('a bot token is accepted with and without its prefix', async () => {
    const bot = await newBot(stack.api);
    for (const token of [bot.token, `Bot ${bot.token}`]) {
      const { ready } = await identify(await gateway.connect(), token);
      expect(ready.user).toMatchObject({ id: bot.id, bot: true });
    }
  });
}
