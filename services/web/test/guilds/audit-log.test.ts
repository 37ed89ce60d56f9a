import { describe, expect, test } from 'vitest';
import { changeWords } from '../../src/guilds/audit-log/change-words.ts';
import { type AuditEntry, namesOf, timeOf } from '../../src/guilds/audit-log/entry.ts';
import { readFilters, writeFilters } from '../../src/guilds/audit-log/filters.ts';
import { actionLabels, sentenceOf } from '../../src/guilds/audit-log/sentence.ts';
import { partsOf } from '../../src/shared/i18n/isolated.ts';

const user = (id: string, username: string) => ({
  id,
  username,
  discriminator: '0',
  global_name: null,
  avatar: null,
  bot: false,
});
const NAMES = namesOf(
  {
    users: [user('1', 'ada'), user('2', 'bob')],
    webhooks: [{ id: '5', guild_id: '9', channel_id: '3', name: 'Build', avatar: null }],
  },
  [{ id: '3', name: 'general' }],
  [{ id: '4', name: 'Moderator' }],
);
const entry = (action_type: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: '1',
  action_type,
  user_id: '1',
  target_id: null,
  ...more,
});
const words = (shown: AuditEntry) =>
  partsOf(sentenceOf(shown, NAMES))
    .map(({ text, isName }) => (isName ? `[${text}]` : text))
    .join('');

describe('the sentence of an entry', () => {
  test.each([
    [entry(1), '[ada] changed the guild'],
    [entry(11, { target_id: '3' }), '[ada] changed the channel [general]'],
    [
      entry(12, { target_id: '8', changes: [{ key: 'name', old_value: 'old' }] }),
      '[ada] deleted the channel [old]',
    ],
    [entry(11, { target_id: '8' }), '[ada] changed the channel [a channel that you do not see]'],
    [
      entry(14, { target_id: '3', options: { id: '4', type: 0 } }),
      '[ada] changed the permissions of [Moderator] in the channel [general]',
    ],
    [
      entry(15, { target_id: '3', options: { id: '7', type: 1 } }),
      '[ada] removed the permissions of [a member] in the channel [general]',
    ],
    [entry(20, { target_id: '2' }), '[ada] removed [bob] from the guild'],
    [entry(25, { target_id: '2' }), '[ada] changed the roles of [bob]'],
    [entry(32, { target_id: '8' }), '[ada] deleted the role [a deleted role]'],
    [entry(40), '[ada] created an invite'],
    [entry(51, { target_id: '5' }), '[ada] changed the webhook [Build]'],
    [entry(52, { target_id: '6' }), '[ada] deleted the webhook [a deleted webhook]'],
    [entry(20, { user_id: '77', target_id: '2' }), '[Somebody] removed [bob] from the guild'],
    [entry(99), '[ada] made a change of the kind 99'],
  ])('%# %o is a sentence', (shown, sentence) => {
    expect(words(shown)).toBe(sentence);
  });

  test('every kind that can be chosen has a sentence of its own', () => {
    for (const { value } of actionLabels()) expect(words(entry(Number(value)))).not.toContain('of the kind');
  });

  test('names keep their text, without characters that turn the words around them', () => {
    const name = '<script>\u202eعائشة 👩‍👩‍👧 {user}\u2069';
    const shown = entry(30, { changes: [{ key: 'name', new_value: name }] });
    expect(words(shown)).toBe('[ada] created the role [<script>عائشة 👩‍👩‍👧 {user}]');
  });

  test('its time is in its ID', () => {
    expect(timeOf({ id: String(1000n << 22n) }).toISOString()).toBe('2015-01-01T00:00:01.000Z');
  });
});

describe('a change in words', () => {
  test.each([
    [
      { key: 'name', old_value: 'a', new_value: 'b' },
      { label: 'Name', before: 'a', after: 'b' },
    ],
    [
      { key: 'topic', new_value: 'x' },
      { label: 'Topic', before: undefined, after: 'x' },
    ],
    [
      { key: 'hoist', old_value: false, new_value: true },
      { label: 'Shown separately', before: 'no', after: 'yes' },
    ],
    [
      { key: 'rate_limit_per_user', old_value: 0, new_value: 120 },
      { label: 'Slow mode', before: 'off', after: '2 minutes' },
    ],
    [
      { key: 'max_age', new_value: 86400 },
      { label: 'Valid for', before: undefined, after: '1 day' },
    ],
    [
      { key: 'color', old_value: 0, new_value: 0x99aab5 },
      { label: 'Colour', before: 'none', after: '#99aab5' },
    ],
    [
      { key: 'owner_id', old_value: '1', new_value: '7' },
      { label: 'Owner', before: 'ada', after: 'a member' },
    ],
    [
      { key: 'parent_id', old_value: '3' },
      { label: 'Category', before: 'general', after: undefined },
    ],
    [
      { key: 'permissions', old_value: '3', new_value: '5' },
      { label: 'Permissions', before: 'Remove members', after: 'Ban members' },
    ],
    [
      { key: '$add', new_value: [{ id: '4', name: 'Moderator' }] },
      { label: 'Roles given', after: 'Moderator' },
    ],
    [
      { key: '$remove', new_value: [{ id: '4', name: 'Moderator' }] },
      { label: 'Roles taken', before: 'Moderator' },
    ],
    [
      { key: 'unheard_of', new_value: { a: 1 } },
      { label: 'unheard_of', before: undefined, after: '{"a":1}' },
    ],
  ])('%o', (change, shown) => {
    expect(changeWords(change, NAMES)).toEqual([shown]);
  });

  test('permissions that stay the same are not shown', () => {
    expect(changeWords({ key: 'allow', old_value: '2', new_value: '2' }, NAMES)).toEqual([]);
  });
});

test('filters survive in the address, and nothing else does', () => {
  expect(readFilters('user_id=7&action_type=20')).toEqual({ user_id: '7', action_type: '20' });
  expect(readFilters('user_id=x&before=1')).toEqual({ user_id: '', action_type: '' });
  expect(writeFilters({ user_id: '7', action_type: '' })).toBe('user_id=7');
});
