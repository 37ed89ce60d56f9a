import { get } from 'node:http';
import { MetricsFormatError } from './scan-samples.ts';

const TIMEOUT_MS = 2_000;
/** An edge with requests of all routes has about one. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads the metrics that a process serves, over a connection of its own.
 *
 * @throws Error if it does not answer in time, or not with metrics
 */
export function fetchMetrics(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = get(`http://${address}/metrics`, { agent: false, signal }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      if (response.statusCode !== 200) {
        request.destroy(new Error(`GET /metrics answers ${response.statusCode}`));
        return;
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > MAX_BYTES) request.destroy(new MetricsFormatError(`more than ${MAX_BYTES} bytes`));
      });
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
