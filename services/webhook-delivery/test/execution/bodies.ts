export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data; boundary=x';

/** A payload for all routes, each of which reads other members. */
const VALID = {
  content: 'a',
  embeds: [{ title: 'a', url: 'https://a.example', fields: [{ name: 'a', value: 'a' }] }],
  allowed_mentions: { parse: ['users'] },
  text: 'a',
  attachments: [{ title: 'a', title_link: 'https://a.example', fields: [{ title: 'a', value: 1 }], ts: 1 }],
  ref: 'refs/heads/main',
  compare: 'https://a.example/compare',
  repository: { name: 'a', full_name: 'a/a', html_url: 'https://a.example/a' },
  sender: { login: 'a', html_url: 'https://a.example/a' },
  commits: [{ id: 'a'.repeat(40), message: 'a', url: 'https://a.example/c', author: { name: 'a' } }],
  page: { url: 'https://a.example', status_indicator: 'up' },
  incident: {
    name: 'a',
    status: 'up',
    incident_updates: [{ body: 'a', created_at: '2026-01-01' }],
    components: [{ name: 'a', status: 'up' }],
  },
};

const json = JSON.stringify(VALID);

/** Other encodings of the same payload. */
export const VALID_BODIES: readonly [name: string, body: string | Uint8Array][] = [
  ['no change', json],
  ['a trailing newline', `${json}\n`],
  ['trailing newlines and blanks', `${json}\r\n\n \t`],
  ['leading newlines', `\r\n\n${json}`],
  ['a byte order mark', `\ufeff${json}`],
  ['line breaks', JSON.stringify(VALID, null, 2)],
  ['escapes', json.replaceAll('"a"', '"\\u0061"')],
  ['10,000 more members', `${json.slice(0, -1)},${tenThousand((n) => `"m${n}":${n}`).join(',')}}`],
  ['names of inherited JavaScript members', `${json.slice(0, -1)},${inheritedNames('{"content":{}}')}}`],
];

/** Broken and odd bodies, which must be accepted or refused with an authored error. */
export const ODD_BODIES: readonly [name: string, body: string | Uint8Array][] = [
  ['nothing', ''],
  ['a newline', '\n'],
  ['NUL', '\0'],
  ['only a byte order mark', '\ufeff'],
  ['not JSON', 'content=a'],
  ['half of the JSON', json.slice(0, json.length / 2)],
  ['the JSON twice', `${json}${json}`],
  ['NUL after the JSON', `${json}\0`],
  ['an array', `[${json}]`],
  ['a string', JSON.stringify(json)],
  ['UTF-16', new Uint8Array(Buffer.from(`\ufeff${json}`, 'utf16le'))],
  ['big-endian UTF-16', new Uint8Array(Buffer.from(`\ufeff${json}`, 'utf16le').swap16())],
  ['Latin-1', new Uint8Array(Buffer.from(everyText('é'), 'latin1'))],
  [
    'bytes that are not UTF-8',
    new Uint8Array(Buffer.from(everyText('\xff\xfe\xc0\x80\xed\xa0\x80'), 'latin1')),
  ],
  ['text with NUL', everyText('a\\u0000')],
  ['lone surrogates', everyText('\\ud800')],
  ['characters that reorder text', everyText('\u202e\u2066a\u2069')],
  ['scripts as links', everyText('javascript:alert(1)')],
  ['data as links', everyText('data:text/html,<script>alert(1)</script>')],
  ['the end of a link label', everyText('](https://evil.example) [x')],
  ['mentions', everyText('@everyone @here <@1> <@&1>')],
  ['long texts', everyText('a'.repeat(8000))],
  ['deep arrays', everyValue('['.repeat(20_000) + ']'.repeat(20_000))],
  ['deep objects', everyValue(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)],
  ['deep and broken', '['.repeat(100_000)],
  ['null everywhere', everyValue('null')],
  ['numbers everywhere', everyValue('-1e400')],
  ['empty objects everywhere', everyValue('{}')],
  ['inherited member names everywhere', everyValue(`{${inheritedNames('"a"')}}`)],
  ['10,000 items everywhere', everyValue(`[${tenThousand(() => '{}').join(',')}]`)],
  ['10,000 embed fields', JSON.stringify({ ...VALID, ...manyFields() })],
  ['10,000 form fields', tenThousand((n) => `f${n}=${n}`).join('&')],
  ['10,000 payloads', tenThousand(() => 'payload={}').join('&')],
  ['a broken escape in a form', 'payload=%zz%7b%00&payload'],
  ['a form in a form', `payload=${encodeURIComponent(`payload=${json}`)}`],
];

/** The payload with every "a" replaced by this, as the raw content of a JSON string. */
function everyText(text: string): string {
  return json.replaceAll('"a"', `"${text}"`).replaceAll('https://a.example', text);
}

/** The payload with each member replaced by this JSON. */
function everyValue(value: string): string {
  const members = Object.keys(VALID).map((name) => `"${name}":${value}`);
  return `{${members.slice(0, 4).join(',')},"repository":{"name":${value}},"incident":{"name":"a","status":${value}}}`;
}

function manyFields(): object {
  const value = 'a';
  const embeds = [{ fields: tenThousand((n) => ({ name: `${n}`, value })) }];
  const attachments = [{ fields: tenThousand((n) => ({ title: `${n}`, value })) }];
  return { embeds, attachments, incident: { name: 'a', components: tenThousand(() => ({ name: 'a' })) } };
}

function inheritedNames(value: string): string {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'];
  return names.map((name) => `"${name}":${value}`).join(',');
}

function tenThousand<T>(make: (n: number) => T): T[] {
  return Array.from({ length: 10_000 }, (_, n) => make(n));
}
