import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Branding } from '@gatehouse/kit/process/branding';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../http/http-error.ts';
import { isLocalRequest } from '../http/local-request.ts';
import { type AccessLogOptions, accessLog } from '../log/access-log.ts';
import { logOnClose } from '../log/log-on-close.ts';
import { BrandedPages, isDefault } from './branded-pages.ts';
import { brandingStyle } from './branding-style.ts';
import { framingHeaders, type PageHeaders, pageHeaders } from './page-headers.ts';
import { choosePage, type PageFiles, pageLanguages } from './page-languages.ts';
import { type AsPage, asItIs, UNAVAILABLE, unavailablePage } from './unavailable-page.ts';

interface WebOptions extends AccessLogOptions {
  /** The folder of the built web app; undefined without one. */
  readonly web_dir?: string | undefined;
  /** Undefined, or the default one: the pages as they were built. */
  readonly branding?: Branding | undefined;
  /** The folder of mails; undefined unless the suite runs in development. */
  readonly dev_mail_dir?: string | undefined;
  /** Whether /status exists. */
  readonly status_page?: boolean | undefined;
}

/** How pages are sent. */
interface Site {
  readonly web_dir: string;
  /** The headers of every page. */
  readonly headers: PageHeaders;
  /** Undefined: as they were built. */
  readonly branded: BrandedPages | undefined;
}

/** What pages answer in place of the API. */
interface WebAnswers {
  readonly answerUnmatched: AnswerUnmatched;
  readonly asPage: AsPage;
}

/** Answers a request that no route matches. Returns false, without an answer, if the request is not for a page. */
export type AnswerUnmatched = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** The page for unknown addresses. */
const NOT_FOUND = '404.html';
/** Pages without an address. */
const ANSWERS: readonly string[] = [NOT_FOUND, UNAVAILABLE];

/** The folder of files with their hash in the name: they never change. */
const ASSETS = 'assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Pages that exist only in development, and only for programs on this machine (docs/web.md#development). */
const DEV_PAGES = 'dev/';
/** The status page in each language. */
const STATUS_PAGE = /^status(?:\.[a-z]{2,3})?\.html$/;
/** It shows a mail in a frame. */
const MAILBOX = 'dev/mail.html';

/** Folders with a page for each operation of the API, or for each guide. */
const MANY_PAGES = ['/docs/reference/', '/docs/'];

/** The stylesheet with the operator's colour. */
const BRANDING_STYLE = '/branding.css';

/** In a file's name, and in the route of logs and metrics: any ID. The page reads it from the address. */
const ANY_ID = '{id}';

/**
 * The web app's files, outside the API: anyone may read them, and no bucket counts the requests (docs/web.md).
 * `a/b.html` is the page /a/b, `index.html` is /, `a/{id}.html` is /a/1 and /a/2, and `a/b.de.html` is /a/b in German.
 * Only files that exist when the edge starts are ever read.
 */
export function addWeb(app: FastifyInstance, options: WebOptions): WebAnswers {
  const { web_dir, branding } = options;
  if (web_dir === undefined) return { answerUnmatched: () => false, asPage: asItIs };
  const site: Site = {
    web_dir,
    headers: pageHeaders(branding?.logo_url),
    branded: branding && !isDefault(branding) ? new BrandedPages(web_dir, branding) : undefined,
  };
  const files = filesIn(web_dir);
  const pages = pageLanguages(files.filter((file) => isServed(file, options)));
  const unmatched = answerUnmatched(pages, site);
  app.register((web, _options, done) => {
    const sending = { serve: false, preCompressed: true, cacheControl: false, acceptRanges: false };
    web.register(fastifyStatic, { root: web_dir, ...sending });
    web.setErrorHandler((error: FastifyError, _request, reply) => {
      if (error.statusCode !== 412) throw error;
      return reply.code(412).header('cache-control', 'no-store').send();
    });
    for (const file of files) if (file.startsWith(ASSETS)) addAsset(web, file, options);
    for (const [page, languages] of pages)
      if (!ANSWERS.includes(page)) addPage(web, page, { ...site, languages, unmatched }, options);
    if (branding && site.branded) addStyle(web, branding, options);
    done();
  });
  return {
    answerUnmatched: unmatched,
    asPage: unavailablePage(pages.get(UNAVAILABLE), (file) => htmlOf(file, site), site.headers),
  };
}

function isServed(file: string, { dev_mail_dir, status_page = false }: WebOptions): boolean {
  if (file.startsWith(DEV_PAGES)) return dev_mail_dir !== undefined;
  return !file.startsWith(ASSETS) && (status_page || !STATUS_PAGE.test(file));
}

/** A page as text, with the operator's branding. */
function htmlOf(file: string, { web_dir, branded }: Site): string {
  return branded?.html(file) ?? readFileSync(join(web_dir, file), 'utf8');
}

/** Redirects a page's address with trailing slashes to the page, and answers browsers with the not-found page. */
function answerUnmatched(pages: ReadonlyMap<string, PageFiles>, site: Site): AnswerUnmatched {
  const { web_dir, headers, branded } = site;
  const isPage = pageTest([...pages.keys()].filter((page) => !ANSWERS.includes(page)).map(pathOf));
  const notFound = pages.get(NOT_FOUND);
  const contents = new Map(
    [...(notFound?.values() ?? [])].map((file) => [file, readFileSync(join(web_dir, file))]),
  );
  return (request, reply) => {
    if (!['GET', 'HEAD'].includes(request.method)) return false;
    const { path, query } = withoutSlashes(request.url);
    if (path !== '' && isPage(path) && isVisible(path, request)) reply.redirect(path + query, 308);
    else if (notFound === undefined || !request.headers.accept?.includes('text/html')) return false;
    else {
      const page = choosePage(notFound, request);
      reply.code(404).headers({ ...headers, ...page.headers });
      if (branded) branded.send(page.file, request, reply);
      else reply.type('text/html; charset=utf-8').send(contents.get(page.file));
    }
    return true;
  };
}

/** Whether a path is a page's. */
function pageTest(paths: readonly string[]): (path: string) => boolean {
  const isAnyId = (path: string) => path.endsWith(ANY_ID);
  const pages = new Set(paths.filter((path) => !isAnyId(path)));
  const folders = paths.filter(isAnyId).map((path) => path.slice(0, -ANY_ID.length));
  return (path) => {
    const id = /[0-9]{1,19}$/.exec(path)?.[0] ?? '';
    return pages.has(path) || (id !== '' && folders.includes(path.slice(0, -id.length)));
  };
}

function addAsset(web: FastifyInstance, file: string, options: AccessLogOptions): void {
  const path = `/${file}`;
  const writeLog = accessLog(options, path);
  web.get(path, (request, reply) => {
    logOnClose(writeLog, request, reply);
    return reply.header('cache-control', FOR_EVER).sendFile(file, { etag: true, lastModified: true });
  });
}

function addPage(
  web: FastifyInstance,
  page: string,
  site: Site & { readonly languages: PageFiles; readonly unmatched: AnswerUnmatched },
  options: AccessLogOptions,
): void {
  const { branded, languages, unmatched } = site;
  const headers = page === MAILBOX ? framingHeaders(site.headers) : site.headers;
  const path = pathOf(page);
  const writeLog = accessLog(options, routeOf(path));
  web.get(path.replace(ANY_ID, ':id(^[0-9]{1,19}$)'), (request, reply) => {
    if (!isVisible(path, request)) {
      if (unmatched(request, reply)) return reply;
      throw notFound();
    }
    logOnClose(writeLog, request, reply);
    const chosen = choosePage(languages, request);
    reply.headers({ ...headers, ...chosen.headers });
    if (branded) return branded.send(chosen.file, request, reply);
    // No ETag: it would consist of size and time, and both may stay the same while a page names other assets.
    return reply.sendFile(chosen.file, { etag: false, lastModified: false });
  });
}

/** Whether a page exists for the client. Those of development exist only for programs on this machine. */
function isVisible(path: string, { raw }: FastifyRequest): boolean {
  return !path.startsWith(`/${DEV_PAGES}`) || isLocalRequest(raw);
}

function addStyle(web: FastifyInstance, { accent_color }: Branding, options: AccessLogOptions): void {
  const writeLog = accessLog(options, BRANDING_STYLE);
  const style = brandingStyle(accent_color);
  web.get(BRANDING_STYLE, (request, reply) => {
    logOnClose(writeLog, request, reply);
    return reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=300').send(style);
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
