import { describe, expect, it } from 'vitest';
import {
  ALL_PERMISSIONS,
  maskOf,
  PERMISSIONS,
  permissionsIn,
  readPermissions,
} from '../src/shared/permissions.ts';

describe('permissions', () => {
  it('have all bits of chat, each once', () => {
    expect(ALL_PERMISSIONS).toBe(33787032395841535n);
    expect(new Set(PERMISSIONS.map(({ name }) => name)).size).toBe(PERMISSIONS.length);
    expect(new Set(PERMISSIONS.map(({ description }) => description)).size).toBe(PERMISSIONS.length);
  });

  it.each([
    ['0', 0n],
    ['8', 8n],
    ['00008', 8n],
    ['18014398509481984', 1n << 54n],
    [String(1n << 19n), 0n],
    [`9${'0'.repeat(400)}`, (9n * 10n ** 400n) & ALL_PERMISSIONS],
  ])('are read from the number %s, without unknown bits', (text, mask) => {
    expect(readPermissions(text)).toBe(mask);
  });

  it.each(['', '-1', '+1', '0x8', '1.0', ' 8', '8n', 'SEND_MESSAGES', '٣'])(
    'are not read from "%s"',
    (text) => {
      expect(readPermissions(text)).toBeUndefined();
    },
  );

  it('are read from a mask and combined to it again, also above 32 bits', () => {
    const mask = (1n << 11n) | (1n << 54n) | (1n << 40n);
    expect(permissionsIn(mask).map(({ name }) => name)).toEqual([
      'MODERATE_MEMBERS',
      'VIEW_CHANNEL_MEMBERS',
      'SEND_MESSAGES',
    ]);
    expect(maskOf(permissionsIn(mask))).toBe(mask);
    expect(permissionsIn(0n)).toEqual([]);
    expect(maskOf([])).toBe(0n);
  });
});
