import { openBrowser } from '@gatehouse/dev-env/browser/browser';
import { firstPaint } from '@gatehouse/dev-env/browser/first-paint';
import { scriptBytes } from '@gatehouse/dev-env/browser/script-bytes';
import type { BenchOptions } from '../bench.ts';
import { median } from '../load/load.ts';
import { withFixture } from '../parts/fixture.ts';

/** The shortest response of the edge, a line of text: the lower bound of any page. */
const EMPTY = '/livez';
const PAGES = ['/', '/oauth2/authorize', '/developers', '/account'];

/**
 * Measures the first contentful paint of each page for a new, signed-out visitor, compared with a line of text from the
 * same edge, in Chromium on this machine; and the bytes of its scripts. Each round loads each page `seconds` times, in
 * turns. Fails if a page causes an error.
 */
export async function web({ rounds, seconds, say }: BenchOptions): Promise<Record<string, unknown>> {
  return withFixture(async (fixture) => {
    const stack = await fixture.stack({ host: 'localhost' });
    const browser = await openBrowser();
    fixture.resources.add('browser', () => browser.close());
    const paints_ms = new Map<string, number[]>([EMPTY, ...PAGES].map((path) => [path, []]));
    for (let round = 1; round <= rounds; round++) {
      for (const [path, measured] of paints_ms) {
        measured.push(await firstPaint(await browser.page(), stack.url + path, seconds));
        await browser.settle();
      }
      say(`round ${round} of ${rounds}`);
    }
    const empty_ms = median(paints_ms.get(EMPTY) ?? []);
    const figures: Record<string, unknown> = {};
    for (const [path, measured] of paints_ms) {
      const first_paint_ms = median(measured);
      const { sent, raw, encodings } = await scriptBytes(await browser.page(), stack.url + path);
      figures[path] = {
        first_paint_ms: Math.round(first_paint_ms),
        above_empty_ms: Math.round(first_paint_ms - empty_ms),
        script_bytes_sent: sent,
        script_bytes_raw: raw,
        encodings,
      };
    }
    await browser.settle();
    return figures;
  });
}
