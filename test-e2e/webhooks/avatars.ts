import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { expectOk } from '../support/expect-status.ts';
import type { Webhook } from '../support/objects.ts';
import { png } from '../support/png.ts';
import type { TestStack } from '../support/stack.ts';
import { openWebhook, patchWebhook, postWebhook } from './calls.ts';

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

/** Pictures with their actual type and the form of their hash. */
const PICTURES: [string, string, string, RegExp][] = [
  ['PNG', PNG, 'image/png', STILL],
  ['JPEG', JPEG, 'image/jpeg', STILL],
  ['GIF of one frame', GIF, 'image/gif', STILL],
  ['GIF of two frames', GIF_OF_TWO, 'image/gif', ANIMATED],
  ['WebP', WEBP, 'image/webp', STILL],
  ['WebP of two frames', WEBP_OF_TWO, 'image/webp', ANIMATED],
];

export function avatars(stack: TestStack): void {
  describe('a webhook’s avatar', () => {
    it('may be PNG, JPEG, GIF or WebP under any declared type, and is served with its actual type', async () => {
      const { owner, webhook } = await openWebhook(stack);
      for (const [what, data, type, form] of PICTURES) {
        for (const start of ['', 'data:image/svg+xml;base64,']) {
          const { id, avatar } = await expectOk<Webhook>(
            patchWebhook(owner.api, webhook.id, { avatar: start + data }),
          );
          expect(avatar, what).toMatch(form);
          const served = await fetch(`${stack.url}/media/avatars/${id}/${avatar}`);
          expect([served.status, served.headers.get('content-type')]).toEqual([200, type]);
          expect(served.headers.get('x-content-type-options')).toBe('nosniff');
          const bytes = Buffer.from(await served.arrayBuffer());
          expect(bytes.subarray(0, 2)).toEqual(Buffer.from(data, 'base64').subarray(0, 2));
        }
      }
    });

    it('is refused if it is not a picture, on every route that sets it', async () => {
      const { owner, channel, webhook, path } = await openWebhook(stack);
      const avatar = png(0, 1).toString('base64'); // a PNG of no pixels
      const entries = { avatar: 'INVALID_FORMAT' };
      expectError(
        await postWebhook(owner.api, channel.id, { name: 'x', avatar }),
        400,
        'BAD_REQUEST',
        entries,
      );
      expectError(await patchWebhook(owner.api, webhook.id, { avatar }), 400, 'BAD_REQUEST', entries);
      expectError(await stack.api.send('PATCH', path, { body: { avatar } }), 400, 'BAD_REQUEST', entries);
    });
  });

  describe('the URL of an avatar', () => {
    it('is 404 for another hash', async () => {
      const { webhook } = await openWebhook(stack, { name: 'x', avatar: PNG });
      const status = async (path: string) => (await fetch(`${stack.url}/media/avatars/${path}`)).status;
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
