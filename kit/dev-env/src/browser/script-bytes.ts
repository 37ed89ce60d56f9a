import type { Page } from 'playwright-core';

export interface ScriptBytes {
  /** As transferred, without headers. Of a script in the cache, as it was transferred before. */
  readonly sent: number;
  /** As decoded. */
  readonly raw: number;
  readonly encodings: string;
}

/** The size of a page's scripts on a first visit, including those that they load, until the network is idle. */
export async function scriptBytes(page: Page, url: string): Promise<ScriptBytes> {
  const scripts: Promise<{ sent: number; raw: number; encoding: string }>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    scripts.push(
      (async () => {
        const response = await request.response();
        return {
          // Not `request.sizes()`, which is negative for preloaded and cached scripts.
          sent: Number(await response?.headerValue('content-length')),
          raw: (await response?.body())?.length ?? 0,
          encoding: (await response?.headerValue('content-encoding')) ?? 'none',
        };
      })(),
    );
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  const all = await Promise.all(scripts);
  return {
    sent: all.reduce((sum, one) => sum + one.sent, 0),
    raw: all.reduce((sum, one) => sum + one.raw, 0),
    encodings: [...new Set(all.map(({ encoding }) => encoding))].join(', '),
  };
}
