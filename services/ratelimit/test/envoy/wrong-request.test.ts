import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/start.ts';
import {
  type Descriptor,
  descriptor,
  type EnvoyClient,
  envoyClient,
  global,
  hits,
  refund,
  webhook,
} from './envoy-client.ts';

const CONFIG = readConfig({ LISTEN: '127.0.0.1:0', LOG_LEVEL: 'silent' });

let service: Running;
let envoy: EnvoyClient;

beforeAll(async () => {
  service = await start(CONFIG, { log: silentLogger });
  envoy = envoyClient(service.address);
});

afterAll(async () => {
  envoy.close();
  await service.close();
});

describe('an invalid request', () => {
  const WRONG: [
    what: string,
    at: number | undefined,
    text: string,
    descriptors: Descriptor[],
    hits?: number,
  ][] = [
    ['no descriptor', undefined, 'at least one', []],
    ['17 descriptors', undefined, 'at most 16', Array.from({ length: 17 }, (_, i) => webhook(String(i)))],
    ['an unknown bucket', 1, 'no such bucket', [webhook('1'), descriptor('no:such', [['webhook', 'w']])]],
    [
      'a bucket of the service’s own',
      0,
      'no such bucket',
      [
        descriptor('slowmode', [
          ['account', 'a'],
          ['channel', 'c'],
        ]),
      ],
    ],
    ['no entry', 0, 'first entry', [{ entries: [] }]],
    [
      'another first entry',
      0,
      'first entry',
      [
        {
          entries: [
            { key: 'webhook', value: 'w' },
            { key: 'bucket', value: 'webhook:execute' },
          ],
        },
      ],
    ],
    [
      'too few identities',
      1,
      'account, channel',
      [webhook('1'), descriptor('channel:read', [['account', 'a']])],
    ],
    [
      'too many identities',
      0,
      'webhook',
      [
        descriptor('webhook:execute', [
          ['webhook', 'w'],
          ['ip', 'i'],
        ]),
      ],
    ],
    ['another kind', 0, 'webhook', [descriptor('webhook:execute', [['ip', 'i']])]],
    [
      'kinds and "identity" mixed',
      0,
      'account, channel',
      [
        descriptor('channel:read', [
          ['account', 'a'],
          ['identity', 'c'],
        ]),
      ],
    ],
    ['a bucket charged and refunded', 1, 'not both', [webhook('1'), webhook('1', refund(1))]],
    [
      'a limit of its own',
      0,
      'service’s own',
      [{ ...webhook('1'), limit: { requests_per_unit: 1000, unit: 'SECOND' } }],
    ],
  ];

  test.each(WRONG)('%s is INVALID_ARGUMENT, with its path', async (_, at, text, descriptors, requestHits) => {
    const error = await errorOf(envoy.ask(descriptors, requestHits));
    expect(error.code).toBe(status.INVALID_ARGUMENT);
    expect(error.details).toContain(text);
    if (at !== undefined) expect(error.details).toMatch(new RegExp(`^descriptors\\.${at}: `));
  });

  test('charges nothing', async () => {
    await errorOf(
      envoy.ask([global('client:1'), webhook('1'), webhook('2', hits(61)), descriptor('no:such', [])]),
    );
    const peeks = [global('client:1'), webhook('1')].map((peeked) => ({ ...peeked, ...hits(0) }));
    const { statuses } = await envoy.ask(peeks);
    expect(statuses.map(({ limit_remaining }) => limit_remaining)).toEqual([50, 60]);
  });

  test('repeats no identity', async () => {
    const planted = 'planted-identity';
    const error = await errorOf(envoy.ask([descriptor('webhook:execute', [['ip', planted]])]));
    expect(error.message).not.toContain(planted);
  });
});

async function errorOf(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('the call was answered');
}
