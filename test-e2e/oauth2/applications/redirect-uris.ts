import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { bodyOf } from '../../support/expect-status.ts';
import { newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { newApplication, type OwnApplication } from '../calls.ts';

export function redirectUris(stack: TestStack): void {
  let owner: Person;
  let application: OwnApplication;
  beforeAll(async () => {
    owner = await newcomer(stack.api);
    application = await newApplication(owner, { redirect_uris: ['https://client.test/kept'] });
  });

  const patch = (redirect_uris: unknown) =>
    owner.api.send('PATCH', `/oauth2/applications/${application.id}`, { body: { redirect_uris } });
  const stored = async () =>
    bodyOf<OwnApplication>(await owner.api.get(`/oauth2/applications/${application.id}`)).redirect_uris;

  describe('a redirect URI', () => {
    it('that is allowed is stored exactly as sent', async () => {
      const uris = [
        'HTTPS://CLIENT.test:443/x/../%63b?next=https://other.test/@me',
        'http://[::1]/cb',
        'http://LOCALHOST:3000/cb?',
      ];
      expect(bodyOf<OwnApplication>(await patch(uris)).redirect_uris).toEqual(uris);
      expect(await stored()).toEqual(uris);
      await patch(['https://client.test/kept']);
    });

    it('that is not allowed is refused on creation and change, without effect', async () => {
      for (const uri of [
        'http://client.test/cb',
        'https://user@client.test/cb',
        'https://client.test/cb#x',
      ]) {
        const good = 'https://client.test/good';
        const created = { name: 'x', redirect_uris: [good, uri] };
        for (const reply of [
          await patch([good, uri]),
          await owner.api.post('/oauth2/applications', created),
        ]) {
          expect([uri.slice(0, 60), reply.status], reply.text).toEqual([uri.slice(0, 60), 400]);
          const { errors = [] } = expectError(reply, 400, 'INVALID_FORM_BODY');
          expect(errors.map(({ path }) => path)).toEqual(['redirect_uris.1']);
        }
        expect(await stored()).toEqual(['https://client.test/kept']);
      }
      for (const wrong of ['https://client.test/cb', {}, 5, [5], [null], [['https://client.test/']]])
        expectError(await patch(wrong), 400, 'INVALID_FORM_BODY');
      expect(await stored()).toEqual(['https://client.test/kept']);
    });
  });
}
