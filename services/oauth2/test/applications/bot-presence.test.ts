import { faultOf } from '@gatehouse/dev-env/faults';
import { silentLogger } from '@gatehouse/kit/log';
import { implement, serve } from '@gatehouse/kit/rpc';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';

const presences = new Map<string, boolean>();
let realtime: Awaited<ReturnType<typeof serve>>;
let service: Oauth2UnderTest;
beforeAll(async () => {
  const unused = () => Promise.reject(new Error('oauth2 does not call it'));
  const handlers = {
    releaseSession: unused,
    prepareSessions: unused,
    acceptSessions: unused,
    getConnections: unused,
    getPresence: ({ account_id }: { account_id: string }) => ({ online: presences.get(account_id) }),
  };
  realtime = await serve({
    address: '127.0.0.1:0',
    implementations: [implement(RealtimeServiceDefinition, handlers)],
    log: silentLogger,
  });
  service = await startOauth2('oauth2_presence', { realtime_address: realtime.address });
});
afterAll(async () => {
  await service.close();
  await realtime.close();
});

test('the owner learns whether the bot is online, and that it is unknown without realtime', async () => {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  if (application == null) throw new Error('no application was created');
  const { id: application_id } = application;
  const statusFor = async (who = caller) =>
    (await service.oauth2.getBotPresence({ application_id }, { ...IN_TIME, caller: who })).status;
  expect(await statusFor()).toBe('unknown');
  presences.set(application_id, true);
  expect(await statusFor()).toBe('online');
  presences.set(application_id, false);
  expect(await statusFor()).toBe('offline');
  const stranger = await newPerson(service.auth);
  expect(await faultOf(statusFor(stranger))).toMatchObject({ reason: 'FORBIDDEN' });
  await realtime.close();
  expect(await statusFor()).toBe('unknown');
});
