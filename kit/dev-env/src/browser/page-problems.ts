import type { BrowserContext, CDPSession, Page } from 'playwright-core';

/** The problems of the pages of a context, popups included, as text. */
export interface PageProblems {
  /** Settles when all current pages are watched. */
  watching(): Promise<void>;
  /** Closes the context, and returns the problems until then. */
  close(): Promise<string[]>;
}

/**
 * Collects console errors, uncaught errors, violations of the Content Security Policy, requests to other machines,
 * failed requests, answers of 500 and above, and answers of 400 and above except to calls of the page's script.
 */
export function watchContext(context: BrowserContext): PageProblems {
  const problems: string[] = [];
  const watches = new Map<Page, Promise<CDPSession | undefined>>();

  context.on('console', (message) => {
    if (message.type() !== 'error' || isAboutNetwork(message.text())) return;
    problems.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => {
    problems.push(`uncaught: ${error.error().stack ?? error.error().message}`);
  });
  context.on('request', (request) => {
    if (!isOfThisMachine(request.url())) problems.push(`outside request: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (why === 'net::ERR_ABORTED' || !isOfThisMachine(request.url())) return;
    problems.push(`request failed: ${request.url()}: ${why}`);
  });
  context.on('response', (response) => {
    const isCall = ['fetch', 'xhr'].includes(response.request().resourceType());
    if (response.status() >= (isCall ? 500 : 400))
      problems.push(`answered ${response.status()}: ${response.url()}`);
  });
  context.on('page', (page) => {
    page.on('crash', () => problems.push(`crashed: ${page.url()}`));
    page.on('websocket', (socket) => {
      if (!isOfThisMachine(socket.url())) problems.push(`outside request: ${socket.url()}`);
    });
    watches.set(
      page,
      watchPolicy(page, (problem) => problems.push(problem)),
    );
  });

  async function watching(): Promise<void> {
    await Promise.all(watches.values());
  }

  return {
    watching,
    async close() {
      // The answer of a page arrives after its earlier events.
      await Promise.all(
        context.pages().map(async (page) => {
          const session = await watches.get(page);
          await session?.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined);
          await page.evaluate('0').catch(() => undefined);
        }),
      );
      await context.close();
      return problems;
    },
  };
}

/** Watches violations of the policy, including earlier ones. Returns undefined if the page is already closed. */
async function watchPolicy(page: Page, report: (problem: string) => void): Promise<CDPSession | undefined> {
  try {
    const session = await page.context().newCDPSession(page);
    session.on('Audits.issueAdded', ({ issue }) => {
      const violation = issue.details.contentSecurityPolicyIssueDetails;
      if (violation === undefined) return;
      const { violatedDirective, blockedURL, contentSecurityPolicyViolationType: kind } = violation;
      const place = violation.sourceCodeLocation;
      const where = place === undefined ? '' : ` at ${place.url}:${place.lineNumber + 1}`;
      report(`Content Security Policy: ${violatedDirective} forbids ${blockedURL ?? kind}${where}`);
    });
    await session.send('Audits.enable');
    return session;
  } catch {
    return undefined;
  }
}

/** Whether the console repeats a failed request, which it does without a source. */
function isAboutNetwork(text: string): boolean {
  return text.startsWith('Failed to load resource:');
}

function isOfThisMachine(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  if (!['http:', 'https:', 'ws:', 'wss:'].includes(protocol)) return true;
  return /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(hostname);
}
