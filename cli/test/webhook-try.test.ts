import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProviderRequest, renderProvider } from '@gatehouse/webhook-delivery/render';
import { afterAll, describe, expect, test } from 'vitest';
import { messageText } from '../src/commands/webhooks/message-text.ts';
import { runCommand } from './support/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-payloads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}) =>
  runCommand(['webhooks', 'try', ...args], { env, input });

const SHA = '0123456789abcdef0123456789abcdef01234567';
const push = {
  repository: { name: 'hall', full_name: 'octo/hall', html_url: 'https://code.test/octo/hall' },
  sender: { login: 'ada', html_url: 'https://code.test/ada', avatar_url: 'https://img.test/ada' },
  ref: 'refs/heads/main',
  compare: 'https://code.test/compare',
  commits: [{ id: SHA, url: `https://code.test/c/${SHA}`, message: 'Oil hinges', author: { name: 'Ada' } }],
};
const incident = {
  page: { url: 'https://status.test', status_description: 'Minor outage' },
  incident: {
    name: 'Door sticks',
    status: 'investigating',
    created_at: '2026-03-01T08:00:00Z',
    affected_components: [{ name: 'Hall', status: 'major_outage' }],
  },
};
const alert = {
  username: 'alerts',
  text: 'Look: [the board](https://board.test/1)',
  attachments: [
    {
      color: '#e23c39',
      title: 'Disk full',
      title_link: 'https://alerts.test/1',
      text: 'word '.repeat(60),
      fields: [
        { title: 'host', value: 'db1', short: true },
        { title: 'since', value: '10 min', short: true },
        { title: 'runbook', value: 'none' },
      ],
      ts: 0,
    },
  ],
};

function textOf(dialect: ProviderRequest['dialect'], payload: object): string {
  const body = Buffer.from(JSON.stringify(payload));
  const rendered = renderProvider({ dialect, body, content_type: undefined, event: undefined });
  if (!('message' in rendered)) throw new Error(rendered.reason);
  return messageText(rendered.message);
}

describe('the text', () => {
  test('of a push: name, author, title, link, the linked commits, color', async () => {
    const file = join(folder, 'push.json');
    writeFileSync(file, JSON.stringify(push));
    const { code, stdout, stderr } = await run(['codehost', file, '--event', 'push']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'Code host BOT',
      '',
      '  ┃ ada <https://code.test/ada>',
      '  ┃ [hall:main] 1 new commit',
      '  ┃ <https://code.test/compare>',
      `  ┃ \`0123456\` <https://code.test/c/${SHA}> Oil hinges - Ada`,
      '  ┃ #7289da',
      '',
    ]);
  });

  test('of a notification: fields, footer, time', () => {
    expect(textOf('statuspage', incident).split('\n')).toEqual([
      'Status page BOT',
      '',
      '  ┃ Door sticks',
      '  ┃ <https://status.test>',
      '  ┃ Status: Investigating',
      '  ┃ Affected components: Hall (major outage)',
      '  ┃ Minor outage · 2026-03-01T08:00:00.000Z · #e23c39',
    ]);
  });

  test('of a window: its times as times', () => {
    const window = { scheduled_for: '2026-04-03T22:00:00Z', scheduled_until: '2026-04-03T23:30:00Z' };
    const text = textOf('statuspage', { maintenance: { name: 'Inspection', ...window } });
    expect(text).toMatch(/┃ [^\n]*2026-04-03 22:00 UTC-2026-04-03 23:30 UTC\n/);
  });

  test('of an alert: text, and each field on a separate line', () => {
    const lines = textOf('chatcompat', alert).split('\n');
    expect(lines.slice(0, 2)).toEqual(['alerts BOT', '  Look: the board <https://board.test/1>']);
    expect(lines.filter((line) => line.includes('word'))).toHaveLength(1);
    expect(lines.slice(-4)).toEqual([
      '  ┃ host: db1',
      '  ┃ since: 10 min',
      '  ┃ runbook: none',
      '  ┃ 1970-01-01T00:00:00.000Z · #e23c39',
    ]);
  });

  test('has no terminal control sequences of the payload', () => {
    const evil = 'a\u001b]0;owned\u0007\u001b[2J\u202egpj\u009b31m';
    const field = { title: evil, value: evil };
    const attachment = { title: evil, text: evil, footer: evil, author_name: evil, fields: [field] };
    const text = textOf('chatcompat', { text: evil, username: evil, attachments: [attachment] });
    expect(text).toContain('gpj');
    expect(text).not.toMatch(/[\p{Bidi_Control}]|(?!\n)\p{Cc}/u);
  });
});

test('a form on standard input', async () => {
  const form = `payload=${encodeURIComponent(JSON.stringify(incident))}`;
  const { code, stdout } = await run(['statuspage', '-', '--form'], form);
  expect([code, stdout]).toEqual([0, `${textOf('statuspage', incident)}\n`]);
});

describe('a payload without a message', () => {
  test('ends with 1, the reason and the events that have one', async () => {
    const { code, stdout, stderr } = await run(
      ['codehost', '-', '--event', 'issues'],
      JSON.stringify({ ...push, action: 'labeled' }),
    );
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toBe(
      'nothing: action_not_shown\n' +
        'This event is not shown for this action. issues is shown for the actions opened, closed, reopened.\n',
    );
  });

  test('names the refused member', async () => {
    const { code, stdout } = await run(['chatcompat', '-'], JSON.stringify({ text: 'x'.repeat(4001) }));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^refused: over_limits\n.*\n {2}text: .*\(CONTENT_EXCEEDS_MAX_LENGTH\)\n$/);
  });
});

describe('--json is one line, the same each time', () => {
  test('of a message, as the API has embeds', async () => {
    const { code, stdout } = await run(['statuspage', '-', '--json'], JSON.stringify(incident));
    expect(code).toBe(0);
    expect(stdout).toBe(
      '{"outcome":"shown","message":{"username":"Status page","embeds":[{"title":"Door sticks",' +
        '"url":"https://status.test","color":14826553,"timestamp":"2026-03-01T08:00:00.000Z",' +
        '"footer":{"text":"Minor outage"},"fields":[{"name":"Status","value":"Investigating","inline":true},' +
        '{"name":"Affected components","value":"Hall (major outage)","inline":false}]}]}}\n',
    );
  });

  test('of nothing and of a refusal', async () => {
    const nothing = await run(['codehost', '-', '--json'], '{}');
    expect(nothing.code).toBe(1);
    expect(JSON.parse(nothing.stdout)).toEqual({
      outcome: 'nothing',
      reason: 'event_missing',
      explanation: expect.stringMatching(/^There is no X-Codehost-Event header\. .*push/),
      violations: [],
    });
    const refused = await run(['chatcompat', '-', '--json'], '[]');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      outcome: 'refused',
      reason: 'broken_body',
      violations: [{ path: 'body', code: 'INVALID_FORMAT' }],
    });
  });
});

test('a file that cannot be read is named, with code 2', async () => {
  const { code, stdout, stderr } = await run(['statuspage', join(folder, 'none.json')]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Cannot read [^\n]*none\.json: [^\n]*\n$/);
});

test('a relative path starts from the folder where npm was called', async () => {
  writeFileSync(join(folder, 'incident.json'), JSON.stringify(incident));
  const { code } = await run(['statuspage', 'incident.json'], '', { INIT_CWD: folder });
  expect(code).toBe(0);
});

describe('a mistake ends with code 2, on standard error:', () => {
  test.each([
    ['no format', [], "missing required argument 'format'"],
    ['an unknown format', ['webhook', '-'], 'Allowed choices are codehost, chatcompat, statuspage.'],
    ['no file', ['codehost', '--event', 'push'], "missing required argument 'file'"],
    ['two files', ['codehost', 'a', 'b'], 'too many arguments'],
    ['an event of another format', ['statuspage', '-', '--event', 'x'], 'statuspage has no --event'],
    ['an option of deliveries', ['statuspage', '-', '--limit', '1'], "unknown option '--limit'"],
  ])('%s', async (_, args, text) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });
});
