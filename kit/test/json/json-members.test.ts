import { describe, expect, it } from 'vitest';
import { jsonWriter, readJson } from '../../src/json.ts';

// Fields whose JSON has more states than their type: objects that the contract does not describe, and members for
// which null, absence and a value each mean something else.

const PASSKEY = 'gatehouse.auth.v1.LoginPasskeyRequest';
const PROFILE = 'gatehouse.auth.v1.UpdateCurrentUserRequest';
const CHANNEL = 'gatehouse.chat.v1.UpdateChannelRequest';

type Members = Record<string, unknown>;

function read(name: string, value: Members): { message: Members; violations: string[] } {
  const { message, violations } = readJson<Members>(name, value);
  return { message, violations: violations.map(({ path, code }) => `${path} ${code}`) };
}

describe('an object defined by another standard', () => {
  it('reaches the service as text', () => {
    const response = { id: 'a', nested: { list: [1, null, '\u{1F511}'] } };
    const { message, violations } = read(PASSKEY, { response });
    expect(violations).toEqual([]);
    expect(JSON.parse(String(message.response))).toEqual(response);
  });

  it.each([
    ['a string', '{"id":"a"}'],
    ['an array', []],
    ['a number', 1],
    ['missing', undefined],
    ['null', null],
    ['longer than 64 KiB', { id: 'a'.repeat(64 * 1024) }],
  ])('that is %s is a violation at its member', (_, response) => {
    expect(read(PASSKEY, { response }).violations).toEqual(['response INVALID_FORMAT']);
  });

  it('that is nested endlessly is a violation, not an internal error', () => {
    const response = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`) as Members;
    expect(() => read(PASSKEY, { response })).not.toThrow();
  });

  it('is an object again in answers', () => {
    const write = jsonWriter<{ options: string }>(
      'gatehouse.auth.v1.GetPasskeyLoginOptionsResponse',
      'options',
    );
    expect(write({ options: '{"challenge":"c","allowCredentials":[]}' })).toBe(
      '{"challenge":"c","allowCredentials":[]}',
    );
  });
});

describe('a nullable number', () => {
  it('is distinguished from an absent one', () => {
    const color = (members: Members) => read(PROFILE, members).message.accent_color;
    expect(color({})).toBeNull();
    expect(color({ accent_color: null })).toEqual({ value: null });
    expect(color({ accent_color: 0 })).toEqual({ value: 0 });
    expect(color({ accent_color: 0xffffff })).toEqual({ value: 0xffffff });
    expect(color({ accent_color: -1 })).toEqual({ value: -1 }); // its owner defines the values
  });

  it.each([
    ['a string', '1', 'INVALID_FORMAT'],
    ['a fraction', 1.5, 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['too large', 2 ** 53, 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
  ])('that is %s is a violation', (_, accent_color, code) => {
    expect(read(PROFILE, { accent_color }).violations).toEqual([`accent_color ${code}`]);
  });
});

describe('a nullable ID', () => {
  it('is distinguished from an absent one', () => {
    const parent = (members: Members) => read(CHANNEL, { channel_id: '1', ...members }).message.parent_id;
    expect(parent({})).toBeNull();
    expect(parent({ parent_id: null })).toEqual({ value: null });
    expect(parent({ parent_id: '9223372036854775807' })).toEqual({ value: '9223372036854775807' });
  });

  it.each([5.5, '', '05', '9223372036854775808', true, {}, ['5']])(
    'that is %j is a violation',
    (parent_id) => {
      expect(read(CHANNEL, { channel_id: '1', parent_id }).violations).toEqual([
        'parent_id INVALID_SNOWFLAKE_FORMAT',
      ]);
    },
  );
});

describe('an optional list', () => {
  const write = jsonWriter<Members>('gatehouse.auth.v1.LoginResponse');

  it('is omitted when it is empty', () => {
    expect(JSON.parse(write({ token: 't', user_id: '1', user: null, allowed_methods: [] }))).toEqual({
      token: 't',
      user_id: '1',
    });
  });

  it('is present otherwise', () => {
    expect(JSON.parse(write({ mfa: true, ticket: 't', allowed_methods: ['totp'] }))).toEqual({
      mfa: true,
      ticket: 't',
      allowed_methods: ['totp'],
    });
  });
});

describe('an optional list', () => {
  const MESSAGE = 'gatehouse.chat.v1.UpdateMessageRequest';
  const ids = { channel_id: '1', message_id: '2' };

  it('is distinguished from an empty one when absent; null counts as absent', () => {
    const embeds = (members: Members) => read(MESSAGE, { ...ids, ...members }).message.embeds;
    expect(embeds({})).toBeNull();
    expect(embeds({ embeds: null })).toBeNull();
    expect(embeds({ embeds: [] })).toEqual({ items: [] });
    expect(embeds({ embeds: [{ title: 't' }] })).toMatchObject({ items: [{ title: 't', fields: [] }] });
  });

  it.each([
    ['an object', { items: [] }, 'embeds'],
    ['a string', 'x', 'embeds'],
    ['a list of a string', ['x'], 'embeds.0'],
  ])('is a violation at its index when it is %s', (_, embeds, path) => {
    expect(read(MESSAGE, { ...ids, embeds }).violations).toEqual([`${path} INVALID_FORMAT`]);
  });
});
