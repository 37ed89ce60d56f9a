import { openBrowser } from '@gatehouse/dev-env/browser/browser';
import { firstPaint } from '@gatehouse/dev-env/browser/first-paint';
import { scriptBytes } from '@gatehouse/dev-env/browser/script-bytes';
import type { BenchOptions } from '../bench.ts';
import { takeTurns } from '../load/turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { figureOf } from '../report/figure.ts';
import type { Row } from '../report/table.ts';

/** The shortest response of the edge, a line of text: the lower bound of any page. */
const EMPTY = '/livez';
const TITLE = 'first contentful paint';
const PAGES = ['/', '/oauth2/authorize', '/developers', '/account'];

/**
 * Measures the first contentful paint of each page for a new, signed-out visitor, compared with a line of text from the
 * same edge, in Chromium on this machine; and the bytes of its scripts. Each round loads each page `seconds` times, in
 * turns. Fails if a page causes an error.
 */
export async function web(options: BenchOptions): Promise<undefined> {
  const wanted = [EMPTY, ...PAGES].filter((path) => options.wants(TITLE, path));
  if (wanted.length === 0) return;
  await withFixture(async (fixture) => {
    const stack = await fixture.stack({ host: 'localhost' });
    const browser = await openBrowser();
    fixture.resources.add('browser', () => browser.close());
    const pages = [...new Set([EMPTY, ...wanted])];
    const paints_ms = new Map<string, number[]>(pages.map((path) => [path, []]));
    await takeTurns(TITLE, { warm: 0, counted: options.rounds }, options, async () => {
      for (const [path, measured] of paints_ms) {
        measured.push(await firstPaint(await browser.page(), stack.url + path, options.seconds));
        await browser.settle();
      }
    });
    const empty_ms = paints_ms.get(EMPTY) ?? [];
    const rows: Row[] = [];
    for (const [path, measured] of paints_ms) {
      const { sent, raw, encodings } = await scriptBytes(await browser.page(), stack.url + path);
      const above_ms = measured.map((first_ms, turn) => first_ms - (empty_ms[turn] ?? Number.NaN));
      rows.push({
        name: path,
        what: `scripts: ${encodings}`,
        figures: {
          first_paint_ms: figureOf(measured),
          above_empty_ms: figureOf(above_ms),
          sent_script_bytes: sent,
          raw_script_bytes: raw,
        },
      });
    }
    options.report({ title: TITLE, rows });
    await browser.settle();
  });
}
