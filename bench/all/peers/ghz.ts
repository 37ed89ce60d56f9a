import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { goProgram } from '@gatehouse/dev-env/programs/go-program';
import { protoRoot } from '@gatehouse/proto/schema';

const VERSION = 'v0.120.0';

/** A method that ghz calls. */
export interface GhzMethod {
  /** Its file, below the contracts' folder. */
  readonly proto: string;
  readonly call: string;
}

export const SHOULD_RATE_LIMIT: GhzMethod = {
  proto: 'envoy/service/ratelimit/v3/rls.proto',
  call: 'envoy.service.ratelimit.v3.RateLimitService.ShouldRateLimit',
};

/** ghz, a load generator for gRPC, built by Go on first use. Undefined without Go. */
export function ghzProgram(): Promise<string | undefined> {
  return goProgram({ name: 'ghz', path: 'github.com/bojand/ghz/cmd/ghz', version: VERSION });
}

export interface GhzOrder {
  readonly method: GhzMethod;
  readonly address: string;
  /** Each makes one call at a time. */
  readonly callers: number;
  /** The connections that the callers share. */
  readonly connections: number;
  /** A JSON file with the requests. */
  readonly requests: string;
}

export interface GhzResult {
  readonly calls: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Calls that failed. */
  readonly failed: number;
}

/** One second of calls. */
export async function ghz(
  program: string,
  { method: { proto, call }, address, callers, connections, requests }: GhzOrder,
): Promise<GhzResult> {
  const args = ['--insecure', '--format', 'json', '--duration', '1s', '--duration-stop', 'wait'];
  const what = ['--import-paths', protoRoot, '--proto', proto, '--call', call, '--data-file', requests];
  const how = ['--concurrency', String(callers), '--connections', String(connections)];
  const { stdout } = await execFileAsync(program, [...args, ...what, ...how, address], {
    maxBuffer: 2 ** 28,
  });
  return resultOf(JSON.parse(stdout) as GhzReport);
}

/** The part of ghz's report that is read. Latencies are nanoseconds. */
interface GhzReport {
  readonly count: number;
  readonly rps: number;
  readonly latencyDistribution: readonly { readonly percentage: number; readonly latency: number }[] | null;
  readonly statusCodeDistribution: Readonly<Record<string, number>>;
}

function resultOf({ count, rps, latencyDistribution, statusCodeDistribution }: GhzReport): GhzResult {
  const at_ms = (percentage: number): number =>
    (latencyDistribution?.find((one) => one.percentage === percentage)?.latency ?? Number.NaN) / 1e6;
  const { OK = 0 } = statusCodeDistribution;
  return { calls: count, per_second: rps, p50_ms: at_ms(50), p99_ms: at_ms(99), failed: count - OK };
}
