import { beforeAll, describe, expect, it } from 'vitest';
import { createGuild, createWebhook, newcomer } from '../../support/people.ts';
import { ATTACKER, type AttackSetup, LONG, SECONDS } from '../support/attack-setup.ts';
import { expectWithstood } from '../support/expect-withstood.ts';
import { openPicture } from '../support/picture.ts';

const CHANNELS = LONG ? 6 : 3;
/** A webhook accepts sixty messages at once. */
const HOOKS = 2;
const MESSAGES_A_HOOK = 50;
/** 4,000 code points of four bytes. */
const LONG_TEXT = '𝄞'.repeat(4_000);
/** A session has fifty requests per second, and a hundred per ten seconds for the messages of a channel. */
const A_SECOND = 40;
/** Long enough for all requests to be sent, and for some time after. */
const READ_SECONDS = Math.max(SECONDS, 3);

/** Clients that request long responses and do not read them. */
export function slowReaders(setup: AttackSetup): void {
  const messages: string[] = [];
  let picture = '';
  beforeAll(async () => {
    const channels = Array.from({ length: CHANNELS }, () => fullChannel(setup));
    messages.push(...(await Promise.all(channels)));
    picture = `GET ${await openPicture(setup.stack)} HTTP/1.1\r\nHost: x\r\n\r\n`;
  });

  const deaf = { attack: 'slowRead', from: [ATTACKER], seconds: READ_SECONDS, repeat: 1 } as const;

  describe('unread responses', () => {
    it('do not affect other clients: 300 with a hundred long messages each', async () => {
      const opened_a_second = A_SECOND * CHANNELS;
      const order = { ...deaf, requests: messages, connections: 100 * CHANNELS, opened_a_second } as const;
      const [report] = await expectWithstood(setup, order);
      expect(report?.statuses[200], 'they were under way').toBeGreaterThan(0);
    });

    it('do not affect other clients: many on each connection', async () => {
      const order = { ...deaf, requests: messages, connections: 10 * CHANNELS, repeat: 10 } as const;
      await expectWithstood(setup, { ...order, opened_a_second: (A_SECOND / 10) * CHANNELS });
    });

    it('do not affect other clients: a picture on 200 connections, repeatedly', async () => {
      const [report] = await expectWithstood(setup, {
        ...deaf,
        requests: [picture],
        connections: 200,
        opened_a_second: 100,
        repeat: 20,
      });
      expect(report?.statuses[200], 'it was under way').toBeGreaterThan(0);
    });
  });

  describe('responses that are read slowly', () => {
    it('do not affect other clients: a picture on 200 connections, repeatedly', async () => {
      const order = { ...deaf, requests: [picture], connections: 200, repeat: 10, sip: true } as const;
      const [report] = await expectWithstood(setup, order);
      expect(report?.counts.bytes, 'it came').toBeGreaterThan(0);
    });
  });
}

/**
 * Fills a channel with a hundred messages of maximum length; returns the request for them, with its owner's session.
 */
async function fullChannel({ stack }: AttackSetup): Promise<string> {
  const fixture = await createGuild(await newcomer(stack.api));
  for (let n = 0; n < HOOKS; n++) {
    const { execute } = await createWebhook(fixture, stack.api);
    const sent = Array.from({ length: MESSAGES_A_HOOK }, () => execute({ content: LONG_TEXT }));
    for (const { status } of await Promise.all(sent)) expect(status).toBe(204);
  }
  const head = `GET /api/v1/channels/${fixture.channel.id}/messages?limit=100 HTTP/1.1\r\nHost: x\r\n`;
  return `${head}Authorization: Bearer ${fixture.owner.token}\r\n\r\n`;
}
