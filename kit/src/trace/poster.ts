import http from 'node:http';
import https from 'node:https';

export interface Poster {
  /** The status of the answer, or what kept it from coming: a system's code, or the name of an error. */
  post(body: Uint8Array): Promise<number | string>;
  close(): void;
}

export interface PosterOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** From the beginning to the end of the answer. */
  readonly timeout_ms: number;
}

/** POSTs to one URL, by one connection that is kept. The text of an answer is nobody's. */
export function poster(url: URL, { headers, timeout_ms }: PosterOptions): Poster {
  const { request, Agent } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    post: (body) =>
      new Promise((resolve) => {
        const posted = request(
          url,
          {
            method: 'POST',
            agent,
            headers: { ...headers, 'content-length': body.length },
            signal: AbortSignal.timeout(timeout_ms),
          },
          (response) => {
            response.once('error', () => undefined); // it had its status
            response.once('close', () => resolve(response.statusCode ?? 0));
            response.resume();
          },
        );
        posted.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
        posted.end(body);
      }),
    close: () => agent.destroy(),
  };
}
