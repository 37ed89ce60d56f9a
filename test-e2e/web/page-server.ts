import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** Pages with one behaviour each, most of them wrong, under a strict Content Security Policy. */
export interface PageServer {
  /** http://localhost:PORT */
  readonly url: string;
  close(): Promise<void>;
}

/** The script of /calls-refused, plain and as sent. */
export const REFUSED = { script: "fetch('/401')", sent: gzipSync("fetch('/401')") };

/** Delay of the style sheet of /late. */
export const LATE_MS = 400;

const POLICY = [
  "default-src 'self'",
  // For the pages that call another origin, with a looser policy.
  "img-src 'self' https://pictures.example",
  "connect-src 'self' wss://chat.example",
  "require-trusted-types-for 'script'",
].join('; ');

/** The contents of each page's head; that of / is empty. */
const HEADS: Readonly<Record<string, string>> = {
  '/': '',
  '/inline': '<script>document.title = "changed"</script>',
  '/late': '<link rel="stylesheet" href="/late.css">',
  '/lacking': '<script src="/no-such.js"></script>',
  '/cut': '<script src="/cut.js"></script>',
  '/unreadable-in-the-dark': '<link rel="stylesheet" href="/unreadable-in-the-dark.css">',
};

/** Each script is also a page that loads it. */
const SCRIPTS: Readonly<Record<string, string>> = {
  '/logs': "console.error('out of order')",
  '/throws': "throw new Error('out of order')",
  '/trusted': "try { document.documentElement.innerHTML = '<p>' } catch {}",
  '/outside': "new Image().src = 'https://pictures.example/a.png'",
  '/outside-socket': "new WebSocket('wss://chat.example/')",
  '/calls-broken': "fetch('/500')",
  '/calls-refused': REFUSED.script,
};

const STYLE = ':root { color-scheme: light dark }';
const FAINT = '@media (prefers-color-scheme: dark) { #faint { color: #333; background: #222 } }';

export async function servePages(): Promise<PageServer> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const answer = (type: string, body: string | Buffer) =>
      response.setHeader('content-type', type).setHeader('content-security-policy', POLICY).end(body);
    if (path === '/late.css') await delay(LATE_MS);
    const script = path.endsWith('.js') ? SCRIPTS[path.slice(0, -3)] : undefined;
    const head = path in SCRIPTS ? `<script src="${path}.js"></script>` : HEADS[path];
    if (path === '/cut.js') response.destroy();
    else if (script !== undefined) {
      response.setHeader('content-encoding', 'gzip');
      answer('text/javascript', gzipSync(script));
    } else if (head !== undefined) answer('text/html', html(head));
    else if (path.endsWith('.css')) answer('text/css', path === '/style.css' ? STYLE : FAINT);
    else response.writeHead(Number(/^\/([45]\d\d)$/.exec(path)?.[1] ?? 404)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function html(head: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
    <link rel="stylesheet" href="/style.css">${head}</head>
    <body><main><h1>A page</h1><p id="faint">Some words</p></main></body></html>`;
}
