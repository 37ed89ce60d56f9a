import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type Handlers, implement, serve } from '@gatehouse/kit/rpc';
import { type KeepPictureRequest, MediaServiceDefinition, PictureSlot } from '@gatehouse/proto/media';
import { pictureHash } from './pictures.ts';

type MediaHandlers = Handlers<typeof MediaServiceDefinition>;

const MAGIC = '\x89PNG\r\n\x1a\n';
const CALLED = ['storePicture', 'keepPicture', 'dropUploads', 'exportPicture'] as const;

/** A fake of the RPCs that services with slots call, on a real port. Bytes with a PNG signature are a picture. */
export class FakeMedia {
  /** Upload ID → hash, of uploads that were neither kept nor dropped. */
  readonly uploads = new Map<string, string>();
  /** The sender of each stored picture, and its guild if it has one. */
  readonly origins: (readonly [sender: string, guild_id: string | undefined])[] = [];
  /** Handlers that replace the usual ones. */
  answers: { -readonly [Rpc in keyof MediaHandlers]?: MediaHandlers[Rpc] } = {};
  readonly #pictures = new Set<string>();
  readonly #slots = new Map<string, { readonly hash: string | null; readonly version: number }>();
  #server: Running | undefined;

  get address(): string {
    return this.#server?.address ?? '127.0.0.1:0';
  }

  avatarOf(account_id: string): string | null {
    return this.#hashIn(account_id, PictureSlot.PICTURE_SLOT_AVATAR);
  }

  bannerOf(account_id: string): string | null {
    return this.#hashIn(account_id, PictureSlot.PICTURE_SLOT_BANNER);
  }

  iconOf(guild_id: string): string | null {
    return this.#hashIn(guild_id, PictureSlot.PICTURE_SLOT_ICON);
  }

  memberAvatarOf(guild_id: string, account_id: string): string | null {
    return this.#hashIn(account_id, PictureSlot.PICTURE_SLOT_AVATAR, guild_id);
  }

  memberBannerOf(guild_id: string, account_id: string): string | null {
    return this.#hashIn(account_id, PictureSlot.PICTURE_SLOT_BANNER, guild_id);
  }

  /** The number of an account's slots that KeepPicture calls have named. */
  slotsOf(account_id: string): number {
    return [...this.#slots.keys()].filter((slot) => slot.startsWith(`${account_id} `)).length;
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  /** Starts the server at its old address, with its state. */
  async restart(): Promise<void> {
    const handlers = Object.fromEntries(
      CALLED.map((name) => [
        name,
        (...call: [never, never]) => (this.answers[name] ?? this.#usual[name])?.(...call),
      ]),
    ) as Partial<MediaHandlers>;
    const implementations = [
      implement(MediaServiceDefinition, someHandlers(MediaServiceDefinition, handlers)),
    ];
    this.#server = await serve({ address: this.address, implementations, log: silentLogger });
  }

  close(): Promise<void> {
    return this.stop();
  }

  readonly #usual: Partial<MediaHandlers> = {
    storePicture: ({ text, sender, guild_id }) => {
      this.origins.push([sender, guild_id ?? undefined]);
      const bytes = Buffer.from(text.replace(/^data:[^,]*;base64,/, ''), 'base64');
      if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
        return { upload: null, refusal: 'Must be an image that can be decoded.' };
      return { upload: this.#upload(pictureHash(bytes)), refusal: null };
    },
    exportPicture: () => ({ content_type: '', bytes: Buffer.alloc(0) }),
    keepPicture: (request) => this.#keep(request),
    dropUploads: ({ ids }) => {
      for (const id of ids) this.uploads.delete(id);
      return {};
    },
  };

  #upload(hash: string) {
    const id = String(this.#pictures.size + this.uploads.size + Math.floor(Math.random() * 1e12));
    this.#pictures.add(hash);
    this.uploads.set(id, hash);
    return { id, hash };
  }

  #keep({ owner_id, guild_id, slot, upload, version }: KeepPictureRequest) {
    const key = slotKey(owner_id, slot, guild_id ?? '');
    if (upload != null && !this.#pictures.has(upload.hash))
      throw new Fault({ status: Status.NOT_FOUND, reason: 'NOT_FOUND', message: 'The picture is gone.' });
    if ((this.#slots.get(key)?.version ?? 0) < version)
      this.#slots.set(key, { hash: upload?.hash ?? null, version });
    if (upload != null) this.uploads.delete(upload.id);
    return {};
  }

  #hashIn(owner_id: string, slot: PictureSlot, guild_id?: string): string | null {
    return this.#slots.get(slotKey(owner_id, slot, guild_id))?.hash ?? null;
  }
}

const slotKey = (owner_id: string, slot: PictureSlot, guild_id = '') => `${owner_id} ${guild_id} ${slot}`;

export async function serveMedia(): Promise<FakeMedia> {
  const media = new FakeMedia();
  await media.restart();
  return media;
}
