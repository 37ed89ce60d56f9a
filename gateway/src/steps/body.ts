import type { IncomingMessage } from 'node:http';
import { clientGone, payloadTooLarge } from '../http-error.ts';
import type { Row } from '../route.ts';

export type BodyReader = (raw: IncomingMessage) => Promise<Buffer>;

/** Makes the function that reads a row's body; undefined where the row takes none. */
export function bodyReader({ body, body_limit_bytes }: Row): BodyReader | undefined {
  switch (body) {
    case 'none':
      return undefined;
    case 'optional_json':
      return async (raw) => {
        const bytes = await readBody(raw, body_limit_bytes);
        return bytes.length === 0 ? NO_MEMBERS : bytes;
      };
    default:
      return (raw) => readBody(raw, body_limit_bytes);
  }
}

const NO_MEMBERS = Buffer.from('{}');

/**
 * Reads a body of at most `limitBytes`. What is over is refused as soon as that is known; the rest of
 * it is let pass unread, so that the client gets its answer.
 *
 * @throws PAYLOAD_TOO_LARGE
 */
function readBody(raw: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > limitBytes)
    return Promise.reject(payloadTooLarge(limitBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      reject(payloadTooLarge(limitBytes));
    });
    raw.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    raw.on('close', () => reject(clientGone()));
    raw.on('error', () => reject(clientGone()));
  });
}
