import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AccessLogOptions, accessLog } from './log/access-log.ts';
import { logOnClose } from './log/log-on-close.ts';

interface WebOptions extends AccessLogOptions {
  /** The folder of the built web app; undefined without one. */
  readonly web_dir?: string | undefined;
}

/** Answers a request that no route matches. Returns false, without an answer, if the request is not for a page. */
export type AnswerUnmatched = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** The page for unknown addresses. */
const NOT_FOUND = '404.html';

/** The folder of files with their hash in the name: they never change. */
const ASSETS = 'assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Folders with a page for each operation of the API, or for each guide. */
const MANY_PAGES = ['/docs/reference/', '/docs/'];

/** A page loads scripts, styles and pictures only from here, sends data nowhere else, and cannot be framed. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/**
 * The web app's files, outside the API: anyone may read them, and no bucket counts the requests (docs/web.md).
 * `a/b.html` is the page /a/b, `index.html` is /. Only files that exist when the edge starts are ever read.
 */
export function addWeb(app: FastifyInstance, options: WebOptions): AnswerUnmatched {
  const { web_dir } = options;
  if (web_dir === undefined) return () => false;
  const files = filesIn(web_dir);
  app.register((web, _options, done) => {
    const sending = { serve: false, preCompressed: true, cacheControl: false, acceptRanges: false };
    web.register(fastifyStatic, { root: web_dir, ...sending });
    web.setErrorHandler((error: FastifyError, _request, reply) => {
      if (error.statusCode !== 412) throw error;
      return reply.code(412).header('cache-control', 'no-store').send();
    });
    for (const file of files) if (file !== NOT_FOUND) addFile(web, file, options);
    done();
  });
  return answerUnmatched(files, web_dir);
}

/** Redirects a page's address with trailing slashes to the page, and answers browsers with the not-found page. */
function answerUnmatched(files: readonly string[], web_dir: string): AnswerUnmatched {
  const pages = new Set(files.filter((file) => !file.startsWith(ASSETS) && file !== NOT_FOUND).map(pathOf));
  const notFound = files.includes(NOT_FOUND) ? readFileSync(join(web_dir, NOT_FOUND)) : undefined;
  return (request, reply) => {
    if (!['GET', 'HEAD'].includes(request.method)) return false;
    const { path, query } = withoutSlashes(request.url);
    if (path !== '' && pages.has(path)) reply.redirect(path + query, 308);
    else if (notFound === undefined || !request.headers.accept?.includes('text/html')) return false;
    else reply.code(404).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(notFound);
    return true;
  };
}

function addFile(web: FastifyInstance, file: string, options: AccessLogOptions): void {
  const isAsset = file.startsWith(ASSETS);
  const path = isAsset ? `/${file}` : pathOf(file);
  const headers = isAsset ? { 'cache-control': FOR_EVER } : PAGE_HEADERS;
  // No ETag for pages: it would consist of size and time, and both may stay the same while a page names other assets.
  const validators = { etag: isAsset, lastModified: isAsset };
  const writeLog = accessLog(options, routeOf(path));
  web.get(path, (request, reply) => {
    logOnClose(writeLog, request, reply);
    return reply.headers(headers).sendFile(file, validators);
  });
}

/** The route in logs and metrics: pages of one kind share it, because a scrape has series for each route. */
function routeOf(path: string): string {
  const folder = MANY_PAGES.find((one) => path.startsWith(one));
  return folder === undefined ? path : `${folder}{page}`;
}

/** The path without trailing slashes, and the query. No regular expression: a target may be 60 KB of slashes. */
function withoutSlashes(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf('?');
  const query = mark < 0 ? '' : url.slice(mark);
  let end = url.length - query.length;
  while (end > 0 && url[end - 1] === '/') end--;
  return { path: url.slice(0, end), query };
}

function pathOf(page: string): string {
  return page === 'index.html' ? '/' : `/${page.slice(0, -'.html'.length)}`;
}

/**
 * Lists the files without their compressed copies.
 *
 * @throws Error if the folder does not exist, or has no pages
 */
function filesIn(web_dir: string): string[] {
  const files = readdirSync(web_dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map(({ parentPath, name }) =>
      join(parentPath, name).slice(join(web_dir, sep).length).replaceAll(sep, '/'),
    );
  if (!files.includes('index.html'))
    throw new Error(`WEB_DIR: ${web_dir} has no built web app; npm run generate`);
  return files;
}
