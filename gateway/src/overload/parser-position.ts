import { IncomingMessage } from 'node:http';
import { hasBody } from '../http/request-headers.ts';

const CR = 0x0d;
const LF = 0x0a;

/** The position of Node's HTTP parser in a connection's bytes: between requests, in a head, in a body, or in trailers. */
export class ParserPosition {
  /** The last request to arrive; its body may be incomplete. */
  #last: IncomingMessage | undefined;
  /** Parsed bytes of an incomplete head, or of trailers. */
  #headBytes = 0;
  /** Whether the current slice has brought a part of a body. */
  #hadBody = false;
  /** Whether the current slice has completed a head. */
  #hadHead = false;
  #wasInBody = false;
  /**
   * Replaces `push` of each request with a body. One function for all: V8 would keep a function of its own, and the
   * request with it, until a full garbage collection.
   */
  readonly #push: IncomingMessage['push'];

  constructor() {
    const onBody = (): void => {
      this.#hadBody = true;
    };
    this.#push = function push(this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding): boolean {
      onBody();
      return IncomingMessage.prototype.push.call(this, chunk, encoding);
    };
  }

  get headBytes(): number {
    return this.#headBytes;
  }

  inBody(): boolean {
    return this.#last !== undefined && !this.#last.complete;
  }

  /** Whether parsed bytes of a body wait to be read. No more of it is parsed then: the rest stays with the client. */
  isBodyUnread(): boolean {
    return this.#last?.readableFlowing !== true && (this.#last?.readableLength ?? 0) > 0;
  }

  /** To be called when a head is complete. */
  arrived(request: IncomingMessage): void {
    this.#dropTrailers();
    this.#last = request;
    this.#hadHead = true;
    if (hasBody(request)) request.push = this.#push;
  }

  /** To be called after each slice. */
  parsed(slice: Buffer): void {
    const isHead = this.#isOfHead(slice) || this.#isOfTrailers();
    this.#headBytes = isHead ? this.#headBytes + slice.length : 0;
    this.#hadHead = false;
    this.#hadBody = false;
    this.#wasInBody = this.inBody();
    this.#dropTrailers();
  }

  /** To be called when no request is unanswered: the last one need not be kept. */
  forgetAnswered(): void {
    if (!this.inBody()) this.#last = undefined;
  }

  /** Whether the slice held only a part of a head. Blank lines before a head do not count (RFC 9112 §2.2). */
  #isOfHead(slice: Buffer): boolean {
    if (this.#hadHead || this.#wasInBody || this.inBody()) return false;
    return this.#headBytes > 0 || !slice.every((byte) => byte === CR || byte === LF);
  }

  /** Whether the slice held only trailers, which follow a chunked body. */
  #isOfTrailers(): boolean {
    if (!this.#wasInBody || !this.inBody() || this.#hadBody) return false;
    return this.#last?.headers['transfer-encoding'] !== undefined;
  }

  /** No route reads trailers, and they would be kept with their request. */
  #dropTrailers(): void {
    if (this.#last?.complete === true && this.#last.rawTrailers.length > 0) this.#last.rawTrailers = [];
  }
}
