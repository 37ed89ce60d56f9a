import { describe, expect, it } from 'vitest';
import { firstPage, PAGE, withNewest, withNextPage } from '../../src/guilds/webhooks/delivery-list.ts';
import { exampleOf, isExample } from '../../src/guilds/webhooks/example-payloads.ts';
import { alertmanagerReceiver, senderNamedIn, senderOf } from '../../src/guilds/webhooks/senders.ts';
import { untilListed } from '../../src/guilds/webhooks/until-listed.ts';
import {
  addressOf,
  type Delivery,
  filterWebhooks,
  maskedAddress,
  type Webhook,
} from '../../src/guilds/webhooks/webhook.ts';
import { withTimes } from '../../src/guilds/webhooks/with-times.ts';

const TOKEN = 'T'.repeat(64);
const webhook = (name: string, channel_id = '1'): Webhook => ({
  id: '7',
  channel_id,
  name,
  avatar: null,
  url: `https://gatehouse.example/api/v1/webhooks/7/${TOKEN}`,
});

describe('the address of a webhook', () => {
  it('ends with its format, and is shown without the token', () => {
    expect(addressOf(webhook('a'), 'webhook')).toBe(webhook('a').url);
    expect(addressOf(webhook('a'), 'codehost')).toBe(`${webhook('a').url}/codehost`);
    const masked = maskedAddress(webhook('a'), 'codehost');
    expect(masked).toMatch(/^https:\/\/gatehouse\.example\/api\/v1\/webhooks\/7\/•+\/codehost$/);
  });

  it('is the only value in the receiver of Alertmanager', () => {
    expect(alertmanagerReceiver('https://a.example/x')).toContain('      - api_url: https://a.example/x\n');
  });
});

it('webhooks are found by name or channel, in any case', () => {
  const all = [webhook('Alarms', '1'), webhook('Builds', '2'), webhook('تنبيهات', '2')];
  const nameOf = (id: string) => (id === '1' ? 'general' : 'Ops');
  const found = (text: string) => filterWebhooks(all, nameOf, text).map(({ name }) => name);
  expect(found(' ')).toHaveLength(3);
  expect(found('aLarM')).toEqual(['Alarms']);
  expect(found('ops')).toEqual(['Builds', 'تنبيهات']);
  expect(found('تنبيه')).toEqual(['تنبيهات']);
  expect(found('<script>')).toEqual([]);
});

it('the markup of times becomes the time of the reader, and other text stays', () => {
  const format = (time: Date) => time.toISOString();
  expect(withTimes('<t:0:F>-<t:60:F>', format)).toBe('1970-01-01T00:00:00.000Z-1970-01-01T00:01:00.000Z');
  expect(withTimes('<t:9999999999999:F> <b>', format)).toBe('<t:9999999999999:F> <b>');
});

it('only a changed payload is kept when the format changes', () => {
  expect(isExample(exampleOf('codehost'))).toBe(true);
  expect(isExample(`${exampleOf('codehost')} `)).toBe(false);
  expect(isExample('')).toBe(false);
});

it('the name of a webhook may name its sender', () => {
  expect(senderNamedIn('Alertmanager of Ops')).toBe('alertmanager');
  expect(senderOf(senderNamedIn('my GITHUB')).dialect).toBe('codehost');
  expect(senderNamedIn('Alerts')).toBe('chat');
});

describe('a delivery that was just made', () => {
  const delivery = { id: '7' } as Delivery;

  it('is looked for until it is listed', async () => {
    const answers = [[], [], [delivery]];
    const load = async () => answers.shift() ?? [];
    expect(await untilListed(load, '7', new AbortController().signal, 0)).toEqual([delivery]);
    expect(answers).toEqual([]);
  });

  it('is given up after some attempts, and at once when its view is left', async () => {
    let loads = 0;
    const load = async () => {
      loads += 1;
      return [];
    };
    expect(await untilListed(load, '7', new AbortController().signal, 0)).toEqual([]);
    expect(loads).toBe(6);
    expect(await untilListed(load, '7', AbortSignal.abort(), 0)).toBeUndefined();
    expect(loads).toBe(6);
  });
});

describe('the list of deliveries', () => {
  const page = (newest: number, length: number) =>
    Array.from({ length }, (_, index) => ({ id: String(newest - index) }) as Delivery);

  it('has more until a page is not full', () => {
    expect(firstPage(page(60, PAGE - 1)).hasMore).toBe(false);
    const first = firstPage(page(60, PAGE));
    expect(first.hasMore).toBe(true);
    const second = withNextPage(first, page(60 - PAGE, 3));
    expect(second).toEqual({ deliveries: page(60, PAGE + 3), hasMore: false });
  });

  it('keeps what it shows when a new delivery comes', () => {
    const shown = withNextPage(firstPage(page(60, PAGE)), page(60 - PAGE, PAGE));
    expect(withNewest(shown, page(61, PAGE))).toEqual({ deliveries: page(61, 2 * PAGE + 1), hasMore: true });
    expect(withNewest(firstPage([]), page(1, 1))).toEqual({ deliveries: page(1, 1), hasMore: false });
    expect(withNewest(undefined, page(60, PAGE)).hasMore).toBe(true);
  });

  it('begins anew if more have come than one request returns, so that it has no gap', () => {
    const newest = page(100, PAGE);
    expect(withNewest(firstPage(page(60, PAGE)), newest)).toEqual({ deliveries: newest, hasMore: true });
    expect(withNewest(firstPage([]), newest)).toEqual({ deliveries: newest, hasMore: true });
  });
});
