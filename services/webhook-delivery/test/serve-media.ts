import { hash } from 'node:crypto';
import { Status } from '@gatehouse/kit/fault';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type Handlers, implement, serve } from '@gatehouse/kit/rpc';
import { MediaServiceDefinition, type StorePictureRequest } from '@gatehouse/proto/media';
import { absentHandlers, fault } from './neighbour.ts';

/** What media holds. */
export interface MediaWorld {
  /** Upload → hash, of those that were neither published nor dropped. */
  readonly uploads: Map<string, string>;
  /** The hashes of the pictures that everybody may read. */
  readonly published: Set<string>;
  /** What happens before media answers. */
  readonly before: { storePicture?: (request: StorePictureRequest) => unknown };
}

const MAGIC = '\x89PNG\r\n\x1a\n';

/** What media takes for a picture in these tests; each colour is another. */
export function onePixel(colour: string): Buffer {
  return Buffer.concat([Buffer.from(MAGIC, 'latin1'), Buffer.from(colour)]);
}

/** As media names it. */
export function pictureHash(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, 32);
}

/** A media service of the parts that webhook-delivery calls, on a real port: what begins as a PNG is a picture. */
export function serveMedia(
  { uploads, published, before }: MediaWorld,
  address = '127.0.0.1:0',
): Promise<Running> {
  let last = uploads.size;
  function upload(hash: string) {
    last++;
    uploads.set(String(last), hash);
    return { id: String(last), hash };
  }
  const handlers: Handlers<typeof MediaServiceDefinition> = {
    ...absentHandlers(MediaServiceDefinition.methods),
    storePicture: async (request) => {
      await before.storePicture?.(request);
      const { text } = request;
      const bytes = Buffer.from(text.replace(/^data:[^,]*;base64,/, ''), 'base64');
      if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
        return { upload: null, refusal: 'Must be an image that can be decoded.' };
      return { upload: upload(pictureHash(bytes)), refusal: null };
    },
    publishPicture: ({ upload }) => {
      if (upload === null) throw fault(Status.NOT_FOUND, 'NOT_FOUND');
      published.add(upload.hash);
      uploads.delete(upload.id);
      return {};
    },
    dropUploads: ({ ids }) => {
      for (const id of ids) uploads.delete(id);
      return {};
    },
  };
  const implementations = [implement(MediaServiceDefinition, handlers)];
  return serve({ address, implementations, log: silentLogger });
}
