import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { goProgram } from '@gatehouse/dev-env/programs/go-program';
import { protoRoot } from '@gatehouse/proto/schema';

const VERSION = 'v0.120.0';
const CALL = 'envoy.service.ratelimit.v3.RateLimitService.ShouldRateLimit';
const PROTO = 'envoy/service/ratelimit/v3/rls.proto';

/** ghz, a load generator for gRPC, built by Go on first use. Undefined without Go. */
export function ghzProgram(): Promise<string | undefined> {
  return goProgram({ name: 'ghz', path: 'github.com/bojand/ghz/cmd/ghz', version: VERSION });
}

export interface GhzResult {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Calls that failed. */
  readonly failed: number;
}

/** One second of ShouldRateLimit with the requests of a JSON file, one at a time on each connection. */
export async function ghz(
  program: string,
  { address, connections, requests }: { address: string; connections: number; requests: string },
): Promise<GhzResult> {
  const args = ['--insecure', '--format', 'json', '--duration', '1s', '--duration-stop', 'wait'];
  const what = ['--import-paths', protoRoot, '--proto', PROTO, '--call', CALL, '--data-file', requests];
  const how = ['--concurrency', String(connections), '--connections', String(connections)];
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
  return { per_second: rps, p50_ms: at_ms(50), p99_ms: at_ms(99), failed: count - OK };
}
