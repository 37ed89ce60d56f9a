import {
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

export interface NamedCharge {
  readonly bucket: string;
  readonly identities: readonly string[];
  readonly cost?: number;
  readonly lease_id?: string;
}

export interface CheckAnswer {
  readonly denial?: {
    readonly bucket: string;
    readonly limit: number;
    readonly retry_after_us: string;
    readonly empty_after_us: string;
  };
  readonly degraded: boolean;
  readonly tag?: number;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface BucketState {
  readonly bucket: string;
  readonly limit: number;
  readonly remaining: number;
  readonly retry_after_us: string;
  readonly empty_after_us: string;
}

type CheckStream = ClientDuplexStream<unknown, CheckAnswer>;

/** A client of ratelimit: grpc-js and the .proto files, without a package of this repository. */
export interface PlainClient {
  /** One check on the CheckStream that all checks share. Rejects with the check's error, or the stream's. */
  check(
    sets: readonly { readonly charges: readonly NamedCharge[] }[],
    timeout_ms: number,
  ): Promise<CheckAnswer>;
  refund(charges: readonly NamedCharge[], timeout_ms: number): Promise<void>;
  peek(charges: readonly NamedCharge[], timeout_ms: number): Promise<BucketState[]>;
  /** A CheckStream of its own. */
  openStream(): CheckStream;
  close(): void;
}

const FILE = 'gatehouse/ratelimit/v1/ratelimit.proto';

export function plainClient(address: string, proto_root: string): PlainClient {
  const options = { includeDirs: [proto_root], keepCase: true, longs: String, enums: String, defaults: true };
  const loaded = loadPackageDefinition(loadSync(FILE, options)) as unknown as {
    gatehouse: { ratelimit: { v1: { RatelimitService: ServiceClientConstructor } } };
  };
  const client = new loaded.gatehouse.ratelimit.v1.RatelimitService(address, credentials.createInsecure());
  const openStream = () => client.CheckStream?.() as unknown as CheckStream;
  const shared = sharedStream(openStream);

  function unary<T>(method: string, request: unknown, timeout_ms: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + timeout_ms };
      client[method]?.(request, options, (error: ServiceError | null, answer: T) => {
        if (error === null) resolve(answer);
        else reject(error);
      });
    });
  }

  return {
    check: (sets, timeout_ms) => shared.check({ sets, timeout_ms }),
    refund: async (charges, timeout_ms) => void (await unary('Refund', { charges }, timeout_ms)),
    peek: async (charges, timeout_ms) =>
      (await unary<{ states: BucketState[] }>('Peek', { charges }, timeout_ms)).states,
    openStream,
    close: () => {
      shared.close();
      client.close();
    },
  };
}

/** One stream for all checks, opened again after it has ended. */
function sharedStream(openStream: () => CheckStream) {
  const open = new Map<number, PromiseWithResolvers<CheckAnswer>>();
  let stream: CheckStream | undefined;
  let tag = 0;

  function start(): CheckStream {
    const started = openStream();
    started.on('data', (answer: CheckAnswer) => {
      const waiting = open.get(answer.tag ?? -1);
      open.delete(answer.tag ?? -1);
      if (answer.error === undefined) waiting?.resolve(answer);
      else waiting?.reject(new Error(`${answer.error.code} ${answer.error.message}`));
    });
    const end = (error: Error) => {
      if (stream !== started) return;
      stream = undefined;
      for (const { reject } of open.values()) reject(error);
      open.clear();
    };
    started.on('error', end);
    started.on('end', () => end(new Error('the server ended the stream')));
    return started;
  }

  return {
    check: (request: object): Promise<CheckAnswer> => {
      stream ??= start();
      const waiting = Promise.withResolvers<CheckAnswer>();
      tag = (tag + 1) >>> 0;
      open.set(tag, waiting);
      stream.write({ ...request, tag });
      return waiting.promise;
    },
    close: () => stream?.end(),
  };
}
