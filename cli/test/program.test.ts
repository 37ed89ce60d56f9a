import { expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';

test.each([
  [['auth', 'events'], 'auth', 11],
  [['auth', 'events', '--follow'], 'auth', 11],
  [['auth', 'reencrypt'], 'auth', 11],
  [['webhooks', 'deliveries', '1'], 'webhook_delivery', 14],
  [['limits', 'top'], 'ratelimit', 10],
  [['limits', 'check', 'report', 'account:1'], 'ratelimit', 10],
])(
  '%j finds its service by PORT; without an answer it says where it asked and what to do',
  async (args, server, port) => {
    const { code, stdout, stderr } = await runCommand(args, { env: { PORT: '9' } });
    expect([code, stdout]).toEqual([3, '']);
    const [first, second] = stderr.split('\n');
    expect(first).toMatch(new RegExp(`^127\\.0\\.0\\.1:${port}: .* does not answer\\.$`));
    expect(second).toContain(`--address or ${server.toUpperCase()}_ADDRESS`);
  },
);

test('an address variable without an address is named, with code 2', async () => {
  const { code, stderr } = await runCommand(['auth', 'events'], { env: { AUTH_ADDRESS: 'here' } });
  expect([code, stderr]).toEqual([2, expect.stringContaining('AUTH_ADDRESS must be host:port')]);
});

test.each([
  ['no command', [], 'Usage: gatehouse <command>'],
  ['an unknown command', ['stop'], "unknown command 'stop'"],
  ['a command with the name of a property', ['constructor'], "unknown command 'constructor'"],
  ['no subcommand', ['auth'], 'Usage: gatehouse auth'],
  ['an unknown subcommand', ['auth', 'sessions'], "unknown command 'sessions'"],
])('%s ends with code 2 and the help on standard error', async (_, args, text) => {
  const { code, stdout, stderr } = await runCommand(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
});

test('a mistake names the help of its command', async () => {
  const { stderr } = await runCommand(['limits', 'top', '--twice']);
  expect(stderr).toBe("error: unknown option '--twice'\ngatehouse limits top --help shows how to use it.\n");
});
