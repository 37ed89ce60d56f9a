const HEAD_END = '\r\n\r\n';

/** One response on a connection. */
export interface ResponseHead {
  readonly status: number;
  readonly request_id: string | undefined;
  readonly retry_after: string | undefined;
  /** The server closes the connection after this response. */
  readonly close: boolean;
}

export interface ResponseParser {
  /** Feeds received bytes, one character per byte. */
  read(text: string): void;
  /** Whether the last response is complete. */
  whole(): boolean;
}

/**
 * Returns a parser of HTTP/1.1 responses that arrive in any pieces. Bodies have a Content-Length; `bodiless(n)` says
 * whether the n-th response is for HEAD. Interim responses (100) do not count.
 *
 * @throws Error for anything else
 */
export function responseParser(
  onAnswer: (answer: ResponseHead) => void,
  bodiless: (n: number) => boolean = () => false,
): ResponseParser {
  let held = '';
  let skip = 0;
  let count = 0;

  function read(text: string): void {
    held = held === '' ? text : held + text;
    for (;;) {
      const passed = Math.min(skip, held.length);
      skip -= passed;
      if (passed > 0) held = held.slice(passed);
      const end = skip > 0 ? -1 : held.indexOf(HEAD_END);
      if (end < 0) return;
      const head = held.slice(0, end);
      held = held.slice(end + HEAD_END.length);
      take(head);
    }
  }

  function take(head: string): void {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    if (!status) throw new Error(`not an HTTP response: ${JSON.stringify(head.slice(0, 120))}`);
    if (status < 200) return;
    const none = bodiless(count++) || status === 204 || status === 304;
    skip = none ? 0 : Number(field(head, 'content-length'));
    if (Number.isNaN(skip))
      throw new Error(`a response without a length: ${JSON.stringify(head.slice(0, 300))}`);
    onAnswer({
      status,
      request_id: field(head, 'x-request-id'),
      retry_after: field(head, 'retry-after'),
      close: field(head, 'connection') === 'close',
    });
  }

  return { read, whole: () => held === '' && skip === 0 };
}

/** The value of a header; its name is in lower case, or capitalized in a response to broken HTTP. */
function field(head: string, name: string): string | undefined {
  const at = head.indexOf(`\r\n${name}: `);
  if (at < 0) return new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(head)?.[1];
  const from = at + name.length + 4;
  const end = head.indexOf('\r', from);
  return head.slice(from, end < 0 ? undefined : end);
}
