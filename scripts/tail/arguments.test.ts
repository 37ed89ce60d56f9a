import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { readToken } from './read-token.ts';
import { UsageError } from './usage-error.ts';

const TOKEN = ['--token', 'x'];

test('a token is enough', () => {
  expect(readArguments(TOKEN, {})).toEqual({
    token: 'x',
    channels: undefined,
    types: undefined,
    count: undefined,
    for_seconds: undefined,
    json: false,
    url: undefined,
    base_url: 'http://127.0.0.1:8080',
  });
});

test('filters and ends are read', () => {
  const args = ['--token', '-', '--channel', '1,2', '--types', 'message_create, READY'];
  expect(readArguments([...args, '--count', '3', '--for', '60', '--json'], {})).toMatchObject({
    token: '-',
    channels: ['1', '2'],
    types: ['MESSAGE_CREATE', 'READY'],
    count: 3,
    for_seconds: 60,
    json: true,
  });
});

test('the command line comes before the environment', () => {
  const env = { GATEWAY_TOKEN: 'y', GATEWAY_URL: 'ws://env/' };
  expect(readArguments([], env)).toMatchObject({ token: 'y', url: 'ws://env/' });
  expect(readArguments([...TOKEN, '--url', 'wss://a/'], env)).toMatchObject({ token: 'x', url: 'wss://a/' });
  const base = ['--base-url', 'http://b/api/v1/'];
  expect(readArguments(base, env)).toMatchObject({ url: undefined, base_url: 'http://b' });
});

describe('a mistake', () => {
  test.each([
    ['no token', [], 'A token is missing'],
    ['an empty token', ['--token', ''], 'A token is missing'],
    ['a channel without an ID', [...TOKEN, '--channel', 'general'], '"general" is not the ID of a channel'],
    ['an unknown event', [...TOKEN, '--types', 'MESAGE_CREATE'], 'no event "MESAGE_CREATE"'],
    ['no event', [...TOKEN, '--types', ''], 'no event ""'],
    ['a count of 0', [...TOKEN, '--count', '0'], '--count must be a whole number'],
    ['half a second', [...TOKEN, '--for', '0.5'], '--for must be a whole number'],
    ['more than a week', [...TOKEN, '--for', '604801'], 'from 1 to 604800'],
    [
      'a URL of HTTP',
      [...TOKEN, '--url', 'http://a/'],
      '--url: "http://a/" is no URL that begins with ws://',
    ],
    ['a base URL of WebSockets', [...TOKEN, '--base-url', 'ws://a/'], 'begins with http:// or https://'],
    ['both URLs', [...TOKEN, '--url', 'ws://a/', '--base-url', 'http://a'], '--base-url is not asked'],
    ['an argument', [...TOKEN, 'general'], "Unexpected argument 'general'"],
    ['what steers a terminal', [...TOKEN, '--channel', '\u001b[2J'], '"\\u{1b}[2J"'],
  ])('such as %s is told', (_, args, text) => {
    const read = () => readArguments(args, {});
    expect(read).toThrow(UsageError);
    expect(read).toThrow(text);
  });

  test('in GATEWAY_URL names it', () => {
    expect(() => readArguments(TOKEN, { GATEWAY_URL: 'here' })).toThrow('GATEWAY_URL: "here"');
  });
});

test('the help comes before anything else', () => {
  expect(readArguments(['--help'], {})).toBe('help');
});

describe('a token', () => {
  const read = (text: string) => readToken('-', Object.assign(new PassThrough().end(text), { isTTY: false }));

  test('is the first line of standard input', async () => {
    expect(await read('Bot 1.abc\nmore\n')).toBe('Bot 1.abc');
    expect(await read('x')).toBe('x');
  });

  test('that cannot be one is refused, and not repeated', async () => {
    const refused = read('sécret');
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.not.toThrow('cret');
    await expect(read('')).rejects.toThrow('The token is empty.');
    await expect(read('x'.repeat(1_001))).rejects.toThrow('too long');
  });
});
