import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Direction } from './open-view.ts';

export const SHOTS_FOLDER = fileURLToPath(new URL('../../../artifacts/screenshots/pages', import.meta.url));

const THEMES = ['light', 'dark'] as const;
const HEIGHT = 900;

export interface Shot {
  readonly view: string;
  readonly title: string;
  readonly file: string;
}

/** Pictures, and the views that are wider than their window. */
export interface Shots {
  readonly shots: Shot[];
  readonly tooWide: string[];
}

/** Takes pictures of the current page at each width, in each theme. */
export async function takeShots(
  page: Page,
  view: string,
  direction: Direction,
  widths: readonly number[],
  { shots, tooWide }: Shots,
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      const title = `${width} ${theme} ${direction}`;
      const file = `${view}-${width}-${theme}-${direction}.png`;
      await page.screenshot({ path: join(SHOTS_FOLDER, file), fullPage: true, animations: 'disabled' });
      shots.push({ view, title, file });
    }
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (overflow > 0) tooWide.push(`${view} ${width} ${direction}: by ${overflow} pixels`);
  }
}

/** A page that shows the pictures of each view side by side. */
export function shotsPage(shots: readonly Shot[]): string {
  const views = Map.groupBy(shots, ({ view }) => view);
  const sections = [...views].map(([view, ofView]) => {
    const figures = ofView.map(
      ({ title, file }) =>
        `<figure><a href="${file}"><img loading="lazy" height="400" src="${file}" alt=""></a><figcaption>${title}</figcaption></figure>`,
    );
    return `<h2>${view}</h2><div>${figures.join('')}</div>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>
<style>div{display:flex;gap:1rem;overflow-x:auto}figure{margin:0;flex:none}img{border:1px solid #888}</style>
${sections.join('\n')}</html>
`;
}
