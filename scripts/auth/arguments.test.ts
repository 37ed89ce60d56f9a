import { expect, test } from 'vitest';
import { HELP, readArguments, UsageError } from './arguments.ts';

test.each([
  ['nothing', [], 'What is to be done?'],
  ['an unknown command', ['sessions'], 'There is no sessions.'],
  ['a word too many', ['events', 'now'], 'events takes no now.'],
  ['an unknown option', ['events', '--all'], "Unknown option '--all'"],
  ['an account of letters', ['events', '--account', 'me'], "--account is an account's ID."],
  ['an account beyond 64 bits', ['events', '--account', '9223372036854775808'], '--account is'],
  ['an empty account', ['events', '--account', ''], '--account is'],
  ['an account without a value', ['events', '--account'], 'argument missing'],
  ['a kind of signs', ['events', '--kind', "login';--"], '--kind is a kind of event'],
  ['an empty kind', ['events', '--kind='], '--kind is a kind of event'],
  ['a time of words', ['events', '--since', 'yesterday'], '--since is a number'],
  ['a time without unit', ['events', '--since', '15'], '--since is a number'],
  ['a negative time', ['events', '--since=-1h'], '--since is a number'],
  ['a time of a property of objects', ['events', '--since', '1constructor'], '--since is a number'],
  ['a limit of 0', ['events', '--limit', '0'], '--limit is a whole number'],
  ['a limit of words', ['events', '--limit', 'all'], '--limit is a whole number'],
  ['a fraction', ['events', '--limit', '1.5'], '--limit is a whole number'],
  ['an enormous limit', ['events', '--limit', '100001'], '--limit is a whole number'],
  ['an address without a port', ['events', '--address', 'here'], '--address is host:port'],
  ['one address of two', ['events', '--address', 'a:1,'], '--address is host:port'],
  ['a value for a flag', ['events', '--json=yes'], 'does not take an argument'],
  ['an option of another command', ['reencrypt', '--follow'], 'reencrypt takes no --follow.'],
  ['an option that events lacks', ['events', '--dry-run'], 'events takes no --dry-run.'],
  ['a key for reencrypt', ['reencrypt', 'a-secret'], 'reencrypt takes no a-secret.'],
  ['a property of objects', ['constructor'], 'There is no constructor.'],
  ['control characters', ['\u001b[2J'], 'There is no \\u{1b}[2J.'],
])('a mistake in the command line, such as %s, is told with the help', (_, args, text) => {
  const read = () => readArguments(args, {});
  expect(read).toThrow(UsageError);
  expect(read).toThrow(text);
  expect(read).toThrow(HELP);
});

test('reencrypt moves unless it is only to count', () => {
  const address = '127.0.0.1:8082';
  const reencrypt = { command: 'reencrypt', address, json: false, dry_run: false };
  expect(readArguments(['reencrypt'], {})).toEqual(reencrypt);
  expect(readArguments(['reencrypt', '--dry-run', '--json'], {})).toEqual({
    ...reencrypt,
    json: true,
    dry_run: true,
  });
});

test('a time before all time is all time, and of several addresses each may be asked', () => {
  const options = readArguments(['events', '--since', '999999d'], { AUTH_ADDRESS: 'a:1, b:2' });
  expect(options).toMatchObject({ since_ms: 0, address: 'a:1,b:2', limit: 100, follow: false });
});
