import type { Page } from 'playwright-core';

/** Runs scripts in a page's document until the next navigation. Promises are awaited; values are passed as JSON. */
export interface IsolatedWorld {
  run<T>(script: string): Promise<T>;
}

/**
 * Opens an isolated world: its scripts share the page's document but not its globals, and are exempt from its Content
 * Security Policy. So the page is tested under its real policy, Trusted Types included. A script tag would be refused by
 * that policy, bypassCSP would disable it, and page.evaluate shares the page's globals.
 */
export async function isolatedWorld(page: Page): Promise<IsolatedWorld> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'tests',
  });
  return {
    async run<T>(expression: string) {
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId: executionContextId,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails !== undefined)
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value as T; // the caller names the type
    },
  };
}
