import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { Fault, Status } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { type Handlers, implement, serve } from '@gatehouse/kit/rpc';
import { type KeepPictureRequest, MediaServiceDefinition, PictureSlot } from '@gatehouse/proto/media';
import { pictureHash } from './pictures.ts';

type MediaHandlers = Handlers<typeof MediaServiceDefinition>;

/** The parts of media that services with slots call, on a real port: what begins as a PNG is a picture. */
export interface MediaUnderTest {
  readonly address: string;
  /** Upload → hash, of those that were neither kept nor dropped. */
  readonly uploads: Map<string, string>;
  /** Whom each picture that came counts against: the sender, and the guild if there is one. */
  readonly origins: (readonly [sender: string, guild_id: string | undefined])[];
  /** Answers in place of the usual ones. */
  answers: { -readonly [Rpc in keyof MediaHandlers]?: MediaHandlers[Rpc] };
  /** The hash in a slot; null where there is none. */
  avatarOf(account_id: string): string | null;
  bannerOf(account_id: string): string | null;
  iconOf(guild_id: string): string | null;
  /** Of an account in a guild. */
  memberAvatarOf(guild_id: string, account_id: string): string | null;
  memberBannerOf(guild_id: string, account_id: string): string | null;
  /** How many hashes it was ever told to keep or forget of an account's slots. */
  slotsOf(account_id: string): number;
  stop(): Promise<void>;
  /** Where it was before, with all that it had. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const MAGIC = '\x89PNG\r\n\x1a\n';

export async function serveMedia(): Promise<MediaUnderTest> {
  const pictures = new Set<string>();
  const uploads = new Map<string, string>();
  const origins: MediaUnderTest['origins'] = [];
  const kept = new Map<string, { readonly hash: string | null; readonly version: number }>();
  let server = await listen('127.0.0.1:0');
  const key = (owner: string, slot: PictureSlot, guild = '') => `${owner} ${guild} ${slot}`;

  function upload(hash: string) {
    const id = String(pictures.size + uploads.size + Math.floor(Math.random() * 1e12));
    pictures.add(hash);
    uploads.set(id, hash);
    return { id, hash };
  }

  function keep({ owner_id, guild_id, slot, upload: given, version }: KeepPictureRequest) {
    const place = key(owner_id, slot, guild_id ?? '');
    if (given != null && !pictures.has(given.hash))
      throw new Fault({ status: Status.NOT_FOUND, reason: 'NOT_FOUND', message: 'As media says it.' });
    if ((kept.get(place)?.version ?? 0) < version) kept.set(place, { hash: given?.hash ?? null, version });
    if (given != null) uploads.delete(given.id);
    return {};
  }

  const usual: Partial<MediaHandlers> = {
    storePicture: ({ text, sender, guild_id }) => {
      origins.push([sender, guild_id ?? undefined]);
      const bytes = Buffer.from(text.replace(/^data:[^,]*;base64,/, ''), 'base64');
      if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
        return { upload: null, refusal: 'Must be an image that can be decoded.' };
      return { upload: upload(pictureHash(bytes)), refusal: null };
    },
    keepPicture: keep,
    dropUploads: ({ ids }) => {
      for (const id of ids) uploads.delete(id);
      return {};
    },
  };

  function listen(address: string) {
    const handlers = Object.fromEntries(
      (['storePicture', 'keepPicture', 'dropUploads'] as const).map((name) => [
        name,
        (...call: [never, never]) => (media.answers[name] ?? usual[name])?.(...call),
      ]),
    ) as Partial<MediaHandlers>;
    const implementations = [
      implement(MediaServiceDefinition, someHandlers(MediaServiceDefinition, handlers)),
    ];
    return serve({ address, implementations, log: silentLogger });
  }

  const media: MediaUnderTest = {
    address: server.address,
    uploads,
    origins,
    answers: {},
    avatarOf: (id) => kept.get(key(id, PictureSlot.PICTURE_SLOT_AVATAR))?.hash ?? null,
    bannerOf: (id) => kept.get(key(id, PictureSlot.PICTURE_SLOT_BANNER))?.hash ?? null,
    iconOf: (id) => kept.get(key(id, PictureSlot.PICTURE_SLOT_ICON))?.hash ?? null,
    memberAvatarOf: (guild, id) => kept.get(key(id, PictureSlot.PICTURE_SLOT_AVATAR, guild))?.hash ?? null,
    memberBannerOf: (guild, id) => kept.get(key(id, PictureSlot.PICTURE_SLOT_BANNER, guild))?.hash ?? null,
    slotsOf: (id) => [...kept.keys()].filter((place) => place.startsWith(`${id} `)).length,
    stop: () => server.close(),
    restart: async () => {
      server = await listen(server.address);
    },
    close: () => server.close(),
  };
  return media;
}
