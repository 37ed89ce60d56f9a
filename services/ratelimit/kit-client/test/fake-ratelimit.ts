import { freePort } from '@gatehouse/dev-env/free-port';
import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { silentLogger } from '@gatehouse/kit/log';
import { type Call, type Handlers, implement, serve } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';

type Definition = typeof RatelimitServiceDefinition;
type Rpc = keyof Handlers<Definition>;

/** A ratelimit on a real port that gives a test's answers. */
export interface FakeRatelimit {
  readonly address: string;
  /** The RPCs that were called, in order, without ListBuckets and health checks. */
  readonly calls: Rpc[];
  /** A test's handlers; the others admit. */
  answers: Partial<Handlers<Definition>>;
  /** Removes the answers and the calls. */
  reset(): void;
  stop(): Promise<void>;
  /** Starts it again on its port. */
  restart(): Promise<void>;
}

export async function fakeRatelimit(): Promise<FakeRatelimit> {
  let running: { readonly address: string; close(): Promise<void> } | undefined;
  const address = `127.0.0.1:${await freePort()}`; // nobody takes it between a stop and a restart
  const fake: FakeRatelimit = {
    address,
    calls: [],
    answers: {},
    reset: () => {
      fake.calls.length = 0;
      fake.answers = {};
    },
    stop: async () => {
      await running?.close();
      running = undefined;
    },
    restart: async () => {
      running ??= await serve({
        address,
        implementations: [implement(RatelimitServiceDefinition, handlers)],
        log: silentLogger,
      });
    },
  };
  const admitting = someHandlers(RatelimitServiceDefinition, {
    check: () => ({ denial: null, degraded: false }),
    takeSlowmode: () => ({ retry_after_us: null, degraded: false }),
    peekSlowmode: () => ({ retry_after_us: null, degraded: false }),
    takeProfileChanges: () => ({ denial: null, degraded: false }),
    refund: () => ({}),
  });
  // Each entry answers for its own RPC, as `admitting` has them.
  const handlers = Object.fromEntries(
    Object.keys(RatelimitServiceDefinition.methods).map((name) => {
      const rpc = name as Rpc;
      return [
        rpc,
        (request: never, call: Call) => {
          if (rpc !== 'listBuckets') fake.calls.push(rpc);
          return (fake.answers[rpc] ?? admitting[rpc])(request, call);
        },
      ];
    }),
  ) as unknown as Handlers<Definition>;
  await fake.restart();
  return fake;
}

/** A handler that never answers; it ends when the caller gives up. */
export function stuck(_: unknown, { signal }: Call): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the caller gave up')));
  });
}
