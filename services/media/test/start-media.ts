import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { openPool } from '@gatehouse/kit/db/pool';
import { Fault } from '@gatehouse/kit/fault';
import { createLogger } from '@gatehouse/kit/log';
import { type Client, connect } from '@gatehouse/kit/rpc';
import { MediaServiceDefinition, PictureSlot, type Upload } from '@gatehouse/proto/media';
import type pg from 'pg';
import sharp, { type Color } from 'sharp';
import { type Config, readConfig } from '../src/config.ts';
import { type Overrides, start } from '../src/start.ts';

export type Media = Client<typeof MediaServiceDefinition>;

/** Replicas of the service on a database of its own. */
export interface MediaUnderTest {
  readonly media: Media;
  readonly replicas: readonly Media[];
  readonly db: pg.Pool;
  /** The decoder processes of all replicas, in order of their start. */
  decoders(): number[];
  close(): Promise<void>;
}

interface MediaOptions extends Overrides {
  readonly replicas?: number;
  readonly config?: Partial<Config>;
}

const MiB = 1024 * 1024;

export async function startMedia(name: string, options: MediaOptions = {}): Promise<MediaUnderTest> {
  const { replicas: count = 1, config, ...overrides } = options;
  const database = await testDatabase(fileURLToPath(new URL('../migrations', import.meta.url)), name);
  const db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  const log: string[] = [];
  const services = await Promise.all(
    Array.from({ length: count }, () =>
      start(
        {
          ...readConfig({ DATABASE_URL: 'postgres://localhost', LOG_LEVEL: 'silent' }),
          listen: '127.0.0.1:0',
          database_url: database.database_url,
          database_pool_size: 6,
          decoders: 1,
          decoder_memory_bytes: 1024 * MiB,
          log_level: 'info',
          ...config,
        },
        {
          log: createLogger({ name: 'media', destination: { write: (line) => log.push(line) } }),
          ...overrides,
        },
      ),
    ),
  );
  const connections = services.map(({ address }) => connect(MediaServiceDefinition, { address }));
  const replicas = connections.map(({ client }) => client);
  const [media] = replicas;
  if (media === undefined) throw new Error('there is no replica');
  return {
    media,
    replicas,
    db,
    decoders: () =>
      log
        .map((line) => JSON.parse(line) as { msg: string; decoder: number })
        .filter(({ msg }) => msg === 'decoder started')
        .map(({ decoder }) => decoder),
    close: async () => {
      for (const connection of connections) connection.close();
      await Promise.all(services.map((service) => service.close()));
      await db.end();
      await database.drop();
    },
  };
}

export const LONG_TIMEOUT = { timeoutMs: 30_000 };

/** A PNG of a few pixels. Each color gives another picture. */
export function onePixel(background: Color): Promise<Buffer> {
  return sharp({ create: { width: 2, height: 2, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Stores a picture as an upload, which must succeed. */
export async function uploadPicture(media: Media, bytes: Buffer, sender = '1'): Promise<Upload> {
  const { upload, refusal } = await media.storePicture(
    { text: bytes.toString('base64'), sender },
    LONG_TIMEOUT,
  );
  if (upload == null) throw new Error(`refused: ${refusal}`);
  return upload;
}

/** Stores a picture and sets it as an owner's avatar. Returns its hash. */
export async function setAvatar(media: Media, owner_id: string, bytes: Buffer, version = 1): Promise<string> {
  const upload = await uploadPicture(media, bytes);
  await media.keepPicture({ owner_id, slot: PictureSlot.PICTURE_SLOT_AVATAR, upload, version }, LONG_TIMEOUT);
  return upload.hash;
}

/** Reads all parts of a picture. Undefined if there is none. */
export async function fetchPicture(
  media: Media,
  owner_id: string,
  hash: string,
  slot: PictureSlot = PictureSlot.PICTURE_SLOT_AVATAR,
): Promise<{ content_type: string; bytes: Buffer } | undefined> {
  try {
    const { content_type, size, bytes } = await media.getPicture({ slot, owner_id, hash }, LONG_TIMEOUT);
    const parts = [Buffer.from(bytes)];
    for (let offset = bytes.length; offset < size; ) {
      const part = await media.getPicturePart({ hash, offset }, LONG_TIMEOUT);
      parts.push(Buffer.from(part.bytes));
      offset += part.bytes.length;
    }
    return { content_type, bytes: Buffer.concat(parts) };
  } catch (error) {
    if (error instanceof Fault && error.reason === 'NOT_FOUND') return undefined;
    throw error;
  }
}
