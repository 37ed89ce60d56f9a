import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Branding } from '@gatehouse/kit/process/branding';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** The name in the built pages. */
const BUILT_NAME = 'Gatehouse';
const BUILT_ACCENT = '#3b5bdb';
/** Of Brotli's 11 levels: a page is compressed when it is first asked for. */
const QUALITY = 5;

/** Whether the pages need no change: they are built with this name, and with this colour in their stylesheet. */
export function isDefault({
  product_name,
  logo_url,
  accent_color,
  support_url,
  legal_url,
}: Branding): boolean {
  const isPlain = logo_url === undefined && support_url === undefined && legal_url === undefined;
  return isPlain && product_name === BUILT_NAME && accent_color === BUILT_ACCENT;
}

interface BrandedPage {
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The built pages with the name, the logo and the links of the operator. Each is rendered once. */
export class BrandedPages {
  readonly #web_dir: string;
  readonly #branding: Branding;
  readonly #pages = new Map<string, BrandedPage>();

  constructor(web_dir: string, branding: Branding) {
    this.#web_dir = web_dir;
    this.#branding = branding;
  }

  /** Sends the page of a file, compressed if the client accepts it. */
  send(file: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const page = this.#pages.get(file) ?? this.#render(file);
    const accepted = new Negotiator(request.raw).encodings(['br', 'gzip']);
    const encoding = (['br', 'gzip'] as const).find((one) => accepted.includes(one));
    reply.type('text/html; charset=utf-8').header('vary', 'accept-language, accept-encoding');
    if (encoding === undefined) return reply.send(page.identity);
    return reply.header('content-encoding', encoding).send(page[encoding]);
  }

  html(file: string): string {
    return brandPage(readFileSync(join(this.#web_dir, file), 'utf8'), this.#branding);
  }

  #render(file: string): BrandedPage {
    const identity = Buffer.from(this.html(file));
    const page = {
      identity,
      br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
      gzip: gzipSync(identity),
    };
    this.#pages.set(file, page);
    return page;
  }
}

/**
 * The page with the branding: in its title and header, and for its script in `meta` elements. All values are escaped.
 */
export function brandPage(html: string, branding: Branding): string {
  const name = escapeHtml(branding.product_name);
  const logo = branding.logo_url === undefined ? '' : `<img src="${escapeHtml(branding.logo_url)}" alt="" />`;
  const metas = [
    ['product-name', branding.product_name],
    ['logo-url', branding.logo_url],
    ['support-url', branding.support_url],
    ['legal-url', branding.legal_url],
  ].map(([key, value]) => value && `<meta name="${key}" content="${escapeHtml(value)}" />`);
  const head = [...metas, '<link rel="stylesheet" href="/branding.css" />', '</head>'].filter(Boolean);
  return html
    .replace(` · ${BUILT_NAME}</title>`, () => ` · ${name}</title>`)
    .replace(/(<a class="brand" href="\/">)\s*Gatehouse\s*<\/a>/, (_, tag) => `${tag}${logo}${name}</a>`)
    .replace('</head>', () => head.join('\n    '));
}

/** Text as the content of an element or of an attribute in double quotes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
