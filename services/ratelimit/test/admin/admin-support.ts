import { connect } from '@gatehouse/kit/rpc';
import { type Override, RatelimitAdminServiceDefinition } from '@gatehouse/proto/ratelimit-admin';
import { LONG_TIMEOUT, type Served } from '../support.ts';

const HOUR_MS = 3_600_000;

type OverrideOptions = Partial<Omit<Override, 'identity'>>;

/** An operator's calls to one replica. */
export interface Admin {
  /** Sets an override for an hour. Returns the one that it replaces. */
  set(identity: string, options: OverrideOptions): Promise<Override | undefined>;
  /** Returns the override that ended. */
  remove(identity: string, bucket?: string): Promise<Override | undefined>;
  list(
    after?: string,
    limit?: number,
  ): Promise<{ overrides: readonly Override[]; next?: string | null | undefined }>;
  lookUp(identity: string): ReturnType<Client['lookUpIdentity']>;
  /** Returns the buckets that were not empty, with their other identities. */
  reset(identity: string, bucket?: string): Promise<string[]>;
  denied(limit?: number): Promise<Awaited<ReturnType<Client['listDenied']>>['identities']>;
  close(): void;
}

type Client = ReturnType<typeof connectAdmin>['client'];

export function adminOf({ service }: Served): Admin {
  const { client, close } = connectAdmin(service.address);
  return {
    set: async (identity, options) =>
      (await client.setOverride({ override: override(identity, options) }, LONG_TIMEOUT)).before ?? undefined,
    remove: async (identity, bucket) =>
      (await client.removeOverride({ identity, bucket }, LONG_TIMEOUT)).before ?? undefined,
    list: (after, limit) => client.listOverrides({ after, limit }, LONG_TIMEOUT),
    lookUp: (identity) => client.lookUpIdentity({ identity }, LONG_TIMEOUT),
    reset: async (identity, bucket) => {
      const { before } = await client.resetIdentity({ identity, bucket }, LONG_TIMEOUT);
      return before.map(({ state, identities }) => [state?.bucket, ...identities].join(' '));
    },
    denied: async (limit) => (await client.listDenied({ limit }, LONG_TIMEOUT)).identities,
    close,
  };
}

function connectAdmin(address: string) {
  const connection = connect(RatelimitAdminServiceDefinition, { address });
  return { client: connection.client, close: () => connection.close() };
}

function override(identity: string, options: OverrideOptions): Override {
  return {
    identity,
    exempt: false,
    expires_at_ms: Date.now() + HOUR_MS,
    operator: 'ada',
    reason: 'a test',
    ...options,
  };
}
