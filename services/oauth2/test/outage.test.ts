import { faultOf } from '@gatehouse/dev-env/faults';
import { startTcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import { expect, test } from 'vitest';
import { startOauth2 } from './oauth2.ts';
import { IN_TIME, newPerson, settings } from './requests.ts';

test('while the database is unavailable every RPC is 503; afterwards all works again', async () => {
  const proxy = await startTcpProxy();
  const service = await startOauth2('oauth2_outage', { through: proxy.through });
  const { oauth2 } = service;
  try {
    const owner = { ...IN_TIME, caller: await newPerson(service.auth) };
    const { application } = await oauth2.createApplication(settings(), owner);
    const application_id = application?.id ?? '';
    const before = await oauth2.getApplication({ application_id }, owner);

    proxy.cut();
    const calls = [
      oauth2.getApplication({ application_id }, owner),
      oauth2.listApplications({}, owner),
      oauth2.createApplication(settings(), owner),
    ];
    const reasons = await Promise.all(calls.map(async (call) => (await faultOf(call)).reason));
    expect(reasons).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));

    proxy.restore();
    const get = () => oauth2.getApplication({ application_id }, owner);
    await expect.poll(get).toEqual(before);
    expect((await oauth2.listApplications({}, owner)).applications).toHaveLength(1);
  } finally {
    proxy.restore();
    await service.close();
    proxy.close();
  }
});
