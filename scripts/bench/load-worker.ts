/** Rounds of autocannon, in a process of its own. */
import autocannon from 'autocannon';
import type { LoadOrder, LoadResult } from './load.ts';

process.on('disconnect', () => process.exit()); // the bench is gone
process.on('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});

async function run({
  url,
  connections,
  seconds,
  lead_seconds = 0,
  requests,
}: LoadOrder): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const share = Math.ceil(requests.length / connections);
  let taken = Math.floor(Math.random() * connections);
  const countedFrom = performance.now() + lead_seconds * 1000;
  const options: autocannon.Options = {
    url,
    connections,
    duration: lead_seconds + seconds,
    // Each connection walks a share of its own, so that no bucket is anybody's bottleneck.
    setupClient: (client) => {
      const from = ((taken++ % connections) * share) % requests.length;
      client.setRequests(requests.slice(from, from + share).map((request) => ({ ...request })));
      client.on('response', (status, _bytes, ms) => {
        if (performance.now() >= countedFrom) latencies.push(ms);
        statuses[status] = (statuses[status] ?? 0) + 1;
      });
    },
  };
  await autocannon(options);
  const elapsed = (performance.now() - countedFrom) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (quantile: number): number => latencies[Math.floor(latencies.length * quantile)] ?? 0;
  return { per_second: latencies.length / elapsed, p50_ms: at(0.5), p99_ms: at(0.99), statuses };
}
