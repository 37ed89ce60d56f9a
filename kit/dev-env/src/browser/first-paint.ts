import type { Page } from 'playwright-core';
import { isolatedWorld } from './isolated-world.ts';

const FIRST_CONTENTFUL_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint !== undefined) resolve(paint.startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

/**
 * Milliseconds from the navigation to the first contentful paint: the median of several loads with an empty cache. A
 * page without content has none, so an empty page for comparison needs a word.
 */
export async function firstPaint(page: Page, url: string, loads = 9): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const paints_ms: number[] = [];
  for (let load = 0; load <= loads; load++) {
    // Otherwise the requests and the removal of the last page would delay this one.
    await page.goto('about:blank');
    await page.goto(url, { waitUntil: 'networkidle' });
    const paint_ms = await (await isolatedWorld(page)).run<number>(FIRST_CONTENTFUL_PAINT);
    if (load > 0) paints_ms.push(paint_ms); // The first load opens connections and warms up the server.
  }
  await session.detach();
  return paints_ms.sort((one, other) => one - other)[Math.floor(loads / 2)] ?? Number.NaN;
}
