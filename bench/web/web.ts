import { join } from 'node:path';
import { openBrowser } from '@gatehouse/dev-env/browser/browser';
import { firstPaint } from '@gatehouse/dev-env/browser/first-paint';
import { scriptBytes } from '@gatehouse/dev-env/browser/script-bytes';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { startStack } from '@gatehouse/stack/start-stack';
import type { BenchOptions } from '../bench.ts';
import { median } from '../load/load.ts';

/** The shortest response of the edge, a line of text: the lower bound of any page. */
const EMPTY = '/livez';
const PAGES = ['/', '/oauth2/authorize', '/developers', '/account'];

/**
 * Measures the first contentful paint of each page for a new, signed-out visitor, compared with a line of text from the
 * same edge, in Chromium on this machine; and the bytes of its scripts. Each round loads each page `seconds` times, in
 * turns. Fails if a page causes an error.
 */
export async function web({ rounds, seconds, say }: BenchOptions): Promise<Record<string, unknown>> {
  const { path: folder, remove } = await testDataFolder('bench');
  const resources = resourceStack();
  resources.add('folder', remove);
  try {
    const stack = await startStack({
      host: 'localhost',
      port: 0,
      data_dir: join(folder, 'stack'),
      env: process.env,
    });
    resources.add('stack', () => stack.close());
    const browser = await openBrowser();
    resources.add('browser', () => browser.close());
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
        beside_empty_ms: Math.round(first_paint_ms - empty_ms),
        script_bytes_sent: sent,
        script_bytes_raw: raw,
        encodings,
      };
    }
    await browser.settle();
    return figures;
  } finally {
    await resources.close();
  }
}
