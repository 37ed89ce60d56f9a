import { describe, expect, test } from 'vitest';
import { HELP, readArguments, UsageError } from './arguments.ts';

test('deliveries takes an ID, a limit and an address', () => {
  expect(readArguments(['deliveries', '7'], {})).toEqual({
    command: 'deliveries',
    webhook_id: '7',
    limit: 50,
    address: '127.0.0.1:8085',
    json: false,
  });
  const given = ['deliveries', '7', '--limit', '500', '--address', 'a:1, b:2', '--json'];
  expect(readArguments(given, {})).toMatchObject({ limit: 500, address: 'a:1,b:2', json: true });
  expect(readArguments(['deliveries', '7'], { WEBHOOK_DELIVERY_ADDRESS: 'c:3' })).toMatchObject({
    address: 'c:3',
  });
});

test('try takes a dialect and a file', () => {
  expect(readArguments(['try', 'codehost', 'push.json', '--event', 'push', '--form'], {})).toEqual({
    command: 'try',
    dialect: 'codehost',
    file: 'push.json',
    event: 'push',
    form: true,
    json: false,
  });
  expect(readArguments(['try', 'statuspage', '-'], {})).toMatchObject({ file: '-', form: false });
});

describe('a mistake', () => {
  test.each([
    ['nothing', [], 'A command is missing.'],
    ['an unknown command', ['stop'], 'Unknown command stop.'],
    ['a name of every object', ['constructor'], 'Unknown command constructor.'],
    ['no webhook', ['deliveries'], 'deliveries needs the ID of a webhook.'],
    ['no ID', ['deliveries', 'mine'], 'mine is not the ID of a webhook.'],
    ['two IDs', ['deliveries', '1', '2'], 'deliveries takes no argument 2.'],
    ['a limit of 0', ['deliveries', '1', '--limit', '0'], '--limit must be a whole number from 1 to 500.'],
    ['a limit of 501', ['deliveries', '1', '--limit', '501'], '--limit must be a whole number'],
    ['a limit of words', ['deliveries', '1', '--limit', 'all'], '--limit must be a whole number'],
    ['an address without a port', ['deliveries', '1', '--address', 'here'], '--address must be host:port'],
    ['an event of deliveries', ['deliveries', '1', '--event', 'push'], 'deliveries has no option --event.'],
    ['no dialect', ['try'], 'try needs one of codehost, chatcompat, statuspage.'],
    ['an unknown dialect', ['try', 'webhook', '-'], 'try needs one of'],
    ['no file', ['try', 'codehost', '--event', 'push'], 'try needs a file, or - for standard input.'],
    ['two files', ['try', 'codehost', 'a', 'b'], 'try takes no argument b.'],
    ['an event elsewhere', ['try', 'statuspage', '-', '--event', 'x'], 'statuspage has no --event.'],
    ['a limit of try', ['try', 'statuspage', '-', '--limit', '1'], 'try has no option --limit.'],
    ['an unknown option', ['try', '--twice'], "Unknown option '--twice'"],
    ['what steers a terminal', ['\u001b[2J'], 'Unknown command \\u{1b}[2J.'],
  ])('such as %s is told with the help', (_, args, text) => {
    const read = () => readArguments(args, {});
    expect(read).toThrow(UsageError);
    expect(read).toThrow(text);
    expect(read).toThrow(HELP);
  });
});

test('the help comes before anything else', () => {
  expect(readArguments(['deliveries', '--help'], {})).toBe('help');
  expect(readArguments(['-h'], {})).toBe('help');
});
