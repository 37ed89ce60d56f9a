import type { SearchEntry } from './search-entry.ts';

/** The most results that are shown. */
const MAX_RESULTS = 12;
/** A longer query is cut off. */
const MAX_QUERY = 100;

/** The entries that contain every word of the query, best first: a title before a route, and that before a text. */
export function search(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = query.slice(0, MAX_QUERY).toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry);
}

/** 0 if a word does not occur. */
function scoreOf({ title, where, words: text }: SearchEntry, words: readonly string[]): number {
  const [name, place] = [title.toLowerCase(), where.toLowerCase()];
  const scores = words.map((word): number => {
    if (name === word) return 16;
    if (` ${name}`.includes(` ${word}`)) return 8; // the beginning of one of its words
    if (name.includes(word)) return 6;
    if (place.includes(word)) return 3;
    return text.includes(word) ? 1 : 0;
  });
  const whole = name.includes(words.join(' ')) ? 8 : 0;
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, whole);
}
