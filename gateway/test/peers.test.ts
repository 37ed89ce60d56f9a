import { peerRules } from '@gatehouse/proto/peers';
import { expect, it } from 'vitest';
import { serverName } from '../src/connections.ts';
import { ROUTES } from '../src/routes/index.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../src/service-definitions.ts';

/** The edge's calls besides those of its routes. */
const BESIDES: Readonly<Record<ServiceName, readonly string[]>> = {
  ratelimit: ['check', 'peek', 'listBuckets'],
  auth: ['identify', 'identifyBrowserSession'],
  chat: [],
  oauth2: ['identify', 'getServerMetadata', 'reportUsage'],
  webhook_delivery: ['recordRefusals'],
  media: ['getPicture', 'getPicturePart'],
};

it.each(SERVICE_NAMES)('the edge may call exactly the RPCs of %s that it calls', (name) => {
  const { fullName, methods } = SERVICES[name];
  const rules = peerRules(serverName(name));
  const allowed = Object.entries(methods)
    .filter(([, method]) => rules.allows('gateway', `/${fullName}/${method.name}`))
    .map(([method]) => method);
  const called = ROUTES.filter(({ service }) => service === name).map(({ rpc }) => rpc);
  expect(allowed.toSorted()).toEqual([...new Set([...called, ...BESIDES[name]])].toSorted());
});
