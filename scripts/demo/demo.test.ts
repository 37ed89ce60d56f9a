import { execFileSync } from 'node:child_process';
import { stripControls } from '@gatehouse/cli/output/printable';
import { describe, expect, it } from 'vitest';
import type { Message } from './api-objects.ts';
import { readArguments } from './arguments.ts';
import { auditLines } from './audit-lines.ts';
import { curl, quote } from './call.ts';
import { channelLines } from './channel-lines.ts';
import { DemoError } from './demo-error.ts';

const NASTY = `<script>alert("1")</script> & 'x' \u001b[31mred\u0007 \u202egnp [a](javascript:x) [b"](https://b.example/"onclick=x)`;

const message: Message = {
  id: '1',
  author: { id: '2', username: NASTY, global_name: null, bot: true },
  content: NASTY,
  timestamp: '2026-01-02T03:04:05.678Z',
  embeds: [
    {
      title: NASTY,
      url: 'javascript:alert(1)',
      description: NASTY,
      author: { name: NASTY, url: 'https://b.example/"onclick=x' },
      fields: [{ name: NASTY, value: NASTY, inline: true }],
      footer: { text: NASTY },
    },
  ],
};
const guild = { id: '3', name: NASTY };
const channel = { id: '4', name: NASTY };
const log = {
  audit_log_entries: [
    { action_type: 25, user_id: '2', target_id: '7' },
    { action_type: 11, user_id: '2', target_id: '5' },
    {
      action_type: 10,
      user_id: '2',
      target_id: '5',
      changes: [{ key: 'name', new_value: NASTY }],
      reason: NASTY,
    },
  ],
  users: [
    { id: '2', username: 'ada', global_name: 'Ada' },
    { id: '7', username: 'ben', global_name: null },
  ],
};

describe('the channel', () => {
  it('is one line per message, and shows consecutive repetitions once', () => {
    const plain = { ...message, author: { ...message.author, username: 'Deploys' }, embeds: [] };
    const contents = ['one', 'again', 'again', 'again', 'one'];
    const messages = contents.map((content, n) => ({ ...plain, id: `${n}`, content }));
    expect(channelLines({ id: '3', name: 'Hall' }, { id: '4', name: 'general' }, messages)).toEqual([
      'Hall #general',
      '03:04:05 Deploys BOT: one',
      '03:04:05 Deploys BOT: again',
      '03:04:05 Deploys BOT: one',
    ]);
  });

  it('cannot send terminal control sequences', () => {
    for (const line of [...channelLines(guild, channel, [message]), ...auditLines(log).map(stripControls)])
      expect(line).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  });
});

describe('the audit log', () => {
  it('is in words, oldest first', () => {
    expect(auditLines(log)).toEqual([
      `Ada created the channel ${NASTY} (${NASTY})`,
      `Ada changed the channel ${NASTY}`,
      'Ada changed the roles of ben',
    ]);
  });
});

describe('a printed command', () => {
  it('survives a shell unchanged', () => {
    const word = `it's "5 $HOME" \`x\` \\ é\n!`;
    expect(execFileSync('sh', ['-c', `printf %s ${quote(word)}`], { encoding: 'utf8' })).toBe(word);
    expect(curl({ method: 'PUT', url: 'http://x/' })).toBe("curl -s -X PUT 'http://x/'");
    const command = curl({ method: 'POST', url: 'http://x/?a=1&b=2', token: 't', body: { content: "it's" } });
    const form = curl({ method: 'POST', url: 'http://x/', form: { token: 'a b&c', scope: "it's" } });
    expect(form).toContain("--data-urlencode 'token=a b&c'");
    expect(form).not.toContain('-X POST');
    const words = execFileSync('sh', ['-c', `set -- ${command.replace('curl ', '')}; printf '%s\\n' "$@"`], {
      encoding: 'utf8',
    });
    expect(words.split('\n')).toEqual([
      '-s',
      'http://x/?a=1&b=2',
      '-H',
      'Authorization: Bearer t',
      '-H',
      'Content-Type: application/json',
      '-d',
      `{"content":"it's"}`,
      '',
    ]);
  });
});

describe('the options', () => {
  it('are checked', () => {
    expect(readArguments(['--url', 'http://x:1/api/v1/'], {}).url).toBe('http://x:1');
    for (const wrong of [
      ['--url', 'x'],
      ['--url', 'ftp://x'],
      ['--email', 'x'],
      ['--guest-password', 'x'],
      ['--nope'],
      ['stray'],
    ]) {
      expect(() => readArguments(wrong, {})).toThrow(DemoError);
    }
  });
});
