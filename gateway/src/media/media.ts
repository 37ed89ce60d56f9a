import { Readable } from 'node:stream';
import { unavailable } from '@gatehouse/kit/fault';
import { concurrency } from '@gatehouse/kit/queues/concurrency';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { withSpan } from '@gatehouse/kit/trace/current-span';
import { type GetPictureResponse, PictureSlot } from '@gatehouse/proto/media';
import type { FastifyInstance } from 'fastify';
import type { Connections } from '../connections.ts';
import { notFound } from '../http/http-error.ts';
import { type AccessLogOptions, accessLog } from '../log/access-log.ts';
import type { Overload } from '../overload/overload.ts';
import { singleFlight } from '../single-flight.ts';
import { mediaMemory } from './media-memory.ts';
import { drained, pictureParts, turns } from './media-parts.ts';

/** The picture that a path names. */
interface Asked {
  readonly slot: PictureSlot;
  readonly id: string;
  /** The guild of a member's picture; undefined for the owner's own. */
  readonly guild_id: string | undefined;
  readonly hash: string;
  readonly requestId: string;
}

/** A later part of a picture. */
interface AskedPart {
  readonly hash: string;
  readonly offset: number;
  readonly requestId: string;
}

interface PathParams {
  readonly id: string;
  readonly guild_id?: string;
  readonly hash: string;
}

interface MediaOptions extends AccessLogOptions {
  readonly connections: Connections;
  readonly overload: Overload;
}

/** Below /media, with the owner and the guild as parameters. */
const PLACES = [
  ['avatars/:id', PictureSlot.PICTURE_SLOT_AVATAR],
  ['banners/:id', PictureSlot.PICTURE_SLOT_BANNER],
  ['icons/:id', PictureSlot.PICTURE_SLOT_ICON],
  ['guilds/:guild_id/users/:id/avatars', PictureSlot.PICTURE_SLOT_AVATAR],
  ['guilds/:guild_id/users/:id/banners', PictureSlot.PICTURE_SLOT_BANNER],
] as const;
const TIMEOUT_MS = 10_000;
/** First parts at a time: media keeps room for its other work. */
const LOADED_AT_ONCE = { at_once: 8, max_waiting: 1_024 };
/** Bytes written in one turn of the event loop, to all clients. */
const PARTS_A_TURN = 8;
/** A client that has not taken its picture by then is disconnected, so that others can use its memory. */
const TAKEN_WITHIN_MS = 60_000;
/** A path always names the same content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Avatars, banners and icons, outside the API: anyone may read them, and no bucket counts it
 * (docs/conventions.md#pictures). /media/avatars/{id}/{hash} is of accounts and webhooks, /media/banners/{id}/{hash}
 * of accounts, /media/icons/{id}/{hash} of guilds, /media/guilds/{guild_id}/users/{id}/avatars/{hash} of members, and
 * banners likewise. A client gets the next part when it has taken the last: one part per client is in memory, however
 * long its picture is.
 */
export function addMedia(app: FastifyInstance, options: MediaOptions): void {
  const { connections, overload } = options;
  const { bounds, refusals } = overload;
  const { client } = connections.media;
  const inTurn = concurrency(LOADED_AT_ONCE);
  const firstPart = singleFlight<Asked, GetPictureResponse>({
    load: ({ slot, id, guild_id = null, hash, requestId }) =>
      inTurn(() =>
        client.getPicture({ slot, owner_id: id, guild_id, hash }, { timeoutMs: TIMEOUT_MS, requestId }),
      ),
    keyOf: ({ slot, id, guild_id = '', hash }) => `${slot} ${id} ${guild_id} ${hash}`,
  });
  const furtherPart = singleFlight<AskedPart, Uint8Array>({
    load: async ({ requestId, ...part }) =>
      (await client.getPicturePart(part, { timeoutMs: TIMEOUT_MS, requestId })).bytes,
    keyOf: ({ hash, offset }) => `${hash} ${offset}`,
  });
  const memory = mediaMemory(bounds.max_media_bytes, () => refusals.count('media'));
  const turn = turns(PARTS_A_TURN);

  for (const [place, slot] of PLACES) {
    const path = `/media/${place}/:hash`;
    const route = path.replaceAll(/:(\w+)/g, '{$1}');
    const write = accessLog(options, { path: route });
    app.get<{ Params: PathParams }>(path, async (request, reply) => {
      const startedAt = performance.now();
      const span = options.trace?.(request, route);
      let failure: unknown;
      reply.raw.once('close', () => {
        write(request, reply.raw.statusCode, performance.now() - startedAt, failure, span);
      });
      try {
        const { id, guild_id, hash } = request.params;
        if (!isSnowflake(id) || !isSnowflake(guild_id ?? id) || !isPictureHash(hash)) throw notFound();
        if (overload.shedsExpensive()) throw unavailable(new Error('the heap is nearly full'));
        const requestId = request.id;
        const { value, release } = withSpan(span, () => firstPart({ slot, id, guild_id, hash, requestId }));
        const room = memory.room();
        const late = setTimeout(() => reply.raw.destroy(), TAKEN_WITHIN_MS).unref();
        reply.raw.once('close', () => {
          clearTimeout(late);
          release();
          room.leave();
        });
        const { content_type, size, bytes } = await value;
        room.take(bytes.length);
        reply.headers({
          'content-type': content_type,
          'content-length': size,
          'cache-control': CACHE_CONTROL,
        });
        const parts = pictureParts({
          first: bytes,
          size,
          next: (offset) => furtherPart({ hash, offset, requestId }),
          taken: () => drained(reply.raw),
          turn,
        });
        const body = Readable.from(request.method === 'HEAD' ? [] : parts, { highWaterMark: 1 });
        body.once('error', (error) => {
          failure = error; // the status is sent: the client is disconnected
        });
        return reply.send(body);
      } catch (error) {
        failure = error;
        throw error;
      }
    });
  }
}

/** 32 hex digits, behind "a_" for an animated picture. Other names are not sent to media. */
function isPictureHash(text: string): boolean {
  return /^(?:a_)?[0-9a-f]{32}$/.test(text);
}
