import type { Page } from 'playwright-core';

export interface ScriptBytes {
  /** As they are sent, without heads. */
  readonly sent: number;
  /** As the browser reads them. */
  readonly raw: number;
  readonly encodings: string;
}

/** What a page's scripts weigh on a first visit, those included that its scripts load until nothing is asked for. */
export async function scriptBytes(page: Page, url: string): Promise<ScriptBytes> {
  const scripts: Promise<{ sent: number; raw: number; encoding: string }>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    scripts.push(
      (async () => {
        const response = await request.response();
        return {
          sent: (await request.sizes()).responseBodySize,
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
