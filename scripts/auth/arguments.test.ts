import { expect, test } from 'vitest';
import { HELP, readArguments, UsageError } from './arguments.ts';

test.each([
  ['nothing', [], 'A command is missing.'],
  ['an unknown command', ['sessions'], 'Unknown command sessions.'],
  ['a word too many', ['events', 'now'], 'events takes no argument now.'],
  ['an unknown option', ['events', '--all'], "Unknown option '--all'"],
  ['an account of letters', ['events', '--account', 'me'], "--account must be an account's ID."],
  ['an account beyond 64 bits', ['events', '--account', '9223372036854775808'], '--account must be'],
  ['an empty account', ['events', '--account', ''], '--account must be'],
  ['an account without a value', ['events', '--account'], 'argument missing'],
  ['a kind of signs', ['events', '--kind', "login';--"], '--kind must be a kind of event'],
  ['an empty kind', ['events', '--kind='], '--kind must be a kind of event'],
  ['a time of words', ['events', '--since', 'yesterday'], '--since must be a number'],
  ['a time without unit', ['events', '--since', '15'], '--since must be a number'],
  ['a negative time', ['events', '--since=-1h'], '--since must be a number'],
  ['a time of a property of objects', ['events', '--since', '1constructor'], '--since must be a number'],
  ['a limit of 0', ['events', '--limit', '0'], '--limit must be a whole number'],
  ['a limit of words', ['events', '--limit', 'all'], '--limit must be a whole number'],
  ['a fraction', ['events', '--limit', '1.5'], '--limit must be a whole number'],
  ['an enormous limit', ['events', '--limit', '100001'], '--limit must be a whole number'],
  ['an address without a port', ['events', '--address', 'here'], '--address must be host:port'],
  ['one address of two', ['events', '--address', 'a:1,'], '--address must be host:port'],
  ['a value for a flag', ['events', '--json=yes'], 'does not take an argument'],
  ['an option of another command', ['reencrypt', '--follow'], 'reencrypt has no option --follow.'],
  ['an option that events lacks', ['events', '--dry-run'], 'events has no option --dry-run.'],
  ['a key for reencrypt', ['reencrypt', 'a-secret'], 'reencrypt takes no argument a-secret.'],
  ['a property of objects', ['constructor'], 'Unknown command constructor.'],
  ['control characters', ['\u001b[2J'], 'Unknown command \\u{1b}[2J.'],
])('a mistake in the command line, such as %s, is reported with the help', (_, args, text) => {
  const read = () => readArguments(args, {});
  expect(read).toThrow(UsageError);
  expect(read).toThrow(text);
  expect(read).toThrow(HELP);
});

test('reencrypt changes rows unless --dry-run is given', () => {
  const address = '127.0.0.1:8082';
  const reencrypt = { command: 'reencrypt', address, json: false, dry_run: false };
  expect(readArguments(['reencrypt'], {})).toEqual(reencrypt);
  expect(readArguments(['reencrypt', '--dry-run', '--json'], {})).toEqual({
    ...reencrypt,
    json: true,
    dry_run: true,
  });
});

test('a time before 1970 means all events, and several addresses are allowed', () => {
  const options = readArguments(['events', '--since', '999999d'], { AUTH_ADDRESS: 'a:1, b:2' });
  expect(options).toMatchObject({ since_ms: 0, address: 'a:1,b:2', limit: 100, follow: false });
});
