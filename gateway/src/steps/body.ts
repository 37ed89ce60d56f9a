import type { IncomingMessage } from 'node:http';
import { unavailable } from '@gatehouse/kit/fault';
import { ipGroup } from '../client-ip.ts';
import type { Exchange } from '../exchange.ts';
import { clientGone, payloadTooLarge } from '../http-error.ts';
import type { Row } from '../route.ts';
import { bodyRoom } from './body-room.ts';

export type BodyReader = (exchange: Exchange) => Promise<Buffer>;

const KiB = 1024;
const MiB = 1024 * KiB;
/** Of every body; more of it has to find room. */
const ALWAYS_READ_BYTES = 64 * KiB;
/** Some bodies are read before the limits, and on its way through this process each is there several times. */
const ROOM = bodyRoom({ max_bytes: 256 * MiB, max_bytes_a_client: 64 * MiB });

/** To be called once a request is answered: its body takes no room any more. */
export function releaseBody(raw: IncomingMessage): void {
  ROOM.leave(raw);
}

/** Makes the function that reads a row's body; undefined where the row takes none. */
export function bodyReader({ body, body_limit_bytes }: Row): BodyReader | undefined {
  switch (body) {
    case 'none':
      return undefined;
    case 'optional_json':
      return async (exchange) => {
        const bytes = await readBody(exchange, body_limit_bytes);
        return bytes.length === 0 ? NO_MEMBERS : bytes;
      };
    default:
      return (exchange) => readBody(exchange, body_limit_bytes);
  }
}

const NO_MEMBERS = Buffer.from('{}');

/**
 * Reads a body of at most `limitBytes`. What is over, or finds no room, is refused as soon as that is
 * known; the rest of it is let pass unread, so that the client gets its answer.
 *
 * @throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE
 */
function readBody({ request: { raw }, ip }: Exchange, limitBytes: number): Promise<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > limitBytes)
    return Promise.reject(payloadTooLarge(limitBytes));
  if (raw.destroyed && !raw.readableEnded) return Promise.reject(clientGone()); // and nothing more is emitted
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined = [];
    let bytes = 0;
    const refuse = (why: Error) => {
      chunks = undefined;
      ROOM.leave(raw); // at once, so that others who are on their way find it
      reject(why);
    };
    raw.on('data', (chunk: Buffer) => {
      if (chunks === undefined) return;
      bytes += chunk.length;
      if (bytes > limitBytes) refuse(payloadTooLarge(limitBytes));
      else if (bytes > ALWAYS_READ_BYTES && !ROOM.take(raw, ipGroup(ip), chunk.length)) refuse(noRoom());
      else chunks.push(chunk);
    });
    raw.on('end', () => {
      if (chunks !== undefined) resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    raw.on('close', () => reject(clientGone()));
    raw.on('error', () => reject(clientGone()));
  });
}

function noRoom(): Error {
  return unavailable(new Error('as many long bodies as there is room for are held already'));
}
