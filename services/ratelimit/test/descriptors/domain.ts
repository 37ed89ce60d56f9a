import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@gatehouse/kit/log';
import { onTestFinished } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { Overrides } from '../../src/start.ts';
import { type Answer, type Descriptor, envoyClient } from '../envoy/envoy-client.ts';
import { type Peer, startRatelimit } from '../support.ts';
import { folderOf } from './files.ts';
import { entriesOf } from './match-text.ts';

export interface DescriptorService {
  /** One ShouldRateLimit in domain `d` with descriptors `key=value,key=value`. */
  ask(descriptors: readonly (string | Descriptor)[], hits_addend?: number): Promise<Answer>;
  /** The same in another domain. */
  askIn(domain: string, descriptors: readonly Descriptor[]): Promise<Answer>;
  /** Replaces the file, without a signal. */
  write(descriptors: string): void;
  readonly peer: Peer;
  readonly address: string;
  now_us: number;
}

/** A service with one file of domain `d`, and a clock of the test's own. Closed after the test. */
export async function serveDescriptors(
  descriptors: string,
  config: Partial<Config> = {},
  overrides: Overrides = {},
): Promise<DescriptorService> {
  const folder = folderOf({ 'd.yaml': fileOf(descriptors) });
  const clock = { now_us: 1_000_000_000_000 };
  const served = await startRatelimit(
    { descriptors: folder, ...config },
    { log: silentLogger, now_us: () => clock.now_us, ...overrides },
  );
  const client = envoyClient(served.service.address, 'd');
  onTestFinished(async () => {
    client.close();
    await served.close();
  });
  return Object.assign(clock, {
    askIn: async (domain: string, asked: readonly Descriptor[]) => {
      const other = envoyClient(served.service.address, domain);
      try {
        return await other.ask([...asked]);
      } finally {
        other.close();
      }
    },
    peer: served.peer,
    address: served.service.address,
    ask: (asked: readonly (string | Descriptor)[], hits_addend?: number) =>
      client.ask(
        asked.map((one) => (typeof one === 'string' ? { entries: entriesOf(one) } : one)),
        hits_addend,
      ),
    write: (text: string) => writeFileSync(join(folder, 'd.yaml'), fileOf(text)),
  });
}

export function fileOf(descriptors: string): string {
  return `domain: d\ndescriptors:\n${descriptors}`;
}

export const limit = (requests_per_unit: number, unit = 'minute', more = ''): string =>
  `rate_limit: {unit: ${unit}, requests_per_unit: ${requests_per_unit}${more}}`;

export const descriptorWith = (descriptor: string, more: Omit<Descriptor, 'entries'>): Descriptor => ({
  entries: entriesOf(descriptor),
  ...more,
});

export const codesOf = ({ statuses }: Answer): string[] => statuses.map(({ code }) => code);
export const remainingOf = ({ statuses }: Answer): number[] =>
  statuses.map(({ limit_remaining }) => limit_remaining);
export const headersOf = ({ response_headers_to_add }: Answer): Record<string, string> =>
  Object.fromEntries(response_headers_to_add.map(({ key, value }) => [key, value]));
