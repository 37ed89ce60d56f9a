import { Readable } from 'node:stream';
import { batcher } from '@gatehouse/kit/batch';
import { Fault, Status, unavailable } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { isPictureHash } from '@gatehouse/kit/picture/hash';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { PictureKind } from '@gatehouse/proto/auth';
import type { FastifyInstance } from 'fastify';
import { accessLog } from './access-log.ts';
import type { Connections } from './connections.ts';
import { notFound } from './http-error.ts';
import type { Overload } from './overload/overload.ts';
import { singleFlight } from './single-flight.ts';

interface Picture {
  readonly content_type: string;
  readonly bytes: Uint8Array;
}

/** Which picture: what its path names. */
interface Asked {
  readonly kind: PictureKind;
  readonly id: string;
  readonly hash: string;
  readonly requestId: string;
}

interface MediaOptions {
  readonly connections: Connections;
  readonly overload: Overload;
  readonly log: Logger;
}

const KINDS = {
  avatars: PictureKind.PICTURE_KIND_AVATAR,
  banners: PictureKind.PICTURE_KIND_BANNER,
} as const;
const TIMEOUT_MS = 10_000;
/** Each may be 10 MiB, here and at its owner, where they must leave room for who asks for anything else. */
const LOADED_AT_ONCE = { maxBatch: 1, maxInFlight: 2, maxQueue: 256 };
/** What a client takes of a picture before more of it is written. */
const PART_BYTES = 64 * 1024;
/** Written in one turn of the event loop, to all clients. */
const PARTS_A_TURN = 8;
/** A client that has not taken its picture by then is cut off: what it holds others may want. */
const TAKEN_WITHIN_MS = 60_000;
/** A path names one content for ever. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Avatars and banners, outside the API: anyone may read them, and no bucket counts that
 * (docs/conventions.md#pictures). /media/avatars/{id}/{hash} is of accounts and webhooks,
 * /media/banners/{id}/{hash} of accounts.
 */
export function addMedia(app: FastifyInstance, { connections, overload, log }: MediaOptions): void {
  const { bounds, refusals } = overload;
  const load = batcher<Asked, Picture>({
    run: async (asked) => Promise.all(asked.map((one) => loadPicture(one, connections))),
    ...LOADED_AT_ONCE,
  });
  const share = singleFlight({
    load,
    keyOf: ({ kind, id, hash }) => `${kind} ${id} ${hash}`,
    sizeOf: ({ bytes }) => bytes.length,
    max_size: bounds.max_media_bytes,
    onRefused: () => refusals.count('media'),
  });

  const turn = turns(PARTS_A_TURN);
  for (const [name, kind] of Object.entries(KINDS)) {
    const write = accessLog(log, { path: `/media/${name}/{id}/{hash}` });
    app.get<{ Params: { id: string; hash: string } }>(`/media/${name}/:id/:hash`, async (request, reply) => {
      const startedAt = performance.now();
      let failure: unknown;
      reply.raw.once('close', () => {
        write(request, reply.raw.statusCode, performance.now() - startedAt, failure);
      });
      try {
        const { id, hash } = request.params;
        if (!isSnowflake(id) || !isPictureHash(hash)) throw notFound();
        if (overload.shedsExpensive()) throw unavailable(new Error('the heap is nearly full'));
        const { value, release } = share({ kind, id, hash, requestId: request.id });
        const late = setTimeout(() => reply.raw.destroy(), TAKEN_WITHIN_MS).unref();
        reply.raw.once('close', () => {
          clearTimeout(late);
          release();
        });
        const { content_type, bytes } = await value;
        reply.headers({
          'content-type': content_type,
          'content-length': bytes.length,
          'cache-control': CACHE_CONTROL,
        });
        return reply.send(Readable.from(parts(bytes, turn), { highWaterMark: 1 }));
      } catch (error) {
        failure = error;
        throw error;
      }
    });
  }
}

/** Of bytes that are in memory once, however many clients take them; a client's next part waits for its turn. */
async function* parts(bytes: Uint8Array, turn: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    await turn();
    yield bytes.subarray(at, at + PART_BYTES);
  }
}

/** Makes the function that lets so many go on in each turn of the event loop, those who have waited longest first. */
function turns(atOnce: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  function next(): void {
    for (const goOn of waiting.slice(0, atOnce)) goOn();
    waiting = waiting.slice(atOnce);
    if (waiting.length > 0) setImmediate(next);
  }
  return () =>
    new Promise((goOn) => {
      waiting.push(goOn);
      if (waiting.length === 1) setImmediate(next);
    });
}

/** An account's, or else a webhook's: nobody but their owners knows which of them an ID is. */
async function loadPicture({ kind, id, hash, requestId }: Asked, to: Connections): Promise<Picture> {
  const options = { timeoutMs: TIMEOUT_MS, requestId };
  try {
    return await to.auth.client.getPicture({ kind, account_id: id, hash }, options);
  } catch (error) {
    const missing = error instanceof Fault && error.status === Status.NOT_FOUND;
    if (!missing) throw error;
    if (kind === PictureKind.PICTURE_KIND_BANNER) throw notFound();
  }
  return to.webhook_delivery.client.getAvatar({ hash }, options);
}
