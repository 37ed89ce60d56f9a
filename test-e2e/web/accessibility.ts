import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isolatedWorld } from '@gatehouse/dev-env/browser/isolated-world';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

const OWN_MEDIA = `['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)']
  .map((query) => matchMedia(query).matches)`;

/** Colours are compared after all animations; endless ones, such as a spinner, are not awaited. */
const UNTIL_STILL = `Promise.allSettled(
  document.getAnimations()
    .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
    .map((one) => one.finished),
).then(() => undefined)`;

/**
 * Checks the current page against axe-core's rules for WCAG 2.2 AA and its best practices, in light and in dark, and
 * restores its colour scheme.
 *
 * @throws Error naming each violation, with its elements
 */
export async function expectAccessible(page: Page, schemes: readonly Scheme[] = SCHEMES): Promise<void> {
  const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  const world = await isolatedWorld(page);
  await world.run(`${axe};undefined`);
  const own = await world.run<boolean[]>(OWN_MEDIA);
  const wrong: string[] = [];
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await world.run(UNTIL_STILL);
    const options = { runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] };
    const { violations } = await world.run<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
    wrong.push(...violations.map((violation) => inWords(violation, scheme)));
  }
  const [dark, reduced] = own;
  await page.emulateMedia({
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: reduced ? 'reduce' : 'no-preference',
  });
  if (wrong.length > 0) throw new Error(`${page.url()} is not accessible:\n${wrong.join('\n')}`);
}

function inWords({ id, help, helpUrl, nodes }: Result, scheme: string): string {
  const places = nodes.map(({ html, failureSummary = '' }) => `  ${html}\n    ${indented(failureSummary)}`);
  return [`${id} (${scheme}): ${help}. ${helpUrl}`, ...places].join('\n');
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}
