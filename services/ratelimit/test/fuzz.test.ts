import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { fuzz, mutated } from '@gatehouse/dev-env/fuzz';
import { RateLimitServiceDefinition } from '@gatehouse/proto/envoy/ratelimit';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { Client, credentials, type ServiceError, status as Status } from '@grpc/grpc-js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectHttp2, framed, rawCheckStream } from './hostile-streams/raw-check-stream.ts';
import { BUILT_IN_RULES, denialOf, type Served, startRatelimit } from './support.ts';

/** One row of each kind, beside the built-in ones. */
const ROWS = {
  'fuzz:fixed': { limit: 3, window_seconds: 1, key: ['account'], kind: 'fixed_window' },
  'fuzz:lease': { limit: 3, window_seconds: 1, key: ['account'], kind: 'concurrency' },
};
const WORDS = [
  ...Object.keys(ROWS),
  'webhook:execute',
  'webhook',
  'bucket',
  'global',
  'user:read',
  'account',
  'account:1',
  'gatehouse',
  'generic_key',
  '__proto__',
  '{}|',
  '\u0000',
];

const METHODS = [RatelimitServiceDefinition, RateLimitServiceDefinition].flatMap(({ fullName, methods }) =>
  Object.values(methods)
    .filter(({ requestStream }) => !requestStream)
    .map(({ name }) => `/${fullName}/${name}`),
);

interface Field {
  readonly number: number;
  readonly value: number | bigint | string | Uint8Array | readonly Field[];
  readonly wire: 'varint' | 'fixed32' | 'fixed64' | 'length';
}

/** Messages without a schema: any fields, nested as requests are. */
const { message } = fc.letrec<{ message: readonly Field[]; field: Field }>((tie) => ({
  message: fc.array(tie('field'), { maxLength: 5 }),
  field: fc.oneof(
    { maxDepth: 5 },
    fc.record({
      number: fc.integer({ min: 1, max: 6 }),
      wire: fc.constantFrom('varint', 'fixed32', 'fixed64'),
      value: fc.oneof(
        fc.constantFrom(0, 1, 2, 2 ** 31, 2 ** 32 - 1),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      ),
    }),
    fc.record({
      number: fc.integer({ min: 1, max: 6 }),
      wire: fc.constant('length'),
      value: fc.oneof(
        fc.constantFrom(...WORDS),
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.uint8Array({ maxLength: 20 }),
        fc.constant('x'.repeat(600)),
      ),
    }),
    fc.record({ number: fc.integer({ min: 1, max: 4 }), wire: fc.constant('length'), value: tie('message') }),
  ) as fc.Arbitrary<Field>,
}));

function write(fields: readonly Field[], writer = new BinaryWriter()): BinaryWriter {
  for (const { number, wire, value } of fields) {
    if (wire === 'varint') writer.tag(number, 0).uint64(BigInt(value as number));
    else if (wire === 'fixed64') writer.tag(number, 1).fixed64(BigInt(value as number));
    else if (wire === 'fixed32')
      writer.tag(number, 5).fixed32(Number(BigInt.asUintN(32, BigInt(value as number))));
    else if (typeof value === 'string') writer.tag(number, 2).string(value);
    else if (value instanceof Uint8Array) writer.tag(number, 2).bytes(value);
    else write(value as readonly Field[], writer.tag(number, 2).fork()).join();
  }
  return writer;
}

const bytes = message.map((fields) => write(fields).finish());

/** Requests that get further: one charge, with a mistake here and there. */
const word = fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'binary', maxLength: 5 }));
const charges = fc
  .record({
    bucket: word,
    identities: fc.array(word, { maxLength: 3 }),
    cost: fc.option(fc.constantFrom(0, 1, 3, 4, 2 ** 32 - 1)),
    lease_id: fc.option(fc.oneof(word, fc.constant('x'.repeat(65)))),
  })
  .map(({ bucket, identities, cost, lease_id }) => {
    const charge = new BinaryWriter().tag(1, 2).string(bucket);
    for (const identity of identities) charge.tag(2, 2).string(identity);
    if (cost !== null) charge.tag(3, 0).uint32(cost);
    if (lease_id !== null) charge.tag(4, 2).string(lease_id);
    return charge.finish();
  });
/** A list of charges is a PeekRequest, a set; a list of sets a CheckRequest; and so on. */
const nested = fc
  .tuple(fc.array(charges, { maxLength: 4 }), fc.integer({ min: 1, max: 3 }))
  .map(([list, depth]) => {
    let request = list
      .reduce((writer, charge) => writer.tag(1, 2).bytes(charge), new BinaryWriter())
      .finish();
    for (let level = 1; level < depth; level++)
      request = new BinaryWriter().tag(1, 2).bytes(request).finish();
    return request;
  });

let folder: string;
let served: Served;
let client: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-fuzz-'));
  const rules_file = join(folder, 'rules.json');
  await writeFile(
    rules_file,
    JSON.stringify({ ...JSON.parse(await readFile(BUILT_IN_RULES, 'utf8')), ...ROWS }),
  );
  served = await startRatelimit({ rules_file });
  client = new Client(served.service.address, credentials.createInsecure());
});
afterAll(async () => {
  client?.close();
  await served?.close();
  await rm(folder, { recursive: true });
});

function statusOf(path: string, request: Uint8Array): Promise<number> {
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      path,
      (sent: Uint8Array) => Buffer.from(sent),
      (received) => received,
      request,
      { deadline: Date.now() + 10_000 },
      (error: ServiceError | null) => resolve(error?.code ?? Status.OK),
    );
  });
}

const BROKEN: (number | undefined)[] = [
  undefined,
  Status.UNKNOWN,
  Status.INTERNAL,
  Status.DATA_LOSS,
  Status.DEADLINE_EXCEEDED,
  Status.UNAVAILABLE,
];

test('no request of any RPC is an internal error, and the service still decides', async () => {
  const seen = new Set<number>();
  await fuzz(
    'requests of ratelimit',
    1500,
    fc.asyncProperty(
      fc.constantFrom(...METHODS),
      fc.oneof(bytes, nested, mutated(nested)),
      async (path, request) => {
        const status = await statusOf(path, request);
        seen.add(status);
        expect(BROKEN, path).not.toContain(status);
      },
    ),
  );
  expect(seen).toContain(Status.OK);
  expect(seen).toContain(Status.INVALID_ARGUMENT);
  expect(await denialOf(served.peer, [['webhook:list_guild', ['guild:1']]])).toBeNull();
});

test('no messages of a CheckStream are an internal error', async () => {
  const session = await connectHttp2(served.service.address);
  await fuzz(
    'messages of a CheckStream',
    500,
    fc.asyncProperty(
      fc.array(fc.oneof(bytes, nested, mutated(nested)), { maxLength: 5 }),
      async (messages) => {
        const stream = rawCheckStream(session);
        for (const each of messages) stream.bytes(framed(each));
        stream.end();
        expect(BROKEN).not.toContain(await stream.status);
        for (const { error } of stream.responses)
          expect([undefined, Status.INVALID_ARGUMENT, Status.DEADLINE_EXCEEDED]).toContain(error?.code);
      },
    ),
  );
  session.destroy();
});
