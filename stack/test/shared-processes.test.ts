import type { ServiceName } from '@gatehouse/proto/services';
import { serviceEnvironments } from '@gatehouse/runner/service-environments';
import { expect, it } from 'vitest';
import { groupEnvironment } from '../src/shared-processes.ts';

it('a group’s environment gives each service its own settings back, also the edge beside realtime', () => {
  const group = ['gateway', 'auth', 'realtime'] as const;
  const own: Partial<Record<ServiceName, NodeJS.ProcessEnv>> = {
    gateway: { HOST: '0.0.0.0', PORT: '9000', TRUSTED_PROXIES: '10.0.0.1' },
    auth: { HOST: '127.0.0.1', PORT: '9000', LISTEN: '127.0.0.1:9002', DATABASE_URL: 'postgres://auth' },
    realtime: { LISTEN: '127.0.0.1:9007', GATEWAY_LISTEN: '127.0.0.1:9008', TRUSTED_PROXIES: '127.0.0.1' },
  };
  const environments = serviceEnvironments(
    group,
    groupEnvironment(group, (name) => own[name] ?? {}),
  );
  for (const name of group) expect(environments.get(name)).toMatchObject(own[name] ?? {});
});
