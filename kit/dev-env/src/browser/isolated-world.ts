import type { Page } from 'playwright-core';

/** Runs scripts in a page's document until the next navigation. Promises are awaited; values are passed as JSON. */
export interface IsolatedWorld {
  run<T>(script: string): Promise<T>;
}

/**
 * An isolated world sees the page's document, and the page sees nothing of it. The page's Content Security Policy
 * does not apply to it, so the page is tested under its real policy, Trusted Types included. (A script tag is refused
 * under such a policy, bypassCSP would test a page without one, and page.evaluate leaves its variables in the page
 * and uses the page's globals.)
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
