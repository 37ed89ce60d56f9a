import { Readable } from 'node:stream';
import { unavailable } from '@gatehouse/kit/fault';
import { concurrency } from '@gatehouse/kit/queues/concurrency';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { withSpan } from '@gatehouse/kit/trace/current-span';
import type { Span } from '@gatehouse/kit/trace/span';
import { type GetPictureResponse, PictureSlot } from '@gatehouse/proto/media';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Connections } from '../connections.ts';
import { notFound } from '../http/http-error.ts';
import { type AccessLogOptions, accessLog } from '../log/access-log.ts';
import { logOnClose, type RequestOutcome } from '../log/log-on-close.ts';
import type { Overload } from '../overload/overload.ts';
import { singleFlight } from '../single-flight.ts';
import { MediaMemory } from './media-memory.ts';
import { drain, pictureParts, writeTurns } from './media-parts.ts';

interface PictureRequest {
  readonly slot: PictureSlot;
  readonly id: string;
  /** The guild of a member's picture; undefined for the owner's own. */
  readonly guild_id: string | undefined;
  readonly hash: string;
  readonly requestId: string;
}

/** A request for a later part of a picture. */
interface PartRequest {
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
const PATHS = [
  ['avatars/:id', PictureSlot.PICTURE_SLOT_AVATAR],
  ['banners/:id', PictureSlot.PICTURE_SLOT_BANNER],
  ['icons/:id', PictureSlot.PICTURE_SLOT_ICON],
  ['guilds/:guild_id/users/:id/avatars', PictureSlot.PICTURE_SLOT_AVATAR],
  ['guilds/:guild_id/users/:id/banners', PictureSlot.PICTURE_SLOT_BANNER],
] as const;
const CALL_TIMEOUT_MS = 10_000;
/** Limits the calls for first parts: media needs room for its other work. */
const FIRST_PART_CALLS = { at_once: 8, max_waiting: 1_024 };
/** Maximum parts written in one turn of the event loop, to all clients. */
const PARTS_PER_TURN = 8;
/** A client that has not read its picture by then is disconnected, so that others can use its memory. */
const SEND_TIMEOUT_MS = 60_000;
/** A path always names the same content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Avatars, banners and icons, outside the API: anyone may read them, and no bucket counts the requests
 * (docs/conventions.md#pictures). /media/avatars/{id}/{hash} has avatars of accounts and webhooks,
 * /media/banners/{id}/{hash} banners of accounts, /media/icons/{id}/{hash} icons of guilds, and
 * /media/guilds/{guild_id}/users/{id}/avatars/{hash} and …/banners/{hash} the pictures of members.
 */
export function addMedia(app: FastifyInstance, options: MediaOptions): void {
  const open = pictureOpener(options);
  for (const [owner, slot] of PATHS) {
    const path = `/media/${owner}/:hash`;
    const route = path.replaceAll(/:(\w+)/g, '{$1}');
    const writeLog = accessLog(options, route);
    app.get<{ Params: PathParams }>(path, async (request, reply) => {
      const outcome: RequestOutcome = { span: options.trace?.(request, route) };
      logOnClose(writeLog, request, reply, outcome);
      try {
        const body = await open(slot, outcome.span, request, reply);
        body.once('error', (error) => {
          outcome.failure = error; // the status is sent: the client is disconnected
        });
        return reply.send(body);
      } catch (error) {
        outcome.failure = error;
        throw error;
      }
    });
  }
}

/** Opens a picture: loads its first part, sets the headers, and returns the body. @throws NOT_FOUND, SERVICE_UNAVAILABLE */
type PictureOpener = (
  slot: PictureSlot,
  span: Span | undefined,
  request: FastifyRequest<{ Params: PathParams }>,
  reply: FastifyReply,
) => Promise<Readable>;

/**
 * A client gets the next part when it has read the previous one: one part per client is in memory, however long its
 * picture is.
 */
function pictureOpener({ connections, overload }: MediaOptions): PictureOpener {
  const { first, later } = partLoaders(connections);
  const { bounds, refusals } = overload;
  const memory = new MediaMemory(bounds.max_media_bytes, () => refusals.count('media'));
  const writeTurn = writeTurns(PARTS_PER_TURN);

  return async (slot, span, { id: requestId, method, params }, reply) => {
    const { id, guild_id, hash } = params;
    if (!isSnowflake(id) || !isSnowflake(guild_id ?? id) || !isPictureHash(hash)) throw notFound();
    if (overload.shedsExpensive()) throw unavailable(new Error('the heap is nearly full'));
    const { value, release } = withSpan(span, () => first({ slot, id, guild_id, hash, requestId }));
    const reservation = memory.open();
    const timer = setTimeout(() => reply.raw.destroy(), SEND_TIMEOUT_MS).unref();
    reply.raw.once('close', () => {
      clearTimeout(timer);
      release();
      reservation.release();
    });
    const { content_type, size, bytes } = await value;
    reservation.reserve(bytes.length);
    reply.headers({ 'content-type': content_type, 'content-length': size, 'cache-control': CACHE_CONTROL });
    const parts = pictureParts({
      first: bytes,
      size,
      next: (offset) => later({ hash, offset, requestId }),
      drained: () => drain(reply.raw),
      writeTurn,
    });
    return Readable.from(method === 'HEAD' ? [] : parts, { highWaterMark: 1 });
  };
}

/** Makes the functions that load parts from media. Simultaneous requests for a part share one call. */
function partLoaders({ media: { client } }: Connections) {
  const limited = concurrency(FIRST_PART_CALLS);
  return {
    first: singleFlight<PictureRequest, GetPictureResponse>({
      load: ({ slot, id, guild_id = null, hash, requestId }) =>
        limited(() =>
          client.getPicture(
            { slot, owner_id: id, guild_id, hash },
            { timeoutMs: CALL_TIMEOUT_MS, requestId },
          ),
        ),
      keyOf: ({ slot, id, guild_id = '', hash }) => `${slot} ${id} ${guild_id} ${hash}`,
    }),
    later: singleFlight<PartRequest, Uint8Array>({
      load: async ({ requestId, ...part }) =>
        (await client.getPicturePart(part, { timeoutMs: CALL_TIMEOUT_MS, requestId })).bytes,
      keyOf: ({ hash, offset }) => `${hash} ${offset}`,
    }),
  };
}

/** 32 hex digits, behind "a_" for an animated picture. Other names are not sent to media. */
function isPictureHash(text: string): boolean {
  return /^(?:a_)?[0-9a-f]{32}$/.test(text);
}
