import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { Application, CreateApplicationRequest } from '@gatehouse/proto/oauth2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeMedia, serveMedia } from '../../../media/client/test/fake-media.ts';
import { onePixel, pictureHash } from '../../../media/client/test/pictures.ts';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { changes, IN_TIME, newPerson, settings } from '../requests.ts';

let media: FakeMedia;
let service: Oauth2UnderTest;
beforeAll(async () => {
  media = await serveMedia();
  service = await startOauth2('oauth2_details', { media_address: media.address });
});
afterAll(async () => {
  await service.close();
  await media.close();
});

const POLL = { timeout: 20_000 };
const GREEN = onePixel('green');
const RED = onePixel('red');
const value = (text: string) => ({ value: text });
const picture = (bytes: Buffer) => value(`data:image/png;base64,${bytes.toString('base64')}`);

interface Owned {
  readonly caller: Caller;
  readonly application: Application;
}

async function create(details: Partial<CreateApplicationRequest> = {}): Promise<Owned> {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(details), { ...IN_TIME, caller });
  if (application === null) throw new Error('no application was created');
  return { caller, application };
}

const update = async (
  { caller, application: { id } }: Owned,
  named: Parameters<typeof changes>[0],
  oauth2 = service.oauth2,
) =>
  (await oauth2.updateApplication({ application_id: id, ...changes(named) }, { ...IN_TIME, caller }))
    .application;

const get = async ({ caller, application: { id } }: Owned) =>
  (await service.oauth2.getApplication({ application_id: id }, { ...IN_TIME, caller })).application;

const DETAILS = {
  description: value('  Tells the time.  '),
  terms_url: value('https://clock.test/terms'),
  privacy_url: value('HTTPS://clock.test/privacy?lang=en'),
};
const STORED = {
  description: 'Tells the time.',
  terms_url: 'https://clock.test/terms',
  privacy_url: 'HTTPS://clock.test/privacy?lang=en',
};

describe('description and URLs', () => {
  test('are those of the creation, for the owner and for everybody', async () => {
    const owned = await create(DETAILS);
    expect(owned.application).toMatchObject({ ...STORED, icon: null });
    expect(new Date(owned.application.created_at).getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(await get(owned)).toMatchObject({ ...STORED, created_at: owned.application.created_at });
    const { id: application_id } = owned.application;
    const caller = await newPerson(service.auth);
    const shown = await service.oauth2.getPublicApplication({ application_id }, { ...IN_TIME, caller });
    expect(shown.application).toMatchObject({
      ...STORED,
      created_at: owned.application.created_at,
      owner: { id: owned.caller.account_id },
    });
  });

  test('change one by one, and null removes them', async () => {
    const owned = await create(DETAILS);
    expect(await update(owned, { description: value('Rings.') })).toMatchObject({
      ...STORED,
      description: 'Rings.',
    });
    expect(await update(owned, { terms_url: { value: null } })).toMatchObject({
      description: 'Rings.',
      terms_url: null,
      privacy_url: STORED.privacy_url,
    });
    expect(await update(owned, { description: value('  ') })).toMatchObject({ description: null });
  });

  test.each([
    ['description', 'a'.repeat(401), 'STRING_LENGTH_INVALID'],
    ['description', 'a\0b', 'INVALID_FORMAT'],
    ['terms_url', '', 'INVALID_URL_FORMAT'],
    ['terms_url', 'javascript:alert(1)', 'INVALID_URL_FORMAT'],
    ['terms_url', 'https://a b', 'INVALID_URL_FORMAT'],
    ['privacy_url', 'http://clock.test/', 'INVALID_URL_FORMAT'],
    ['privacy_url', 'https://', 'INVALID_URL_FORMAT'],
    ['privacy_url', `https://clock.test/${'a'.repeat(2048)}`, 'URL_LENGTH_INVALID'],
  ])('%s is refused: %j', async (member, text, code) => {
    const owned = await create();
    expect(await violationsOf(update(owned, { [member]: value(text) }))).toEqual([`${member} ${code}`]);
    expect(await violationsOf(create({ [member]: value(text) }))).toEqual([`${member} ${code}`]);
    expect(await get(owned)).toMatchObject({ description: null, terms_url: null, privacy_url: null });
  });

  test('a description of 400 emoji fits', async () => {
    const description = '🕰️'.repeat(200);
    expect((await create({ description: value(description) })).application.description).toBe(description);
  });
});

describe('an icon', () => {
  test('is stored at media under the ID of its application', async () => {
    const owned = await create({ icon: picture(GREEN) });
    expect(owned.application.icon).toBe(pictureHash(GREEN));
    expect(media.iconOf(owned.application.id)).toBe(pictureHash(GREEN));
    expect(await update(owned, { icon: picture(RED) })).toMatchObject({ icon: pictureHash(RED) });
    expect(media.iconOf(owned.application.id)).toBe(pictureHash(RED));
    expect(await update(owned, { name: 'Renamed' })).toMatchObject({ icon: pictureHash(RED) });
    expect(await update(owned, { icon: { value: null } })).toMatchObject({ icon: null });
    expect(media.iconOf(owned.application.id)).toBeNull();
    expect(media.uploads.size).toBe(0);
  });

  test('that is no picture is refused, and nothing changes', async () => {
    const owned = await create({ icon: picture(GREEN) });
    const attempt = update(owned, { name: 'Renamed', icon: value('bm8gcGljdHVyZQ==') });
    expect(await violationsOf(attempt)).toEqual(['icon INVALID_FORMAT']);
    expect(await get(owned)).toMatchObject({ name: 'Application', icon: pictureHash(GREEN) });
  });

  test('is not stored for a form with another violation', async () => {
    expect(await violationsOf(create({ name: ' ', icon: picture(GREEN) }))).toEqual([
      'name STRING_LENGTH_INVALID',
    ]);
    expect(media.uploads.size).toBe(0);
  });

  test('ends with its application', async () => {
    const { caller, application } = await create({ icon: picture(GREEN) });
    await service.oauth2.deleteApplication({ application_id: application.id }, { ...IN_TIME, caller });
    await expect.poll(() => media.iconOf(application.id), POLL).toBeNull();
  });

  test('is the last one of concurrent changes at two replicas', async () => {
    const owned = await create();
    const second = await service.replica();
    const pictures = Array.from({ length: 12 }, (_, index) => onePixel(`color ${index}`));
    await Promise.all(
      pictures.map((bytes, index) =>
        update(owned, { icon: picture(bytes) }, index % 2 === 0 ? service.oauth2 : second),
      ),
    );
    const icon = (await get(owned))?.icon;
    expect(pictures.map(pictureHash)).toContain(icon);
    await expect.poll(() => media.iconOf(owned.application.id), POLL).toBe(icon);
  });

  test('needs media, and everything else does not', async () => {
    const owned = await create();
    await media.stop();
    const attempt = update(owned, { name: 'Renamed', icon: picture(GREEN) });
    expect(await faultOf(attempt)).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    expect(await update(owned, { name: 'Without' })).toMatchObject({ name: 'Without', icon: null });
    await media.restart();
    // oauth2 connects again some time after the start.
    const retried = () => update(owned, { icon: picture(GREEN) }).catch(() => undefined);
    await expect.poll(async () => (await retried())?.icon, POLL).toBe(pictureHash(GREEN));
  });
});
