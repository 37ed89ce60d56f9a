import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EVENTS } from '../../src/codehost/events.ts';

const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
const section = page.slice(page.indexOf('### Code-host events'), page.indexOf('## Status-page format'));
/** Event and condition of each row. The event of a forced push has a second row. */
const rows = [...section.matchAll(/^\| `(\w+)`[^|]*\| ([^|]*)\|/gm)].map(([, event = '', when = '']) => ({
  event,
  when,
}));

it('docs/webhooks.md lists exactly the supported events', () => {
  expect([...new Set(rows.map(({ event }) => event))]).toEqual([...EVENTS.keys()]);
});

it.each(rows)('docs/webhooks.md has the actions of $event', ({ event, when }) => {
  const [actions = ''] = when.trim().split(/, (?=with|conclusion)/);
  const named = actions.split(', ').filter((word) => /^[a-z]+$/.test(word) && word !== 'always');
  expect(named).toEqual(EVENTS.get(event)?.actions ?? []);
});
