import { batcher } from '@gatehouse/kit/batch';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { isPictureHash } from '@gatehouse/kit/picture/hash';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { PictureKind } from '@gatehouse/proto/auth';
import type { FastifyInstance } from 'fastify';
import { accessLog } from './access-log.ts';
import { notFound } from './http-error.ts';
import type { Connections } from './services.ts';
import { sharing } from './sharing.ts';

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

const KINDS = {
  avatars: PictureKind.PICTURE_KIND_AVATAR,
  banners: PictureKind.PICTURE_KIND_BANNER,
} as const;
const TIMEOUT_MS = 10_000;
/** Each may be 10 MiB, here and at its owner. */
const LOADED_AT_ONCE = { maxBatch: 1, maxInFlight: 8, maxQueue: 1024 };
/** Of pictures on their way to clients, who may be as slow as they like. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;
/** A path names one content for ever. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Avatars and banners, for anyone and outside the API (specification 1, "Other surfaces"; specification
 * 3, Mechanics, 6): /media/avatars/{id}/{hash} of accounts and webhooks, /media/banners/{id}/{hash} of
 * accounts.
 */
export function addMedia(
  app: FastifyInstance,
  { connections, log }: { readonly connections: Connections; readonly log: Logger },
): void {
  const load = batcher<Asked, Picture>({
    run: async (asked) => Promise.all(asked.map((one) => loadPicture(one, connections))),
    ...LOADED_AT_ONCE,
  });
  const share = sharing({
    load,
    keyOf: ({ kind, id, hash }) => `${kind} ${id} ${hash}`,
    sizeOf: ({ bytes }) => bytes.length,
    max_size: MAX_HELD_BYTES,
  });

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
        const { value, release } = share({ kind, id, hash, requestId: request.id });
        reply.raw.once('close', release);
        const { content_type, bytes } = await value;
        return reply.header('content-type', content_type).header('cache-control', CACHE_CONTROL).send(bytes);
      } catch (error) {
        failure = error;
        throw error;
      }
    });
  }
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
