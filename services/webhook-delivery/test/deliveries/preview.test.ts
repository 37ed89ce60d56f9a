import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { PreviewWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { DIALECTS } from '../../src/store/delivery.ts';
import {
  addWebhook,
  anonymous,
  as,
  lastPosted,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { newChannel, postedBy } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('preview');
});
afterAll(() => fixture.close());

interface Sent {
  readonly event?: string;
}

const preview = (dialect: string, payload: string, { event }: Sent = {}): Promise<PreviewWebhookResponse> =>
  fixture.client.previewWebhook({ dialect, payload, ...(event !== undefined && { event }) }, as('42'));

describe('a preview', () => {
  test('is what would be posted, and posts nothing', async () => {
    const payload = {
      text: 'Disk is full',
      username: 'Alerts',
      attachments: [{ title: 'db-1', color: '#ff0000' }],
    };
    const posted = await postedBy(fixture, async () => {
      const one = await preview('chatcompat', JSON.stringify(payload));
      expect(one).toMatchObject({
        outcome: 'posted',
        content: 'Disk is full',
        username: 'Alerts',
        problems: [],
      });
      expect(one.embeds).toMatchObject([{ title: 'db-1', color: 0xff0000 }]);
    });
    expect(posted).toBe(0);
    const { rows } = await fixture.sql.query('SELECT FROM deliveries');
    expect(rows).toEqual([]);
  });

  it.each([
    ['{"text": "a",\n  "b" }', 'Is no JSON: line 2, column 7.'],
    [
      '{"text": "a"',
      'Is no JSON: line 1, column 13. The text ends too early: a quote or a bracket is missing.',
    ],
    ['', 'Is empty. It must be a JSON object.'],
    ['[]', 'Must be a JSON object: it begins with { and ends with }.'],
  ])('locates the error of %j', async (text, message) => {
    for (const dialect of DIALECTS) {
      const { reason, problems } = await preview(dialect, text, { event: 'push' });
      expect(reason).toBe('broken_body');
      expect(problems).toEqual([{ path: 'body', code: 'INVALID_FORMAT', message }]);
    }
  });

  test('explains why there would be no message', async () => {
    expect(await preview('codehost', '{}')).toMatchObject({ outcome: 'nothing', reason: 'event_missing' });
    const issue = { repository: {}, action: 'labeled' };
    const { explanation } = await preview('codehost', JSON.stringify(issue), { event: 'issues' });
    expect(explanation).toContain('issues is shown for the actions opened, closed, reopened.');
    expect(await preview('statuspage', '{}')).toMatchObject({
      outcome: 'nothing',
      reason: 'section_missing',
    });
    expect(await preview('webhook', '{}')).toMatchObject({ outcome: 'refused', reason: 'empty' });
    const long = await preview('webhook', JSON.stringify({ content: 'x'.repeat(4001) }));
    expect(long).toMatchObject({ reason: 'over_limits', problems: [{ path: 'content' }] });
    const wrong = await preview('webhook', '{"content": 7}');
    expect(wrong).toMatchObject({ reason: 'invalid', problems: [{ path: 'content' }] });
  });

  test('takes up to 2 MiB, and each route what it takes', async () => {
    const MiB = 1024 * 1024;
    const text = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes) });
    expect(await preview('chatcompat', text(1.5 * MiB))).toMatchObject({ reason: 'too_large' });
    expect(await preview('statuspage', text(1.5 * MiB))).toMatchObject({ reason: 'section_missing' });
    const over = preview('statuspage', text(2 * MiB));
    expect(await refusalOf(over)).toEqual(['INVALID_FORM_BODY', 'payload CONTENT_EXCEEDS_MAX_LENGTH']);
  });

  test('is for accounts, and for known formats', async () => {
    const call = fixture.client.previewWebhook({ dialect: 'webhook', payload: '{}' }, anonymous);
    expect(await reasonOf(call)).toBe('UNAUTHORIZED');
    expect(await refusalOf(preview('xml', '{}'))).toEqual(['INVALID_FORM_BODY', 'dialect INVALID_FORMAT']);
  });
});

describe('a test', () => {
  it.each(DIALECTS)('posts a message in the format %s', async (dialect) => {
    const webhook = await addWebhook(fixture, { channel_id: newChannel(fixture) });
    const { delivery } = await fixture.client.testWebhook({ webhook_id: webhook.id, dialect }, as(MANAGER));
    expect(delivery).toMatchObject({ dialect, outcome: 'posted', origin: 'test' });
    const { content, embeds } = lastPosted(fixture);
    expect(`${content ?? ''}${embeds[0]?.title ?? ''}`).toContain('test of the webhook');
    const refused = fixture.client.testWebhook({ webhook_id: webhook.id }, as('42'));
    expect(await reasonOf(refused)).toBe('FORBIDDEN');
  });

  test('reports why nothing was posted', async () => {
    const webhook = await addWebhook(fixture, { channel_id: newChannel(fixture) });
    fixture.refused.add(webhook.id);
    const { delivery } = await fixture.client.testWebhook({ webhook_id: webhook.id }, as(MANAGER));
    expect(delivery).toMatchObject({ outcome: 'refused', reason: 'over_limits', status: 400 });
  });
});
