import { readdirSync, readFileSync } from 'node:fs';
import { createLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderChatcompat } from '../../src/chatcompat/render.ts';
import { messageFaults } from '../fixtures/message-faults.ts';
import { mutationsOf } from '../fixtures/mutations.ts';
import {
  addWebhook,
  anonymous,
  credentialOf,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { outcomeOf } from '../support.ts';

const FOLDER = new URL('../golden/chatcompat/', import.meta.url);
const files = readdirSync(FOLDER);
const names = files
  .filter((file) => file.endsWith('.payload.json'))
  .map((file) => file.split('.', 1)[0] ?? '');
const payloads = names.map((name): [name: string, payload: Record<string, unknown>] => [
  name,
  JSON.parse(readFileSync(new URL(`${name}.payload.json`, FOLDER), 'utf8')),
]);

describe('payloads of chat tools are rendered as in golden/chatcompat', () => {
  it('the folder has a payload and a rendering for each name, and nothing else', () => {
    expect(names.length).toBeGreaterThan(10);
    const expected = names.flatMap((name) => [`${name}.payload.json`, `${name}.rendering.json`]);
    expect(files.sort()).toEqual(expected.sort());
  });

  it.each(payloads)('%s', async (name, payload) => {
    const text = `${JSON.stringify(renderChatcompat(payload), withoutNull, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../golden/chatcompat/${name}.rendering.json`);
  });
});

const withoutNull = (_: string, value: unknown) => value ?? undefined;

describe('with any member deleted, null, or of another type', () => {
  let fixture: WebhookDelivery;
  const logged: string[] = [];
  beforeAll(async () => {
    const destination = { write: (line: string) => logged.push(line) };
    fixture = await startWebhookDelivery('chatcompat_golden', {
      log: createLogger({ name: 'test', level: 'trace', destination }),
    });
  });
  afterAll(() => fixture.close());

  it.each(payloads)(
    '%s renders within the limits, or is refused with an authored error',
    async (_, payload) => {
      const credential = credentialOf(await addWebhook(fixture));
      const mutations = [...mutationsOf(payload)].map(({ value, path, other }) => ({
        name: `${path.join('.')}: ${JSON.stringify(other)}`,
        json: JSON.stringify(value),
      }));
      const postedBefore = fixture.posted.length;
      const outcomes = await Promise.all(
        mutations.map(({ json }) =>
          outcomeOf(fixture.client.executeChatcompat({ ...credential, body: Buffer.from(json) }, anonymous)),
        ),
      );
      for (const [index, { name, json }] of mutations.entries()) {
        const rendering = renderChatcompat(JSON.parse(json));
        expect(outcomes[index], name).toBe('message' in rendering ? 'OK' : 'BAD_REQUEST');
        if ('message' in rendering) expect(messageFaults(rendering.message), name).toEqual([]);
      }
      const posted = outcomes.filter((outcome) => outcome === 'OK');
      expect(fixture.posted.length - postedBefore).toBe(posted.length);
      expect(logged.join()).toContain('ExecuteChatcompat');
      expect(logged.join()).not.toMatch(/"level":[56]0/);
    },
  );
});
