import { beforeAll, describe, expect, it } from 'vitest';
import { expectOk } from '../support/expect-status.ts';
import { newWebhook, type WebhookFixture } from '../support/people.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi } from './console.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await newWebhook(stack.api);
  await expectOk(fixture.owner.api.post('/oauth2/applications', { name: 'Wild_card 100%' }));
  await expectOk(fixture.owner.api.post('/guilds', { name: '100% wild\\card' }));
});

/** The lists that take `q` and `before`. */
const SEARCHED = ['/accounts', '/applications', '/webhooks', '/guilds'];
/** Texts that mean something to SQL, LIKE, regular expressions, JSON, paths or terminals, and to none of these here. */
const TEXTS = [
  '%',
  '_',
  '%%%',
  '\\',
  '\\%',
  "'",
  '"',
  `'; DROP TABLE accounts; --`,
  '$1',
  '.*',
  '(',
  '[a-',
  '{"a":1}',
  '../../etc/passwd',
  '<script>',
  '\u001b[2J',
  '\u202e',
  '🦊',
  '\u{10ffff}',
  'ﷺ'.repeat(300),
  'a'.repeat(320),
  '-1',
  '1e400',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '::1%eth0',
  '0x7f000001',
  '255.255.255.255',
  'x@y',
  `${'a'.repeat(250)}@example.com`,
  '0123456789abcdef',
  'account:%',
];

describe.each(SEARCHED)('%s', (list) => {
  it.each(TEXTS)('with %.40j finds nothing, and is no failure', async (text) => {
    const reply = await operator.get(`${list}?q=${encodeURIComponent(text)}`);
    expect([reply.status, reply.text]).toEqual([200, '{"items":[]}']);
  });

  it.each([
    `q=${'a'.repeat(10_240)}`,
    'q=%00',
    'q=a%00b',
    'q=a&q=b',
    'before=-1',
    'before=1.5',
    'before=abc',
    'before=%00',
    'before=9223372036854775808',
    'before=18446744073709551616',
    'before=1&before=2',
    `before=${'9'.repeat(10_240)}`,
  ])('with %.40s is refused', async (query) => {
    const reply = await operator.get(`${list}?${query}`);
    expect([reply.status, reply.json<{ code: string }>().code]).toEqual([400, 'INVALID_FORM_BODY']);
  });

  it.each(['before=0', 'before=1', 'before=9223372036854775807', 'q=%ED%A0%80', 'q[]=a', '__proto__=a'])(
    'with %s has an answer',
    async (query) => {
      expect((await operator.get(`${list}?${query}`)).status).toBe(200);
    },
  );
});

describe('the search', () => {
  it.each(TEXTS)('for %.40j has an answer of every part', async (text) => {
    const reply = await operator.get(`/search?q=${encodeURIComponent(text)}`);
    expect([reply.status, reply.json<{ unavailable: string[] }>().unavailable]).toEqual([200, []]);
  });

  it('takes wildcards for what they are', async () => {
    const namesOf = async (list: string, q: string) => {
      const { items } = await operator.ok<{ items: { name: string }[] }>(
        'GET',
        `${list}?q=${encodeURIComponent(q)}`,
      );
      return items.map(({ name }) => name);
    };
    expect(await namesOf('/guilds', '100%')).toEqual(['100% wild\\card']);
    expect(await namesOf('/guilds', '100% WILD\\')).toEqual(['100% wild\\card']);
    expect(await namesOf('/guilds', '100_')).toEqual([]);
    expect(await namesOf('/applications', 'wild_')).toEqual(['Wild_card 100%']);
    expect(await namesOf('/applications', 'wild%')).toEqual([]);
  });
});

describe('other lists', () => {
  it.each([
    ['/log?before=9223372036854775808', 400],
    ['/log?before=-1', 400],
    ['/log?before=9223372036854775807', 200],
    [`/log?operator=${'a'.repeat(129)}`, 400],
    ['/log?operator=%25', 200],
    ['/log?operator=%00', 400],
    ['/limits/overrides?after=nonsense', 400],
    [`/limits/overrides?after=${'a'.repeat(2_049)}`, 400],
    ['/limits/overrides?after=%00', 400],
    ['/limits/identity?identity=', 400],
    ['/limits/identity', 400],
    ['/limits/identity?identity=%25', 200],
    [`/limits/identity?identity=${'🦊'.repeat(128)}`, 200],
    [`/limits/identity?identity=${'🦊'.repeat(129)}`, 400],
    [`/limits/identity?identity=${'a'.repeat(513)}`, 400],
    ['/overview?window=1h%00', 400],
    ['/overview?window=constructor', 400],
    ['/overview?window=__proto__', 400],
    ['/overview?window=9999999d', 400],
    ['/requests/%00', 400],
    ['/requests/%22%7D%0A', 400],
    ['/requests/..%2F..%2Fetc%2Fpasswd', 200],
    [`/requests/${'a'.repeat(128)}`, 200],
    [`/requests/${'a'.repeat(129)}`, 400],
    ['/guilds/1/audit-log', 404],
    ['/guilds/9223372036854775807', 404],
    ['/guilds/9223372036854775808', 400],
    ['/accounts/0', 404],
    ['/webhooks/00', 400],
    ['/applications/1%20', 400],
  ])('%.60s: %i', async (path, status) => {
    const reply = await operator.get(path);
    expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([
      status,
      status === 200 ? '' : expect.stringContaining('"code":"'),
    ]);
  });
});

describe('a body', () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;

  it.each<[string, string, number]>([
    ['of 1 MB', JSON.stringify({ reason: 'x'.repeat(1_000_000) }), 413],
    ['of 30,000 arrays', `{"reason":${deep}}`, 400],
    ['with a prototype', '{"__proto__":{"reason":"x"}}', 400],
    ['with a constructor’s prototype', '{"constructor":{"prototype":{"reason":"x"}},"reason":"x"}', 400],
    ['that is null', 'null', 400],
    ['that is a number', '1', 400],
    ['with another form of reason', '{"reason":{"toString":"x"}}', 400],
    ['with a list as reason', '{"reason":["x"]}', 400],
    ['with half of a character', '{"reason":"\\ud83e"}', 400],
  ])('%s is refused, and leaves no line', async (_, body, status) => {
    const earlier = await operator.log();
    const reply = await operator.send('POST', `/accounts/${fixture.owner.user.id}/suspend`, body);
    expect(reply.status).toBe(status);
    expect(await operator.log()).toHaveLength(earlier.length);
    expect((await fixture.owner.api.get('/users/@me')).status).toBe(200);
  });

  it.each([
    { bucket: 'x' },
    { bucket: 'x', identities: [1] },
    { bucket: 'x', identities: 'account:1' },
    { bucket: 'x', identities: Array.from({ length: 17 }, () => 'a') },
    { bucket: 'no-such-bucket', identities: [] },
    { bucket: 'global', identities: ['x'.repeat(10_000)] },
    { bucket: 'global', identities: [] },
    { bucket: '__proto__', identities: ['a'] },
  ])('that explains a limit wrongly is refused: %.60j', async (body) => {
    const reply = await operator.send('POST', '/limits/explain', body);
    expect([reply.status >= 400, reply.status < 500, reply.text]).toEqual([true, true, reply.text]);
  });
});
