import { describe, expect, it } from 'vitest';
import { search } from '../../src/docs/search.ts';
import type { SearchEntry } from '../../src/docs/search-entry.ts';

const entry = (title: string, where: string, words = ''): SearchEntry => ({
  title,
  where,
  url: title,
  words,
});
const ENTRIES = [
  entry('Create message', 'POST /channels/{channel_id}/messages', 'posts a message as the caller'),
  entry('Messages', 'Guilds', 'members need a permission'),
  entry('Sudo mode', 'Credentials', 'password proof message'),
  entry('List guilds', 'GET /users/@me/guilds', 'guilds of the account'),
];
const titles = (query: string) => search(ENTRIES, query).map(({ title }) => title);

describe('the search of /docs', () => {
  it('puts titles before texts', () => {
    expect(titles('message').at(-1)).toBe('Sudo mode');
    expect(titles('messages')[0]).toBe('Messages');
    expect(titles('mess')[0], 'operations come first').toBe('Create message');
  });

  it('wants every word, in any order and case', () => {
    expect(titles('MESSAGE create')).toEqual(['Create message']);
    expect(titles('message nothing')).toEqual([]);
  });

  it('finds routes by their path', () => {
    expect(titles('/users/@me')).toEqual(['List guilds']);
  });

  it('shows nothing for blanks, at most twelve results, and bears a long query', () => {
    expect(titles('  ')).toEqual([]);
    const many = Array.from({ length: 40 }, (_, index) => entry(`Role ${index}`, ''));
    expect(search(many, 'role')).toHaveLength(12);
    expect(search(many, 'x '.repeat(50_000))).toEqual([]);
  });
});
