import { describe, expect, it } from 'vitest';
import { describeScopes } from '../src/account/describe-scopes.ts';
import { currentFirst, deviceName } from '../src/account/device-name.ts';
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
  ])('%i seconds are %s', (passed_seconds, text) => {
    expect(timeAgo(new Date(NOW.getTime() - passed_seconds * 1000), NOW)).toBe(text);
  });
});

describe('a session', () => {
  it('is named after the known parts of its client information', () => {
    const name = (browser: string | null, os: string | null) => deviceName({ client_info: { browser, os } });
    expect(name('Firefox', 'Linux')).toBe('Firefox on Linux');
    expect(name(null, 'Linux')).toBe('A device with Linux');
    expect(name('curl', null)).toBe('curl');
    expect(name(null, null)).toBe('An unknown device');
    expect(deviceName({ client_info: null })).toBe('An unknown device');
  });

  it('on this device comes first', () => {
    const [a, b, c] = [
      { id: 'a', current: false },
      { id: 'b', current: true },
      { id: 'c', current: false },
    ];
    expect(currentFirst([a, b, c])).toEqual([b, a, c]);
  });
});

describe('the scopes of an application', () => {
  it('are described, the most personal first; an unknown scope is shown by its name', () => {
    const text = describeScopes(['guilds', 'new.scope', 'identify']);
    expect(text).toHaveLength(3);
    expect(text[0]).toContain('who you are');
    expect(text[1]).toContain('guilds');
    expect(text[2]).toBe('new.scope');
  });
});

it('the file of backup codes has unused codes only', () => {
  const codes = [
    { code: 'aaaa-1111', consumed: true },
    { code: 'bbbb-2222', consumed: false },
  ];
  const file = backupCodeFile('ann', codes);
  expect(file).toContain('Account: ann\n');
  expect(file).toContain('\nbbbb-2222\n');
  expect(file).not.toContain('aaaa-1111');
});
