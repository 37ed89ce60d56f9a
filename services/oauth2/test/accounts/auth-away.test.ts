import { faultOf } from '@gatehouse/dev-env/faults';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { expect, test } from 'vitest';
import { startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';
import { rowCounts } from '../rows.ts';

test('while auth is unavailable no application is created, not even partially; afterwards it is', async () => {
  const service = await startOauth2('oauth2_auth_away');
  try {
    const { oauth2 } = service;
    const owner = { ...IN_TIME, caller: await newPerson(service.auth) };
    const newcomer = { ...IN_TIME, caller: await newPerson(service.auth) };
    const { application } = await oauth2.createApplication(settings({ name: 'Before' }), owner);

    await service.killAuth();
    const attempts = Array.from({ length: 5 }, () => faultOf(oauth2.createApplication(settings(), owner)));
    for (const fault of await Promise.all(attempts)) {
      expect(fault).toMatchObject({ reason: 'SERVICE_UNAVAILABLE', violations: [], members: {} });
    }
    expect(await rowCounts(service.db)).toEqual({ applications: 1, reservations: 0 });
    expect(await faultOf(oauth2.listApplications({}, owner))).toMatchObject({
      reason: 'SERVICE_UNAVAILABLE',
    });
    expect(await oauth2.listApplications({}, newcomer)).toEqual({ applications: [] });
    const kind = CallerKind.CALLER_KIND_ACCESS_TOKEN;
    const token = { ...IN_TIME, caller: { ...owner.caller, kind, scopes: ['identify'] } };
    expect(await faultOf(oauth2.getUserInfo({}, token))).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });

    await service.reviveAuth();
    const again = () => oauth2.createApplication(settings({ name: 'After' }), owner);
    await expect.poll(again).toMatchObject({ application: { name: 'After' } });
    const { applications } = await oauth2.listApplications({}, owner);
    expect(applications.map(({ name }) => name)).toEqual(['Before', 'After']);
    expect(applications[0]?.bot?.id).toBe(application?.id);
    expect((await rowCounts(service.db)).reservations).toBe(0);
  } finally {
    await service.close();
  }
});
