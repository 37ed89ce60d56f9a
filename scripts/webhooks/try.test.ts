import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runScript } from '@gatehouse/dev-env/run-script';
import { type ProviderRequest, renderProvider } from '@gatehouse/webhook-delivery/render';
import { afterAll, describe, expect, test } from 'vitest';
import { messageText } from './message-text.ts';

const SCRIPT = fileURLToPath(new URL('../webhooks.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-payloads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}) =>
  runScript(SCRIPT, args, { env, input });

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
    const { code, stdout, stderr } = await run(['try', 'codehost', file, '--event', 'push']);
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

  test('of an alert: text, and each field on a line of its own', () => {
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

  test('has nothing that steers a terminal, whatever the payload holds', () => {
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
  const { code, stdout } = await run(['try', 'statuspage', '-', '--form'], form);
  expect([code, stdout]).toEqual([0, `${textOf('statuspage', incident)}\n`]);
});

describe('no message', () => {
  test('is code 1, with the reason and what would be shown', async () => {
    const { code, stdout, stderr } = await run(
      ['try', 'codehost', '-', '--event', 'issues'],
      JSON.stringify({ ...push, action: 'labeled' }),
    );
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toBe(
      'nothing: action_not_shown\n' +
        'This event is not shown for this action. issues is shown for the actions opened, closed, reopened.\n',
    );
  });

  test('says where a payload is refused', async () => {
    const { code, stdout } = await run(
      ['try', 'chatcompat', '-'],
      JSON.stringify({ text: 'x'.repeat(4001) }),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^refused: over_limits\n.*\n {2}text: .*\(CONTENT_EXCEEDS_MAX_LENGTH\)\n$/);
  });
});

describe('--json is one line, the same each time', () => {
  test('of a message, as the API has embeds', async () => {
    const { code, stdout } = await run(['try', 'statuspage', '-', '--json'], JSON.stringify(incident));
    expect(code).toBe(0);
    expect(stdout).toBe(
      '{"outcome":"shown","message":{"username":"Status page","embeds":[{"title":"Door sticks",' +
        '"url":"https://status.test","color":14826553,"timestamp":"2026-03-01T08:00:00.000Z",' +
        '"footer":{"text":"Minor outage"},"fields":[{"name":"Status","value":"Investigating","inline":true},' +
        '{"name":"Affected components","value":"Hall (major outage)","inline":false}]}]}}\n',
    );
  });

  test('of nothing and of a refusal', async () => {
    const nothing = await run(['try', 'codehost', '-', '--json'], '{}');
    expect(nothing.code).toBe(1);
    expect(JSON.parse(nothing.stdout)).toEqual({
      outcome: 'nothing',
      reason: 'event_missing',
      explanation: expect.stringMatching(/^There is no X-Codehost-Event header\. .*push/),
      violations: [],
    });
    const refused = await run(['try', 'chatcompat', '-', '--json'], '[]');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      outcome: 'refused',
      reason: 'broken_body',
      violations: [{ path: 'body', code: 'INVALID_FORMAT' }],
    });
  });
});

test('a file that cannot be read is told in a line, with code 2', async () => {
  const { code, stdout, stderr } = await run(['try', 'statuspage', join(folder, 'none.json')]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Cannot read [^\n]*none\.json: [^\n]*\n$/);
});

test('a path counts from the folder where npm was called', async () => {
  writeFileSync(join(folder, 'incident.json'), JSON.stringify(incident));
  const { code } = await run(['try', 'statuspage', 'incident.json'], '', { INIT_CWD: folder });
  expect(code).toBe(0);
});

test('a reader that leaves early is no error', async () => {
  const flags = ['--disable-warning=ExperimentalWarning', SCRIPT, 'try', 'statuspage', '-'];
  const child = spawn(process.execPath, flags, { env: { PATH: process.env.PATH }, stdio: 'pipe' });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.destroy();
  child.stdin.end(JSON.stringify(incident));
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([0, '']);
});
