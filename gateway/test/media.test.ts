import { request } from 'node:http';
import { unavailable } from '@gatehouse/kit/fault';
import { type GetPictureRequest, PictureKind } from '@gatehouse/proto/auth';
import { describe, expect, test } from 'vitest';
import { notFound } from '../src/http-error.ts';
import { steps, useEdge } from './support/edge.ts';
import { SESSION } from './support/peers.ts';

const edge = useEdge();

const HASH = 'f0e1d2c3b4a5968778695a4b3c2d1e0f';
const MOVING = `a_${HASH}`;
const png = {
  content_type: 'image/png',
  bytes: Buffer.from('\x89PNG\r\n\x1a\nnot text: \xff\xfe', 'latin1'),
};
const gif = { content_type: 'image/gif', bytes: Buffer.alloc(3 * 1024 * 1024, 'frames') };
const missing = () => {
  throw notFound();
};

const get = (path: string, init: RequestInit = {}) => fetch(`http://${edge.host}:${edge.port}${path}`, init);
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a picture', () => {
  test.each([
    ['avatars', PictureKind.PICTURE_KIND_AVATAR],
    ['banners', PictureKind.PICTURE_KIND_BANNER],
  ])('of an account is served under /media/%s, for ever', async (name, kind) => {
    const asked: GetPictureRequest[] = [];
    edge.peers.answers = {
      auth: {
        getPicture: (picture) => {
          asked.push(picture);
          return png;
        },
      },
    };
    const response = await get(`/media/${name}/42/${HASH}`);
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
    expect(asked).toEqual([{ kind, account_id: '42', hash: HASH }]);
  });

  test('of a webhook is an avatar, asked for when no account has it', async () => {
    edge.peers.answers = { auth: { getPicture: missing }, webhook_delivery: { getAvatar: () => gif } };
    const response = await get(`/media/avatars/42/${MOVING}`);
    expect(response.headers.get('content-type')).toBe('image/gif');
    expect((await bytesOf(response)).equals(gif.bytes)).toBe(true);
    expect(steps(edge)).toEqual(['getPicture', 'getAvatar']);
    expect(edge.peers.asked.at(-1)?.request).toEqual({ hash: MOVING });

    expect((await get(`/media/banners/42/${MOVING}`)).status).toBe(404);
  });

  test('answers HEAD with the headers alone', async () => {
    edge.peers.answers = { auth: { getPicture: () => png } };
    const response = await get(`/media/avatars/42/${HASH}`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-length')).toBe(String(png.bytes.length));
    expect(await bytesOf(response)).toHaveLength(0);
  });

  test('is asked for by nobody in particular: no credential is looked up, and nothing counts', async () => {
    edge.peers.answers = { auth: { getPicture: () => png } };
    for (const authorization of [`Bearer ${SESSION}`, 'Bearer gth_x', 'nonsense and more']) {
      const response = await get(`/media/avatars/42/${HASH}`, { headers: { authorization } });
      expect(response.status).toBe(200);
    }
    expect(steps(edge)).toEqual(['getPicture', 'getPicture', 'getPicture']);
  });

  test('is a line of the access log, by its pattern', async () => {
    edge.peers.answers = { auth: { getPicture: () => png } };
    await (await get(`/media/avatars/42/${HASH}`)).arrayBuffer();
    await expect
      .poll(() => edge.log.map((line) => JSON.parse(line)))
      .toMatchObject([{ method: 'GET', route: '/media/avatars/{id}/{hash}', status: 200 }]);
  });
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
    [`/media/icons/42/${HASH}`],
    ['/media/avatars/42'],
    ['/media'],
  ])('under %s, and nobody is asked', async (path) => {
    const answer = await edge.send(`GET /${path}`);
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ error: '404 Not Found', code: 'NOT_FOUND' });
    expect(steps(edge)).toEqual([]);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('for %s', async (method) => {
    expect((await edge.send(`${method} //media/avatars/42/${HASH}`)).status).toBe(404);
  });

  test('where nobody has it, and that is for no cache', async () => {
    edge.peers.answers = { auth: { getPicture: missing }, webhook_delivery: { getAvatar: missing } };
    for (const name of ['avatars', 'banners']) {
      const answer = await edge.send(`GET //media/${name}/42/${HASH}`);
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('while its owner is away, which is an outage and not its end', async () => {
    edge.peers.answers = {
      auth: {
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

describe('callers of the same moment', () => {
  test('share one picture; later ones see what is there by then', async () => {
    let loaded: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (loaded = resolve));
    edge.peers.answers = { auth: { getPicture: () => loading.then(() => gif) } };
    const callers = Array.from({ length: 32 }, () => get(`/media/avatars/42/${MOVING}`));
    await expect.poll(() => steps(edge).length).toBe(1);
    loaded();
    for (const response of await Promise.all(callers)) {
      expect((await bytesOf(response)).equals(gif.bytes)).toBe(true);
    }
    expect(steps(edge)).toEqual(['getPicture']);

    edge.peers.answers = { auth: { getPicture: missing }, webhook_delivery: { getAvatar: missing } };
    await expect.poll(async () => (await get(`/media/avatars/42/${MOVING}`)).status).toBe(404);
    edge.peers.answers = { auth: { getPicture: () => png } };
    expect((await get(`/media/avatars/42/${MOVING}`)).status).toBe(200);
  });

  test('who leave before it comes leave it to the others', async () => {
    let loaded: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (loaded = resolve));
    edge.peers.answers = { auth: { getPicture: () => loading.then(() => gif) } };
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
