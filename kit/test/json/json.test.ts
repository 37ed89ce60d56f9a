import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/fault.ts';
import { digitsOf, parseObject, readJson, readText, requireValid } from '../../src/json.ts';

const MESSAGE = 'gatehouse.chat.v1.CreateMessageRequest';
const APPLICATION = 'gatehouse.oauth2.v1.CreateApplicationRequest';
const WINDOW = 'gatehouse.chat.v1.ListMessagesRequest';
const EXECUTION = 'gatehouse.webhook_delivery.v1.ExecuteWebhookRequest';

type Members = Record<string, unknown>;
const ID = '9223372036854775807';

/** "path CODE" of each violation. */
function violationsOf(name: string, value: Members, read: typeof readJson = readJson): string[] {
  return read(name, value as never).violations.map(({ path, code }) => `${path} ${code}`);
}

const message = (members: Members): string[] => violationsOf(MESSAGE, { channel_id: ID, ...members });
const embed = (members: Members): string[] => message({ embeds: [members] });

describe('a body', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('is a JSON object in UTF-8', () => {
    expect(parseObject(bytes(' {"a": ["𝕏", null, 1.5], "": {}} '))).toEqual({ a: ['𝕏', null, 1.5], '': {} });
    expect(parseObject(bytes('\ufeff{}'))).toEqual({}); // a byte order mark is not part of the text
  });

  it.each([
    ['nothing', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"a"'],
    ['a number', '1'],
    ['broken', '{"a":'],
    ['two objects', '{}{}'],
    ['not JSON', "{'a': 1}"],
    ['a number whose digits are kept', ' 12345678901234567890'],
    ['a mebibyte of brackets', '['.repeat(1 << 20)],
  ])('that is %s is refused', (_, text) => {
    const refusal = expect.objectContaining({
      reason: 'INVALID_FORM_BODY',
      violations: [{ path: 'body', code: 'INVALID_FORMAT', message: 'Must be a JSON object.' }],
    });
    expect(() => parseObject(bytes(text))).toThrow(refusal);
  });

  it('that is not UTF-8 is refused, never misread', () => {
    const broken = [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]];
    for (const part of broken) {
      const body = new Uint8Array([...bytes('{"a":"'), ...part, ...bytes('"}')]);
      expect(() => parseObject(body)).toThrow(Fault);
    }
  });

  it('results in an object or a fault, whatever the input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        try {
          expect(typeof parseObject(body)).toBe('object');
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });

  it.each<[string, fine: string, tooMuch: string]>([
    ['values', `{"a":[${'1,'.repeat(249_990)}1]}`, `{"a":[${'1,'.repeat(250_000)}1]}`],
    ['names', `{${'"a":1,'.repeat(124_990)}"a":1}`, `{${'"a":1,'.repeat(125_000)}"a":1}`],
    ['texts of members', `{${'"a":"b",'.repeat(124_990)}"a":1}`, `{${'"a":"b",'.repeat(125_000)}"a":1}`],
    ['texts in lists', `{"a":[${'"[{,:",'.repeat(499_999)}"x"]}`, `{"a":[${'"x",'.repeat(500_000)}"x"]}`],
    [
      'texts with blanks',
      `{"a":[ ${'"x" ,\n'.repeat(499_999)}"x" ]}`,
      `{"a":[${'"x", '.repeat(500_000)}"x"]}`,
    ],
    [
      'texts with blanks of members',
      `{ ${'"a" : "b", '.repeat(124_990)}"a":1}`,
      `{${'"a": "b", '.repeat(125_000)}"a":1}`,
    ],
  ])('has a maximum number of %s', (_, fine, tooMuch) => {
    expect(Object.keys(parseObject(bytes(fine)))).toEqual(['a']);
    expect(() => parseObject(bytes(tooMuch))).toThrow(Fault);
  });

  it('may consist of long texts in lists', () => {
    const paths = Array.from({ length: 1_000_000 }, (_, index) => `file${index}`.padEnd(16, 'x'));
    expect(parseObject(bytes(JSON.stringify({ paths })))).toEqual({ paths });
  });

  it('may be nested as deep as its length allows', () => {
    const depth = 100_000;
    const value = parseObject(bytes(`{"content":${'['.repeat(depth)}${']'.repeat(depth)}}`));
    expect(message(value)).toEqual(['content INVALID_FORMAT']);
    expect(message({ ...value, content: 'x', unknown: value.content })).toEqual([]);
  });
});

describe('a member', () => {
  it('is read under its field name; unknown members are ignored; absent and null members are empty', () => {
    const given = {
      channel_id: '1',
      content: 'x',
      Content: 'y',
      allowedMentions: {},
      embeds: null,
      flags: null,
    };
    expect(readJson(MESSAGE, given)).toEqual({
      violations: [],
      message: {
        channel_id: '1',
        content: 'x',
        embeds: [],
        flags: null,
        allowed_mentions: null,
        nonce: null,
      },
    });
    expect(readJson(APPLICATION, { name: 'a' }).message).toEqual({
      name: 'a',
      redirect_uris: [],
      bot_public: null,
      bot_require_code_grant: null,
      public: null,
      icon: null,
      description: null,
      terms_url: null,
      privacy_url: null,
    });
  });

  it('that is neither optional nor repeated is required', () => {
    expect(violationsOf(APPLICATION, {})).toEqual(['name INVALID_FORMAT']);
    expect(violationsOf(APPLICATION, { name: null })).toEqual(['name INVALID_FORMAT']);
    expect(violationsOf('gatehouse.auth.v1.LoginRequest', {})).toEqual([
      'email INVALID_FORMAT',
      'password INVALID_FORMAT',
    ]);
    expect(violationsOf(APPLICATION, { name: '' })).toEqual([]); // its owner checks the length
  });

  it('that is repeated is required if the contract says so, and may be empty', () => {
    const revocation = 'gatehouse.oauth2.v1.RevokeAuthorizationsRequest';
    expect(violationsOf(revocation, {})).toEqual(['application_ids INVALID_FORMAT']);
    expect(violationsOf(revocation, { application_ids: null })).toEqual(['application_ids INVALID_FORMAT']);
    expect(violationsOf(revocation, { application_ids: [] })).toEqual([]);
  });

  it('is read from the object itself, never from its prototype', () => {
    expect(violationsOf(APPLICATION, Object.create({ name: 'inherited' }))).toEqual(['name INVALID_FORMAT']);
    const odd =
      '{"name":"a","__proto__":{"bot_public":true},"constructor":1,"toString":"x","hasOwnProperty":1}';
    const read = readJson<Members>(APPLICATION, parseObject(new TextEncoder().encode(odd)));
    expect(read.violations).toEqual([]);
    expect(Object.keys(read.message)).toEqual([
      'name',
      'redirect_uris',
      'bot_public',
      'bot_require_code_grant',
      'public',
      'icon',
      'description',
      'terms_url',
      'privacy_url',
    ]);
    expect(read.message.bot_public).toBeNull();
    expect(({} as Members).bot_public).toBeUndefined();
    const nested =
      '{"channel_id":"1","embeds":[{"__proto__":{"title":"x"},"author":{"__proto__":{"name":"x"}}}]}';
    const { embeds } = readJson<{ embeds: Members[] }>(
      MESSAGE,
      parseObject(new TextEncoder().encode(nested)),
    ).message;
    expect(embeds[0]).toMatchObject({ title: null, author: { name: null } });
  });

  const anything = { string: 'x', number: 1, boolean: true, object: {}, array: [] };
  it.each([
    ['a string', 'content', 'string'],
    ['an array', 'embeds', 'array'],
    ['an object', 'allowed_mentions', 'object'],
    ['an integer', 'flags', 'number'],
  ])('that holds %s accepts nothing else', (_, name, right) => {
    for (const [kind, value] of Object.entries(anything)) {
      expect(message({ [name]: value })).toEqual(kind === right ? [] : [`${name} INVALID_FORMAT`]);
    }
  });

  it('that holds a boolean accepts nothing else', () => {
    for (const [kind, value] of Object.entries(anything)) {
      const violations = kind === 'boolean' ? [] : ['bot_public INVALID_FORMAT'];
      expect(violationsOf(APPLICATION, { name: 'a', bot_public: value })).toEqual(violations);
    }
  });

  it('that is invalid is reported with its path, with all other invalid ones', () => {
    const form = {
      content: 1,
      embeds: [
        {
          title: 1,
          fields: [{ name: 'n', value: 'v' }, { name: [], inline: 'no' }, 'x'],
          image: { url: {} },
        },
        'no embed',
        null,
        [],
        { color: 'red', author: 'x' },
      ],
      allowed_mentions: { parse: [1], users: ['1', 'x'], roles: {} },
    };
    expect(message(form)).toEqual([
      'content INVALID_FORMAT',
      'embeds.0.title INVALID_FORMAT',
      'embeds.0.image.url INVALID_FORMAT',
      'embeds.0.fields.1.name INVALID_FORMAT',
      'embeds.0.fields.1.inline INVALID_FORMAT',
      'embeds.0.fields.2 INVALID_FORMAT',
      'embeds.1 INVALID_FORMAT',
      'embeds.2 INVALID_FORMAT',
      'embeds.3 INVALID_FORMAT',
      'embeds.4.color INVALID_FORMAT',
      'embeds.4.author INVALID_FORMAT',
      'allowed_mentions.parse.0 INVALID_FORMAT',
      'allowed_mentions.users.1 INVALID_SNOWFLAKE_FORMAT',
      'allowed_mentions.roles INVALID_FORMAT',
    ]);
  });

  it('that is invalid has its empty value in the complete message', () => {
    const { message: read } = readJson<Members>(MESSAGE, {
      channel_id: 1.5,
      content: [],
      embeds: {},
      flags: 'x',
    });
    expect(read).toEqual({
      channel_id: '',
      content: '',
      embeds: [],
      flags: 0,
      allowed_mentions: null,
      nonce: null,
    });
  });

  it('that is invalid in a list of objects becomes an empty object, never an array', () => {
    const { message: read } = readJson<{ embeds: Members[] }>(MESSAGE, {
      channel_id: '1',
      embeds: [1, { title: 'a' }],
    });
    expect(read.embeds).toMatchObject([{ title: null, fields: [] }, { title: 'a' }]);
  });

  it('that is skipped is neither read nor required', () => {
    const read = readJson<Members>(
      MESSAGE,
      { channel_id: 'no ID', content: 1 },
      new Set(['channel_id', 'content']),
    );
    expect(read.violations).toEqual([]);
    expect(read.message).toMatchObject({ channel_id: '', content: null });
  });

  it('of bytes is never read from JSON', () => {
    const execution = { webhook_id: '1', token: 't' };
    expect(violationsOf(EXECUTION, execution)).toEqual([]);
    expect(violationsOf(EXECUTION, { ...execution, body: 'aGk=' })).toEqual(['body INVALID_FORMAT']);
  });
});

describe('a text', () => {
  it.each([
    ['a lone surrogate at its end', 'a\ud83d', 'a\ufffd'],
    ['a lone surrogate at its start', '\ude00a', '\ufffda'],
    ['a reversed surrogate pair', '\ude00\ud83d', '\ufffd\ufffd'],
  ])('with %s has U+FFFD there, at any depth', (_, value, expected) => {
    const sent = { channel_id: '1', content: value, embeds: [{ author: { name: value } }] };
    expect(readJson<Members>(MESSAGE, sent).message).toMatchObject({
      content: expected,
      embeds: [{ author: { name: expected } }],
    });
  });

  it('with NUL is refused, at any depth', () => {
    expect(message({ content: 'a\0b' })).toEqual(['content INVALID_FORMAT']);
    expect(embed({ author: { name: 'a\0b' } })).toEqual(['embeds.0.author.name INVALID_FORMAT']);
  });

  it('is otherwise unchanged', () => {
    const value = ' 𝕏é\u0301\n\u202e\u{10ffff}\ufffe ';
    const { message: read } = readJson<Members>(MESSAGE, { channel_id: '1', content: value });
    expect(read.content).toBe(value);
  });
});

describe('an ID', () => {
  it.each(['0', '1', ID])('may be %s', (id) => {
    expect(violationsOf(MESSAGE, { channel_id: id })).toEqual([]);
  });

  it.each([
    '0',
    '1',
    '9007199254740991',
    '9007199254740992', // a double has the same digits
    '9007199254740993',
    '1000000000000000000',
    '1420070400123456789',
    '1575722480678297600',
    '9223372036854775807',
  ])('may be the number %s without losing a digit', (digits) => {
    const body = Buffer.from(`{"channel_id":${digits},"allowed_mentions":{"users":[${digits}]}}`);
    const { message: read, violations } = readJson<Members>(MESSAGE, parseObject(body));
    expect(violations).toEqual([]);
    expect(read).toMatchObject({ channel_id: digits, allowed_mentions: { users: [digits] } });
  });

  it.each(['-1', '-0', '1.0', '1.5', '1e3', '1E3', '9223372036854775808', '92233720368547758070', '1e400'])(
    'may not be the number %s',
    (number) => {
      const body = parseObject(Buffer.from(`{"channel_id": ${number}}`));
      expect(violationsOf(MESSAGE, body)).toEqual(['channel_id INVALID_SNOWFLAKE_FORMAT']);
    },
  );

  it.each([
    [1.5],
    [-1],
    ['01'],
    ['-1'],
    ['1.0'],
    [' 1'],
    [''],
    ['9223372036854775808'],
    [true],
    [['1']],
    [{}],
  ])('may not be %j', (id) => {
    expect(violationsOf(MESSAGE, { channel_id: id })).toEqual(['channel_id INVALID_SNOWFLAKE_FORMAT']);
  });

  it('that is missing is a missing member', () => {
    expect(violationsOf(MESSAGE, {})).toEqual(['channel_id INVALID_FORMAT']);
  });
});

describe('an integer', () => {
  const RANGE = 'VALUE_MUST_BE_INTEGER_IN_RANGE';

  it.each([
    ['int64', 'embeds.0.color', (value: unknown) => embed({ color: value }), -Number.MAX_SAFE_INTEGER],
    [
      'uint32',
      'cost',
      (value: unknown) => violationsOf('gatehouse.ratelimit.v1.Charge', { bucket: 'b', cost: value }),
      0,
    ],
  ])('of type %s is an integer in its range', (type, path, read, min) => {
    const max = type === 'int64' ? Number.MAX_SAFE_INTEGER : 2 ** 32 - 1;
    for (const value of [0, -0, 1, 1e3, min, max]) expect(read(value)).toEqual([]);
    for (const value of [1.5, min - 1, max + 1, 1e300, Number.POSITIVE_INFINITY, Number.NaN]) {
      expect(read(value)).toEqual([`${path} ${RANGE}`]);
    }
    for (const value of ['x', '1.0', '01', '', true, {}, [1]])
      expect(read(value)).toEqual([`${path} INVALID_FORMAT`]);
  });

  it('that is a color may be a decimal string, and other integers may not', () => {
    for (const color of ['0', '16777215', '-1']) expect(embed({ color })).toEqual([]);
    expect(embed({ color: '9'.repeat(19) })).toEqual([`embeds.0.color ${RANGE}`]);
    expect(message({ flags: '4' })).toEqual(['flags INVALID_FORMAT']);
  });
});

describe('a query', () => {
  const window = (query: Record<string, string | undefined>): string[] =>
    readText(WINDOW, { channel_id: '1', ...query }).violations.map(({ path, code }) => `${path} ${code}`);

  it('is text that is parsed by type', () => {
    const query = { channel_id: '1', before: '2', after: undefined, limit: '50' };
    expect(readText(WINDOW, query)).toEqual({
      violations: [],
      message: { channel_id: '1', before: '2', after: null, limit: 50, around: null, as_json: null },
    });
    expect(readText<Members>(APPLICATION, { name: '1', bot_public: 'true' }).message.bot_public).toBe(true);
  });

  it('reads members that no body may set, such as one that a header fills', () => {
    const request = 'gatehouse.chat.v1.RemoveMemberRequest';
    const values = { guild_id: '1', user_id: '2', reason: 'spam' };
    expect(readText<Members>(request, values).message.reason).toBe('spam');
    expect(readJson<Members>(request, values).message.reason).toBeNull();
  });

  it('names unreadable values', () => {
    expect(window({ before: 'x' })).toEqual(['before INVALID_SNOWFLAKE_FORMAT']);
    for (const limit of ['', ' 1', '1.0', '1e1', '0x1', 'NaN', '9007199254740992', '9'.repeat(30)]) {
      expect(window({ limit })).toEqual(['limit VALUE_MUST_BE_INTEGER_IN_RANGE']);
    }
    for (const limit of ['0', '-1', '007', '9007199254740991']) expect(window({ limit })).toEqual([]);
    const { violations } = readText(APPLICATION, { name: 'a', bot_public: '1' });
    expect(violations).toMatchObject([{ path: 'bot_public', code: 'INVALID_FORMAT' }]);
  });
});

describe('an endless request', () => {
  it('is answered with at most 100 violations', () => {
    const embeds = Array.from({ length: 10 }, () => ({ fields: Array.from({ length: 25 }, () => 'x') }));
    expect(message({ embeds })).toHaveLength(100);
    expect(message({ content: 1, embeds, nonce: 1 }).at(-1)).toMatch(/^embeds\.3\.fields\.23 /);
  });

  it('is read one item beyond the limit of its field, so that the excess is visible', () => {
    const many = Array.from({ length: 350_000 }, () => ({}));
    const ids = Array.from({ length: 350_000 }, () => '1');
    const form = {
      channel_id: '1',
      embeds: [{ fields: many }, ...many],
      allowed_mentions: { parse: ids, users: ids, roles: ids },
    };
    const { message: read, violations } = readJson<{
      embeds: { fields: unknown[] }[];
      allowed_mentions: Record<string, unknown[]>;
    }>(MESSAGE, form);
    expect(violations).toEqual([]);
    expect(read.embeds).toHaveLength(11);
    expect(read.embeds[0]?.fields).toHaveLength(26);
    expect(Object.values(read.allowed_mentions).map((list) => list?.length)).toEqual([
      101,
      101,
      101,
      undefined,
    ]);
    expect(message({ embeds: [...Array(11).fill({}), 'never read'] })).toEqual([]);
    const uris = readJson<{ redirect_uris: string[] }>(APPLICATION, { name: 'a', redirect_uris: ids });
    expect(uris.message.redirect_uris).toHaveLength(11);
  });

  it('is read completely up to the limit', () => {
    const users = Array.from({ length: 100 }, (_, index) => String(index));
    const { message: read } = readJson<{ allowed_mentions: { users: string[] } }>(MESSAGE, {
      channel_id: '1',
      allowed_mentions: { users },
    });
    expect(read.allowed_mentions.users).toEqual(users);
  });
});

describe('any JSON', () => {
  it('becomes a complete message with violations, without throwing', () => {
    const known = [
      'channel_id',
      'content',
      'embeds',
      'flags',
      'allowed_mentions',
      'title',
      'fields',
      'parse',
    ];
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.array(tie('tree')), tie('object')),
      object: fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), tie('tree')),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...known), tree), (value) => {
        const read = readJson<Members>(MESSAGE, value);
        expect(Object.keys(read.message)).toEqual([
          ...['channel_id', 'content', 'embeds', 'flags', 'allowed_mentions', 'nonce'],
        ]);
        for (const { path } of read.violations) expect(path.split('.')[0]).toMatch(/^\w+$/);
        if (read.violations.length === 0) expect(requireValid(read)).toBe(read.message);
        else expect(() => requireValid(read)).toThrow(Fault);
      }),
    );
  });
});

describe('a body of more than 250,000 values', () => {
  const refused = (text: string) => expect(() => parseObject(Buffer.from(text))).toThrow(Fault);

  it('is refused before it is parsed, however they are written', () => {
    refused(`{"x":[${'{},'.repeat(250_000)}{}]}`);
    refused(`{"x":${'['.repeat(250_000)}${']'.repeat(250_000)}}`);
    refused(`{${'"":0,'.repeat(250_000)}"":0}`);
    refused(`{"\\\\":"\\"[","x":[${'0,'.repeat(250_000)}0]}`);
  });

  it('is refused wherever the string before the values ends, and accepted where it does not', () => {
    const values = `"x":[${'0,'.repeat(250_000)}0]`;
    for (let length = 5; length < 40; length++) {
      const text = 'x'.repeat(length);
      refused(`{"":"${text}\\\\",${values}}`);
      refused(`{"":"${text}\\\\\\"\\\\",${values}}`);
      const held = `{"":"${text}\\",${values.replaceAll('"', '\\"')}"}`;
      expect(parseObject(Buffer.from(held))).toEqual(JSON.parse(held));
    }
  });

  it('is not recognized by the contents of strings', () => {
    const text = JSON.stringify({ x: `${',[{:"\\'.repeat(250_000)}` });
    expect(parseObject(Buffer.from(text))).toEqual(JSON.parse(text));
  });
});

it('a number in a body of 64 KiB keeps its digits, whatever is beside it', () => {
  for (const many of ['1,'.repeat(32_000), '",",'.repeat(16_000), `"${','.repeat(65_000)}",`]) {
    const { id } = parseObject(Buffer.from(`{"many":[${many}1],"id":1575722480678297600}`));
    expect(digitsOf(id)).toBe('1575722480678297600');
  }
});

it('a number whose digits a double has lost has no digits, however it was parsed', () => {
  const many = '1,'.repeat(65_537);
  const { id } = parseObject(Buffer.from(`{"many":[${many}1],"id":1234567890123456789}`));
  expect([digitsOf(id), digitsOf(2 ** 53 - 1), digitsOf(1.5)]).toEqual([
    undefined,
    '9007199254740991',
    '1.5',
  ]);
});

it('a text that may be sent as a number is its digits', () => {
  const read = (id: string) => {
    const { message, violations } = readJson(
      'gatehouse.oauth2.v1.GrantConsentRequest',
      parseObject(Buffer.from(`{"client_id":${id}}`)),
    );
    return violations.length > 0 ? violations[0]?.code : (message as { client_id: string }).client_id;
  };
  expect(['1234567890123456789', '"1234567890123456789"', '-1', '1e3'].map(read)).toEqual([
    '1234567890123456789',
    '1234567890123456789',
    '-1', // the service refuses text that is not an ID
    '1e3',
  ]);
  expect(read('true')).toBe('INVALID_FORMAT');
});
