import { describe, expect, it } from 'vitest';
import { ok } from '../chat/guild-fixture.ts';
import { expectError } from '../support/expect-error.ts';
import type { Webhook } from '../support/objects.ts';
import { oblong, png } from '../support/png.ts';
import type { TestSuite } from '../support/suite.ts';
import { create, openHook, patch } from './calls.ts';

const STILL = /^[0-9a-f]{32}$/;
const ANIMATED = /^a_[0-9a-f]{32}$/;

const JPEG =
  '/9j/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wAARCAACAAIDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAA//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJ4BBv/Z';
const WEBP = 'UklGRi4AAABXRUJQVlA4ICIAAABwAQCdASoCAAIABUB8JYgCdAFAAAD+7gpdaTSLxzeDiMAA';
const GIF = 'R0lGODlhAgACAIAAAExpcRI0ViH5BAUAAAAALAAAAAACAAIAAAICjFMAOw==';
const GIF_OF_TWO =
  'R0lGODlhAgACAIAAAExpcf8AACH/C05FVFNDQVBFMi4wAwEAAAAh+QQFCgAAACwAAAAAAgACAAACAoxTACH5BAUKAAAALAAAAAACAAIAgExpcQD/AAICjFMAOw==';
const WEBP_OF_TWO =
  'UklGRoQAAABXRUJQVlA4WAoAAAACAAAAAQAAAQAAQU5JTQYAAAD/////AABBTk1GKAAAAAAAAAAAAAEAAAEAAGQAAAJWUDhMDwAAAC8BQAAABxD9j/4HIqL/AQBBTk1GKAAAAAAAAAAAAAEAAAEAAGQAAABWUDhMDwAAAC8BQAAAB9D/iP4HIqL/AQA=';
const PNG = png(2, 77).toString('base64');

/** A picture, its type whatever it is declared to be, and what its hash looks like. */
const PICTURES: [string, string, string, RegExp][] = [
  ['PNG', PNG, 'image/png', STILL],
  ['JPEG', JPEG, 'image/jpeg', STILL],
  ['GIF of one frame', GIF, 'image/gif', STILL],
  ['GIF of two frames', GIF_OF_TWO, 'image/gif', ANIMATED],
  ['WebP', WEBP, 'image/webp', STILL],
  ['WebP of two frames', WEBP_OF_TWO, 'image/webp', ANIMATED],
];

export function avatars(suite: TestSuite): void {
  describe('a webhook’s avatar', () => {
    it.each(PICTURES)(
      'may be a %s, declared as it is, as something else, or not at all',
      async (_, data, type, form) => {
        const { owner, channel } = await openHook(suite);
        const hashes: (string | null)[] = [];
        for (const start of ['', `data:${type};base64,`, 'data:image/svg+xml;base64,']) {
          const { id, avatar } = await ok<Webhook>(
            create(owner.api, channel.id, { name: 'x', avatar: start + data }),
          );
          expect(avatar).toMatch(form);
          hashes.push(avatar);
          const served = await fetch(`${suite.url}/media/avatars/${id}/${avatar}`);
          expect([served.status, served.headers.get('content-type')]).toEqual([200, type]);
          expect(served.headers.get('x-content-type-options')).toBe('nosniff');
          const [bytes, head] = [
            Buffer.from(await served.arrayBuffer()),
            Buffer.from(data, 'base64').subarray(0, 2),
          ];
          expect(bytes.subarray(0, 2)).toEqual(head);
        }
        expect(new Set(hashes).size, 'one picture, one hash').toBe(1);
      },
    );

    it('is replaced, kept and removed', async () => {
      const { owner, webhook } = await openHook(suite, { name: 'x', avatar: PNG });
      const set = async (body: object) => (await ok<Webhook>(patch(owner.api, webhook.id, body))).avatar;
      expect(webhook.avatar).toMatch(STILL);
      expect(await set({ name: 'y' })).toBe(webhook.avatar);
      expect(await set({ avatar: GIF_OF_TWO })).toMatch(ANIMATED);
      expect(await set({ avatar: PNG })).toBe(webhook.avatar);
      expect(await set({ avatar: null })).toBeNull();
      expect(await set({})).toBeNull();
    });

    it('is within 8192 pixels a side, as its canvas says', async () => {
      const { owner, webhook } = await openHook(suite);
      const set = (bytes: Buffer) => patch(owner.api, webhook.id, { avatar: bytes.toString('base64') });
      for (const bytes of [
        oblong(8193, 1, 5),
        oblong(1, 8193, 5),
        gif(8193, 2),
        gif(2, 8193),
        gif(65535, 65535),
      ])
        expectError(await set(bytes), 400, 'BAD_REQUEST', { avatar: 'INVALID_FORMAT' });
      for (const bytes of [oblong(8192, 1, 5), oblong(1, 8192, 5), gif(8192, 2), gif(2, 8192)])
        expect((await ok<Webhook>(set(bytes))).avatar).toMatch(STILL);
    });

    it.each<[string, string]>([
      ['nothing', ''],
      ['no base64', '!!!!'],
      ['URL-safe base64', Buffer.from(JPEG, 'base64').toString('base64url')],
      ['base64 with a line break', `${PNG.slice(0, 40)}\n${PNG.slice(40)}`],
      ['base64 with a blank at its end', `${PNG} `],
      ['base64 without its padding', GIF.replace(/=+$/, '')],
      ['base64 with too much padding', `${PNG}====`],
      ['a data URL without base64', `data:image/png,${PNG}`],
      ['a data URL of nothing', 'data:image/png;base64,'],
      ['a link', 'https://a.example/x.png'],
      ['a text', Buffer.from('hello').toString('base64')],
      [
        'an SVG',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>').toString('base64'),
      ],
      ['a BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]).toString('base64')],
      ['a PNG’s head alone', Buffer.from(PNG, 'base64').subarray(0, 33).toString('base64')],
      ['a JPEG’s head alone', Buffer.from(JPEG, 'base64').subarray(0, 60).toString('base64')],
      ['a GIF’s head alone', Buffer.from(GIF, 'base64').subarray(0, 13).toString('base64')],
      ['a WebP’s head alone', Buffer.from(WEBP, 'base64').subarray(0, 20).toString('base64')],
      ['a PNG of no pixels', png(0, 1).toString('base64')],
    ])('is not %s', async (_, avatar) => {
      const { owner, channel, webhook, path } = await openHook(suite);
      const entries = { avatar: 'INVALID_FORMAT' };
      expectError(await create(owner.api, channel.id, { name: 'x', avatar }), 400, 'BAD_REQUEST', entries);
      expectError(await patch(owner.api, webhook.id, { avatar }), 400, 'BAD_REQUEST', entries);
      expectError(await suite.api.send('PATCH', path, { body: { avatar } }), 400, 'BAD_REQUEST', entries);
    });
  });

  describe('a body that may hold an avatar', () => {
    it('has 14.5 MiB and not a byte more', async () => {
      const { owner, channel, webhook, path } = await openHook(suite);
      const send = (extra: number) => {
        const body = '{"name":"x"}'.padEnd(14.5 * 1024 * 1024 + extra);
        return [
          () => create(owner.api, channel.id, body),
          () => patch(owner.api, webhook.id, body),
          () => suite.api.send('PATCH', path, { body }),
        ];
      };
      for (const way of send(0)) expect((await way()).status).toBe(200);
      for (const way of send(1)) expectError(await way(), 413, 'PAYLOAD_TOO_LARGE');
    });
  });

  describe('the address of an avatar', () => {
    it('serves no other hash and no other owner', async () => {
      const { webhook } = await openHook(suite, { name: 'x', avatar: PNG });
      const status = async (path: string) => (await fetch(`${suite.url}/media/avatars/${path}`)).status;
      expect(await status(`${webhook.id}/${webhook.avatar}`)).toBe(200);
      for (const path of [
        `${webhook.id}/${'0'.repeat(32)}`,
        `${webhook.id}/a_${webhook.avatar}`,
        `${webhook.id}/${webhook.avatar?.toUpperCase().replace(/^/, 'X')}`,
        `${webhook.id}/..%2f..%2fetc%2fpasswd`,
      ])
        expect([path, await status(path)]).toEqual([path, 404]);
    });
  });
}

/** A GIF of a canvas of that size, of which its one frame fills four pixels. */
function gif(width: number, height: number): Buffer {
  const bytes = Buffer.from(GIF, 'base64');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}
