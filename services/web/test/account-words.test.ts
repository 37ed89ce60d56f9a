import { describe, expect, it } from 'vitest';
import { grantedInWords } from '../src/account/granted-words.ts';
import { deviceName, ownFirst } from '../src/account/session-words.ts';
import { backupCodeFile } from '../src/account/two-factor/backup-code-file.ts';
import { timeAgo } from '../src/shared/time-ago.ts';

describe('timeAgo', () => {
  const NOW = new Date('2026-03-31T12:00:00Z');
  const SECOND = 1;
  const MINUTE = 60 * SECOND;
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;

  it.each([
    [-5 * MINUTE, 'just now'],
    [59 * SECOND, 'just now'],
    [MINUTE, '1 minute ago'],
    [59 * MINUTE, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [23.9 * HOUR, '23 hours ago'],
    [DAY, 'yesterday'],
    [29 * DAY, '29 days ago'],
    [30 * DAY, 'on Mar 1, 2026'],
  ])('%i seconds are %s', (passed_seconds, words) => {
    expect(timeAgo(new Date(NOW.getTime() - passed_seconds * 1000), NOW)).toBe(words);
  });
});

describe('a session', () => {
  it('is named after the known parts of its client', () => {
    const name = (browser: string | null, os: string | null) => deviceName({ client_info: { browser, os } });
    expect(name('Firefox', 'Linux')).toBe('Firefox on Linux');
    expect(name(null, 'Linux')).toBe('A device with Linux');
    expect(name('curl', null)).toBe('curl');
    expect(name(null, null)).toBe('An unknown device');
    expect(deviceName({ client_info: null })).toBe('An unknown device');
  });

  it('of this device comes first', () => {
    const [a, b, c] = [
      { id: 'a', current: false },
      { id: 'b', current: true },
      { id: 'c', current: false },
    ];
    expect(ownFirst([a, b, c])).toEqual([b, a, c]);
  });
});

describe('the access of an application', () => {
  it('is described, most personal first, and an unknown scope is shown by its name', () => {
    const words = grantedInWords(['guilds', 'new.scope', 'identify']);
    expect(words).toHaveLength(3);
    expect(words[0]).toContain('who you are');
    expect(words[1]).toContain('guilds');
    expect(words[2]).toBe('new.scope');
  });
});

it('a file of backup codes has the unused ones only', () => {
  const codes = [
    { code: 'aaaa-1111', consumed: true },
    { code: 'bbbb-2222', consumed: false },
  ];
  const file = backupCodeFile('ann', codes);
  expect(file).toContain('Account: ann\n');
  expect(file).toContain('\nbbbb-2222\n');
  expect(file).not.toContain('aaaa-1111');
});
