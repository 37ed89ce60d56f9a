import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { EVENTS } from '../../src/codehost/events.ts';
import { explainReason } from '../../src/deliveries/explain-reason.ts';
import { REASONS } from '../../src/deliveries/reasons.ts';

test('docs/webhooks.md lists every reason with its outcomes and text', async () => {
  const page = await readFile(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
  const section = /^## Deliveries\n(.*?)^## /ms.exec(page)?.[1] ?? '';
  const cells = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).replaceAll('`', '').split(' | '))
    .map((row) => row.map((cell) => cell.trim()));
  const documented = cells.filter((row) => row.length === 3);
  expect(documented).toEqual(
    Object.entries(REASONS).map(([reason, { outcomes, text }]) => [reason, outcomes.join(', '), text]),
  );
  const outcomes = new Set(Object.values(REASONS).flatMap((row) => row.outcomes));
  expect(cells.filter((row) => row.length === 2).map(([outcome]) => outcome)).toEqual([...outcomes]);
});

describe('an explanation', () => {
  it.each([
    ['action_not_shown', 'issues', 'issues is shown for the actions opened, closed, reopened.'],
    ['action_not_shown', 'watch', 'watch is shown for the action started.'],
    [
      'incomplete',
      'fork',
      'fork needs "repository", "forkee", and in them the members that the title shows.',
    ],
    [
      'incomplete',
      'push',
      'push needs "repository", "ref", "compare", and in them the members that the title shows.',
    ],
  ])('of %s for %s names the requirements', (reason, event, more) => {
    expect(explainReason(reason, event)).toBe(`${REASONS[reason as keyof typeof REASONS].text} ${more}`);
  });

  it.each(['event_missing', 'event_unknown'])('of %s lists the supported events', (reason) => {
    const text = explainReason(reason, 'ping');
    for (const event of EVENTS.keys()) expect(text).toMatch(new RegExp(`[ ,]${event}[,.]`));
  });

  it('exists for every reason and event; an unknown reason is returned unchanged', () => {
    for (const reason of Object.keys(REASONS)) {
      for (const event of [...EVENTS.keys(), undefined, null, '', 'ping', 'constructor', '__proto__'])
        expect(explainReason(reason, event)).toMatch(/^[^\n]+\.$/);
    }
    expect(explainReason('of another version', 'push')).toBe('of another version');
    expect(explainReason('constructor', 'push')).toBe('constructor');
  });
});
