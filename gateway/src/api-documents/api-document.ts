import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptedEncoding, type Encoding } from '../http/accepted-encoding.ts';
import { COMMON_HEADERS } from '../http/common-headers.ts';
import type { Answer } from '../route.ts';

const COMPRESS: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  // Above quality 9, brotli takes ten times as long.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
};

/** Every answer may be stored, and is compared with the current document before it is used. */
const HEADERS = {
  'cache-control': 'public, no-cache',
  vary: 'Accept-Encoding',
  'access-control-expose-headers': `${COMMON_HEADERS['access-control-expose-headers']}, ETag`,
};

/** A description of the API as the edge serves it: at most three copies in memory, one for each encoding. */
export class ApiDocument {
  readonly #bytes: Uint8Array;
  readonly #hash: string;
  /** Each is compressed for the first request that accepts its encoding. */
  readonly #compressed = new Map<Encoding, Promise<Uint8Array>>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  }

  async answer(request: IncomingHttpHeaders): Promise<Answer> {
    const encoding = acceptedEncoding(request['accept-encoding']);
    const etag = encoding === undefined ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
    const headers = { ...HEADERS, etag };
    if (names(request['if-none-match'], etag)) return { status: 304, headers };
    return {
      status: 200,
      headers: encoding === undefined ? headers : { ...headers, 'content-encoding': encoding },
      content_type: 'application/json',
      body: encoding === undefined ? this.#bytes : await this.#copy(encoding),
    };
  }

  #copy(encoding: Encoding): Promise<Uint8Array> {
    let copy = this.#compressed.get(encoding);
    if (copy === undefined) {
      copy = COMPRESS[encoding](this.#bytes);
      this.#compressed.set(encoding, copy);
    }
    return copy;
  }
}

/** Whether an If-None-Match header names the tag, by weak comparison (RFC 9110 §13.1.2). */
function names(ifNoneMatch: string | undefined, etag: string): boolean {
  // The quotation marks belong to the tag, and no tag contains one: a longer tag does not match.
  return ifNoneMatch !== undefined && (ifNoneMatch === '*' || ifNoneMatch.includes(etag));
}
