import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { unavailable } from '@gatehouse/kit/fault';
import { type GetPictureRequest, PictureSlot } from '@gatehouse/proto/media';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { notFound } from '../../src/http/http-error.ts';
import { steps, useEdge } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';

const edge = useEdge();

const HASH = 'f0e1d2c3b4a5968778695a4b3c2d1e0f';
const MOVING = `a_${HASH}`;
const PART = 60_000;
const png = {
  content_type: 'image/png',
  bytes: Buffer.from('\x89PNG\r\n\x1a\nnot text: \xff\xfe', 'latin1'),
};
const gif = { content_type: 'image/gif', bytes: Buffer.alloc(3 * 1024 * 1024, 'frames') };
const first = ({ content_type, bytes }: typeof png) => ({
  content_type,
  size: bytes.length,
  bytes: bytes.subarray(0, PART),
});
/** Media with one picture. */
const media = (picture: typeof png) => ({
  getPicture: () => first(picture),
  getPicturePart: ({ offset }: { offset: number }) => ({
    bytes: picture.bytes.subarray(offset, offset + PART),
  }),
});
const missing = () => {
  throw notFound();
};

const get = (path: string, init: RequestInit = {}) => fetch(`http://${edge.host}:${edge.port}${path}`, init);
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a picture', () => {
  test.each([
    ['avatars/42', PictureSlot.PICTURE_SLOT_AVATAR, null],
    ['banners/42', PictureSlot.PICTURE_SLOT_BANNER, null],
    ['icons/42', PictureSlot.PICTURE_SLOT_ICON, null],
    ['guilds/7/users/42/avatars', PictureSlot.PICTURE_SLOT_AVATAR, '7'],
    ['guilds/7/users/42/banners', PictureSlot.PICTURE_SLOT_BANNER, '7'],
  ])('is served under /media/%s, for ever', async (place, slot, guild_id) => {
    const requests: GetPictureRequest[] = [];
    edge.peers.answers = {
      media: {
        getPicture: (picture) => {
          requests.push(picture);
          return first(png);
        },
      },
    };
    const response = await get(`/media/${place}/${HASH}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'x-request-id': expect.any(String),
    });
    expect(await bytesOf(response)).toEqual(png.bytes);
    expect(requests).toEqual([{ slot, owner_id: '42', guild_id, hash: HASH }]);
  });

  test('that is long is sent part by part, completely', async () => {
    edge.peers.answers = { media: media(gif) };
    const response = await get(`/media/avatars/42/${MOVING}`);
    expect(response.headers.get('content-type')).toBe('image/gif');
    expect(response.headers.get('content-length')).toBe(String(gif.bytes.length));
    expect((await bytesOf(response)).equals(gif.bytes)).toBe(true);
    const offsets = Array.from({ length: Math.ceil(gif.bytes.length / PART) - 1 }, (_, n) => (n + 1) * PART);
    expect(edge.peers.calls.slice(1).map(({ request }) => request)).toEqual(
      offsets.map((offset) => ({ hash: MOVING, offset })),
    );
  });

  test.each([
    ['short', png],
    ['long', gif],
  ])('that is %s answers HEAD with the headers alone', async (_what, picture) => {
    edge.peers.answers = { media: media(picture) };
    const response = await get(`/media/avatars/42/${HASH}`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(picture.content_type);
    expect(response.headers.get('content-length')).toBe(String(picture.bytes.length));
    expect(await bytesOf(response)).toHaveLength(0);
    expect(steps(edge)).toEqual(['getPicture']);
  });

  test('needs no caller: no credential is looked up, and no bucket counts it', async () => {
    edge.peers.answers = { media: media(png) };
    for (const authorization of [`Bearer ${SESSION}`, 'Bearer gth_x', 'nonsense and more']) {
      const response = await get(`/media/avatars/42/${HASH}`, { headers: { authorization } });
      expect(response.status).toBe(200);
    }
    expect(steps(edge)).toEqual(['getPicture', 'getPicture', 'getPicture']);
  });

  test('has a line in the access log, with the pattern of its path', async () => {
    edge.peers.answers = { media: media(png) };
    await (await get(`/media/avatars/42/${HASH}`)).arrayBuffer();
    await expect
      .poll(() => edge.log.map((line) => JSON.parse(line)))
      .toMatchObject([{ method: 'GET', route: '/media/avatars/{id}/{hash}', status: 200 }]);
  });
});

test('a picture with a failed later part ends the connection, and is logged as a failure with its cause', async () => {
  edge.peers.answers = {
    media: {
      ...media(gif),
      getPicturePart: () => {
        throw unavailable(new Error('the part is lost'));
      },
    },
  };
  const response = await get(`/media/avatars/42/${MOVING}`);
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow();
  const lines = () =>
    edge.log.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === 'request');
  await expect.poll(lines).toMatchObject([
    {
      level: 50,
      route: '/media/avatars/{id}/{hash}',
      status: 200,
      err: { message: expect.stringMatching(/./) },
    },
  ]);
});

describe('there is no picture', () => {
  test.each([
    [`/media/avatars/42/${HASH.slice(1)}`],
    [`/media/avatars/42/${HASH}0`],
    [`/media/avatars/42/${HASH.toUpperCase()}`],
    [`/media/avatars/42/b_${HASH}`],
    [`/media/avatars/42/${HASH}.png`],
    [`/media/avatars/42/${HASH}/`],
    [`/media/avatars/042/${HASH}`],
    [`/media/avatars/me/${HASH}`],
    [`/media/avatars/9223372036854775808/${HASH}`],
    [`/media/avatars/${'9'.repeat(5000)}/${HASH}`],
    [`/media/avatars/42%00/${HASH}`],
    [`/media/avatars/%2e%2e%2f42/${HASH}`],
    [`/media/avatars/%/${HASH}`],
    [`/media/emojis/42/${HASH}`],
    ['/media/avatars/42'],
    ['/media'],
  ])('under %s, without a call to media', async (path) => {
    const answer = await edge.send(`GET /${path}`);
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ error: '404 Not Found', code: 'NOT_FOUND' });
    expect(steps(edge)).toEqual([]);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('for %s', async (method) => {
    expect((await edge.send(`${method} //media/avatars/42/${HASH}`)).status).toBe(404);
  });

  test('that does not exist, in an answer that is not cached', async () => {
    edge.peers.answers = { media: { getPicture: missing } };
    for (const place of ['avatars/42', 'banners/42', 'icons/42', 'guilds/7/users/42/avatars']) {
      const answer = await edge.send(`GET //media/${place}/${HASH}`);
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'NOT_FOUND', message: 'There is nothing here.' });
    }
  });

  test('is 503 while its service is down', async () => {
    edge.peers.answers = {
      media: {
        getPicture: () => {
          throw unavailable();
        },
      },
    };
    const answer = await edge.send(`GET //media/avatars/42/${HASH}`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(steps(edge)).toEqual(['getPicture']);
  });
});

describe('simultaneous requests', () => {
  test('share one picture; later ones load it again', async () => {
    let loaded: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (loaded = resolve));
    edge.peers.answers = { media: { ...media(gif), getPicture: () => loading.then(() => first(gif)) } };
    const callers = Array.from({ length: 32 }, () => get(`/media/avatars/42/${MOVING}`));
    await expect.poll(() => steps(edge).length).toBe(1);
    loaded();
    for (const response of await Promise.all(callers)) {
      expect((await bytesOf(response)).equals(gif.bytes)).toBe(true);
    }
    expect(steps(edge).filter((step) => step === 'getPicture')).toHaveLength(1);

    edge.peers.answers = { media: { getPicture: missing } };
    await expect.poll(async () => (await get(`/media/avatars/42/${MOVING}`)).status).toBe(404);
    edge.peers.answers = { media: media(png) };
    expect((await get(`/media/avatars/42/${MOVING}`)).status).toBe(200);
  });

  test('that end early do not affect the others', async () => {
    let loaded: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (loaded = resolve));
    edge.peers.answers = { media: { ...media(gif), getPicture: () => loading.then(() => first(gif)) } };
    const { host, port } = edge;
    const leaving = request({ host, port, path: `/media/avatars/42/${MOVING}` }).on('error', () => undefined);
    leaving.end();
    await expect.poll(() => steps(edge).length).toBe(1);
    const staying = get(`/media/avatars/42/${MOVING}`);
    leaving.destroy();
    loaded();
    expect((await bytesOf(await staying)).equals(gif.bytes)).toBe(true);
  });
});

describe('a client that does not read', () => {
  const small = useEdge({ config: { bounds: { ...readConfig({}).bounds, max_media_bytes: 4 * PART } } });
  const picture = { content_type: 'image/png', bytes: Buffer.alloc(64 * 1024 * 1024, 'noise') };

  async function connectUnread(): Promise<IncomingMessage> {
    const { host, port } = small;
    const sent = request({ host, port, path: `/media/avatars/42/${HASH}` }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response.on('error', () => undefined);
  }

  test('keeps one part in memory and delays no other; a started picture is completed, and one client too many gets 503', async () => {
    small.peers.answers = { media: media(picture) };
    const clients = [await connectUnread(), await connectUnread(), await connectUnread()];
    const partCalls = () => steps(small).filter((step) => step === 'getPicturePart').length;
    // Waits until the sockets' buffers are full.
    let before = -1;
    await expect
      .poll(
        () => {
          const calls = partCalls();
          const isFull = calls === before;
          before = calls;
          return isFull;
        },
        { interval: 300 },
      )
      .toBe(true);
    expect(before * PART).toBeLessThan(picture.bytes.length);

    const reading = await connectUnread();
    expect(reading.statusCode).toBe(200);
    const refused = await fetch(`http://${small.host}:${small.port}/media/banners/42/${HASH}`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    let length = 0;
    for await (const bytes of reading) length += (bytes as Buffer).length;
    expect(length).toBe(picture.bytes.length);
    for (const client of clients) client.destroy();
    await expect
      .poll(async () => {
        const response = await fetch(`http://${small.host}:${small.port}/media/avatars/7/${HASH}`);
        await response.body?.cancel();
        return response.status;
      })
      .toBe(200);
  });
});
