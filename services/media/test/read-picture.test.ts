import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Fault } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { Decoders } from '../src/decoding/decoders.ts';
import { limitDecoding } from '../src/decoding/limit-decoding.ts';
import { readPicture } from '../src/pictures/read.ts';

const decoders = new Decoders({ memory_bytes: 1024 * 1024 * 1024, time_ms: 10_000 }, silentLogger);
afterAll(() => decoders.close());
const decode = limitDecoding((bytes) => decoders.decode(bytes), 1);
const sender = { id: 'somebody', signal: new AbortController().signal };

function picture(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#5c6bc0' } });
}

/** A strip of frames, each in another gray. */
function animation(frames: number): Sharp {
  const size = 16;
  const strip = Buffer.concat(
    Array.from({ length: frames }, (_, n) => Buffer.alloc(size * size * 3, n * 40)),
  );
  return sharp(strip, { raw: { width: size, height: size * frames, channels: 3, pageHeight: size } });
}

/** An image that does not compress. */
function noise(size: number): Sharp {
  return sharp(randomBytes(size * size * 3), { raw: { width: size, height: size, channels: 3 } });
}

async function read(image: Buffer | string): Promise<string> {
  const text = typeof image === 'string' ? image : image.toString('base64');
  const read = await readPicture(text, decode, sender);
  if (typeof read === 'string') return read;
  expect(read.hash).toMatch(/^(?:a_)?[0-9a-f]{32}$/);
  return `${read.content_type}${read.hash.startsWith('a_') ? ' animated' : ''}`;
}

const UNREADABLE = 'Must be an image that can be decoded.';
const NOT_BASE64 = 'Must be base64 or a data: URL.';

describe('the bytes determine the type', () => {
  it.each<[string, () => Sharp, string]>([
    ['PNG', () => picture(8, 8).png(), 'image/png'],
    ['JPEG', () => picture(8, 8).jpeg(), 'image/jpeg'],
    ['GIF of one frame', () => picture(8, 8).gif(), 'image/gif'],
    ['GIF of three', () => animation(3).gif(), 'image/gif animated'],
    ['WebP', () => picture(8, 8).webp(), 'image/webp'],
    ['WebP of three frames', () => animation(3).webp(), 'image/webp animated'],
  ])('%s', async (_, make, expected) => {
    const image = await make().toBuffer();
    expect(await read(image)).toBe(expected);
    const base64 = image.toString('base64');
    expect(await read(`data:image/bmp;base64,${base64}`)).toBe(expected);
    expect(await read(`data:;base64,${base64}`)).toBe(expected);
    expect(await read(`DATA:text/html;charset=utf-8;BASE64,${base64}`)).toBe(expected);
  });

  it('equal content has equal hashes, different content has different ones', async () => {
    const [one, two] = await Promise.all([picture(8, 8).png().toBuffer(), picture(9, 9).png().toBuffer()]);
    const hashOf = async (image: Buffer) => {
      const read = await readPicture(image.toString('base64'), decode, sender);
      return typeof read === 'string' ? read : read.hash;
    };
    expect(await hashOf(one)).toBe(await hashOf(one));
    expect(await hashOf(one)).not.toBe(await hashOf(two));
  });

  it.each<[string, Buffer | string]>([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')],
    ['TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['BMP', Buffer.from('BM      ')],
    ['AVI', Buffer.from('RIFF    AVI LIST')],
    ['text', Buffer.from('hello')],
  ])('%s is refused', async (_, image) => {
    expect(await read(image)).toBe('Must be a PNG, JPEG, GIF or WebP image.');
  });
});

describe('base64 is strict', () => {
  it('refuses non-canonical base64', async () => {
    const base64 = (await picture(7, 8).png().toBuffer()).toString('base64');
    const bare = base64.replace(/=+$/, '');
    const broken = [
      '',
      '=',
      'data:image/png;base64,',
      `data:image/png,${base64}`,
      `data:image/png;base64 ,${base64}`,
      ` ${base64}`,
      `${base64}\n`,
      base64.replace(/(.{76})/g, '$1\n'),
      `${base64}====`,
      `-${base64.slice(1)}`,
      `${base64.slice(0, 8)}!${base64.slice(9)}`,
      `https://x.test/${bare}`,
      'iVBORw0KGgp=', // spare bits of the last byte are set
      'a',
    ];
    for (const text of broken) expect(await read(text), text.slice(0, 40)).toBe(NOT_BASE64);
  });
});

describe('the image must decode', () => {
  it('to its end', async () => {
    const png = await noise(64).png().toBuffer();
    const jpeg = await noise(64).jpeg().toBuffer();
    const gif = await noise(64).gif().toBuffer();
    const webp = await animation(4).webp({ lossless: true }).toBuffer();
    for (const whole of [png, jpeg, gif, webp]) {
      expect(await read(whole)).toMatch(/^image\//);
      expect(await read(whole.subarray(0, whole.length >> 1))).toBe(UNREADABLE);
      expect(await read(whole.subarray(0, 16))).toBe(UNREADABLE);
    }
    const flipped = Buffer.from(png);
    flipped.writeUInt8(flipped.readUInt8(png.length >> 1) ^ 0xff, png.length >> 1);
    expect(await read(flipped)).toBe(UNREADABLE);
  });

  it('without needless codes among the pixels of a GIF', async () => {
    const onePixel = (clears: number) => {
      const data = Buffer.concat([Buffer.alloc(clears, 0x80), Buffer.of(0x00, 0x81)]);
      const blocks: Buffer[] = [];
      for (let at = 0; at < data.length; at += 255) {
        const part = data.subarray(at, at + 255);
        blocks.push(Buffer.of(part.length), part);
      }
      const head = Buffer.from(
        'GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x07',
        'latin1',
      );
      return Buffer.concat([head, ...blocks, Buffer.of(0, 0x3b)]);
    };
    expect(await read(onePixel(1))).toBe('image/gif');
    expect(await read(onePixel(700_000))).toBe(UNREADABLE);
  });

  it('within 8192 pixels a side', async () => {
    expect(await read(await picture(8192, 1).png().toBuffer())).toBe('image/png');
    expect(await read(await picture(1, 8192).gif().toBuffer())).toBe('image/gif');
    const tooLarge = 'Must be at most 8192 pixels a side.';
    expect(await read(await picture(8193, 1).png().toBuffer())).toBe(tooLarge);
    expect(await read(await picture(1, 8193).jpeg().toBuffer())).toBe(tooLarge);
  });

  it('within 8192 pixels a side of a GIF’s canvas, however small its frames are', async () => {
    const gif = await picture(2, 2).gif().toBuffer();
    const onCanvas = (width: number, height: number) => {
      const bytes = Buffer.from(gif);
      bytes.writeUInt16LE(width, 6);
      bytes.writeUInt16LE(height, 8);
      return read(bytes);
    };
    expect(await onCanvas(8192, 8192)).toBe('image/gif');
    const tooLarge = 'Must be at most 8192 pixels a side.';
    expect(await onCanvas(8193, 2)).toBe(tooLarge);
    expect(await onCanvas(2, 65535)).toBe(tooLarge);
  });

  it('whatever the number of its frames', async () => {
    const frames = 600; // 600 × 16 pixels high, as one image
    expect(await read(await animation(frames).gif().toBuffer())).toBe('image/gif animated');
  });

  it('within 10 MiB', async () => {
    const image = await picture(8, 8).jpeg().toBuffer();
    const padded = (length: number) => Buffer.concat([image, Buffer.alloc(length - image.length)]);
    expect(await read(padded(10 * 1024 * 1024))).toBe('image/jpeg');
    for (const extra of [1, 2, 3, 4, 1000]) {
      expect(await read(padded(10 * 1024 * 1024 + extra))).toBe('Must be at most 10 MiB.');
    }
  });

  it('within four times the pixels of the largest image, however few bytes it has', async () => {
    expect(await read(emptyAnimation(1024, 4))).toBe('image/gif animated');
    expect(await read(emptyAnimation(2000, 68))).toBe(UNREADABLE);
    expect(await read(hugePng(60_000))).not.toMatch(/^image/);
  });

  it('unless its sender has cancelled', async () => {
    const image = await picture(8, 8).png().toBuffer();
    const gone = readPicture(image.toString('base64'), decode, { ...sender, signal: AbortSignal.abort() });
    await expect(gone).rejects.toMatchObject({ reason: 'CANCELLED' });
    expect(await read(image)).toBe('image/png');
  });

  it('one at a time for each sender, so that senders take turns', async () => {
    const image = (await picture(8, 8).png().toBuffer()).toString('base64');
    const done: string[] = [];
    const readFor = async (id: string) => {
      const { status, reason } = await readPicture(image, decode, { ...sender, id }).then(
        () => ({ status: 'read', reason: '' }),
        ({ reason }: Fault) => ({ status: 'refused', reason }),
      );
      done.push(`${id} ${status}${reason}`);
    };
    await Promise.all([...Array.from({ length: 34 }, () => readFor('one')), readFor('another')]);
    expect(done.slice(0, 3)).toEqual([
      'one refusedSERVICE_UNAVAILABLE', // thirty-two already wait
      'one read',
      'another read',
    ]);
    expect(done.filter((what) => what === 'one read')).toHaveLength(33);
  });
});

describe('the stored picture has no other data of the image', () => {
  const SECRET = 'SECRET: 52.5200, 13.4050';
  const keptOf = async (image: Buffer) => {
    const read = await readPicture(image.toString('base64'), decode, sender);
    if (typeof read === 'string') throw new Error(read);
    return read;
  };
  const pixels = (image: Buffer) => sharp(image, { pages: -1, failOn: 'error' }).raw().toBuffer();
  const withSecrets = (image: Sharp) =>
    image
      .withExif({ IFD0: { Copyright: SECRET } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`)
      .withIccProfile('p3');

  it.each<[string, () => Promise<Buffer>]>([
    ['PNG', () => withSecrets(picture(8, 8)).png().toBuffer()],
    [
      'PNG with text and private chunks',
      async () => withChunks(await picture(8, 8).png().toBuffer(), SECRET),
    ],
    ['JPEG', () => withSecrets(picture(8, 8)).jpeg().toBuffer()],
    ['JPEG with a comment', async () => withComment(await picture(8, 8).jpeg().toBuffer(), SECRET)],
    ['WebP', () => withSecrets(picture(8, 8)).webp({ lossless: true }).toBuffer()],
    ['WebP of three frames', () => withSecrets(animation(3)).webp({ lossless: true }).toBuffer()],
    ['GIF', async () => withGifExtensions(await picture(8, 8).gif().toBuffer(), SECRET)],
    [
      'GIF of three frames with data after their pixels',
      async () => withTail(await animation(3).gif().toBuffer(), SECRET),
    ],
    ['GIF of three frames', async () => withGifExtensions(await animation(3).gif().toBuffer(), SECRET)],
  ])('%s', async (_, make) => {
    const sent = Buffer.concat([await make(), Buffer.from(`after the end ${SECRET}`)]);
    const { bytes, hash, content_type } = await keptOf(sent);
    expect(bytes.includes('SECRET')).toBe(false);
    const { exif, xmp, icc, comments, pages, loop, delay } = await sharp(bytes, { pages: -1 }).metadata();
    expect({ exif, xmp, icc, comments }).toEqual({});
    const before = await sharp(sent, { pages: -1, failOn: 'error' }).metadata();
    expect({ pages, loop, delay }).toEqual({ pages: before.pages, loop: before.loop, delay: before.delay });
    expect(bytes.length).toBeLessThan(1_000);
    expect((await keptOf(bytes)).content_type).toBe(content_type);
    if (content_type === 'image/gif') {
      expect(await pixels(bytes)).toEqual(await pixels(sent));
      expect((await keptOf(bytes)).hash, 'a clean picture does not change').toBe(hash);
    }
  });

  it('an orientation is applied', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const sent = await picture(8, 16).withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
      const { width, height, orientation } = await sharp((await keptOf(sent)).bytes).metadata();
      expect({ width, height, orientation }).toEqual({ width: 16, height: 8 });
    }
  });

  it('a stored picture has at most 1 MiB: a still one is scaled down, an animated GIF is refused', async () => {
    for (const image of [noise(700).png(), noise(1_000).jpeg({ quality: 100 })]) {
      const sent = await image.toBuffer();
      expect(sent.length).toBeGreaterThan(1024 * 1024);
      expect((await keptOf(sent)).bytes.length).toBeLessThanOrEqual(1024 * 1024);
    }
    const tooLarge =
      'Must be at most 1 MiB without what is not the picture, as GIFs and animations are not made smaller.';
    expect(await read(longAnimation(await animation(2).gif().toBuffer(), 1_500))).toBe(tooLarge);
  });
});

function withChunks(png: Buffer, text: string): Buffer {
  const chunk = (type: string, data: string) => {
    const typed = Buffer.from(type + data);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length);
    around.writeUInt32BE(crc32(typed), 4);
    return Buffer.concat([around.subarray(0, 4), typed, around.subarray(4)]);
  };
  const chunks = [
    chunk('tEXt', `Comment\0${text}`),
    chunk('prVt', text.repeat(1000)),
    chunk('tIME', '1234567'),
  ];
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

function withComment(jpeg: Buffer, text: string): Buffer {
  const head = Buffer.of(0xff, 0xfe, 0, text.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(text), jpeg.subarray(2)]);
}

/** With a comment, XMP, a plain text and application data, before the first frame and after the last. */
function withGifExtensions(gif: Buffer, text: string): Buffer {
  const blocks = Buffer.concat([Buffer.of(text.length), Buffer.from(text), Buffer.of(0)]);
  const application = (name: string) => Buffer.concat([Buffer.of(0x21, 0xff, 11), Buffer.from(name), blocks]);
  const extensions = [
    Buffer.concat([Buffer.of(0x21, 0xfe), blocks]),
    application('XMP DataXMP'),
    application('SECRET  1.0'),
    application('NETSCAPE2.0'),
  ];
  const table = gif.readUInt8(10);
  const frames = 13 + (table & 0x80 ? 3 * 2 ** ((table & 7) + 1) : 0);
  return Buffer.concat([
    gif.subarray(0, frames),
    ...extensions,
    gif.subarray(frames, -1),
    ...extensions,
    gif.subarray(-1),
  ]);
}

/** With blocks after the last code of the last frame. */
function withTail(gif: Buffer, text: string): Buffer {
  const blocks = Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
  return Buffer.concat([gif.subarray(0, -2), blocks, blocks, Buffer.of(0, 0x3b)]);
}

/** With many frames of one pixel and a full color table. */
function longAnimation(gif: Buffer, frames: number): Buffer {
  const table = Buffer.alloc(768, 9);
  const frame = Buffer.concat([
    Buffer.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x87),
    table,
    Buffer.of(2, 2, 0x44, 1, 0),
  ]);
  return Buffer.concat([
    gif.subarray(0, -1),
    ...Array.from({ length: frames }, () => frame),
    gif.subarray(-1),
  ]);
}

/** A GIF with a large canvas and frames of one pixel. */
function emptyAnimation(side: number, frames: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(side, 0);
  size.writeUInt16LE(side, 2);
  const screen = [Buffer.from('GIF89a'), size, Buffer.from([0x80, 0, 0]), Buffer.alloc(6, 0x7f)];
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([...screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

/** The first bytes of a PNG with its size. */
function hugePng(side: number): Buffer {
  const header = Buffer.alloc(17);
  header.write('IHDR', 'latin1');
  header.writeUInt32BE(side, 4);
  header.writeUInt32BE(side, 8);
  header.set([8, 6, 0, 0, 0], 12);
  const length = Buffer.from([0, 0, 0, 13]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(header));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), length, header, sum]);
}
