import { setTimeout as sleep } from 'node:timers/promises';
import { openResources, type Running } from '../lifecycle.ts';
import { createLogger, type Logger } from '../log.ts';
import type { LocalServers } from '../rpc/direct/local-servers.ts';
import { openCertificates } from '../rpc/tls/certificates.ts';
import type { Tracer, TracerOptions } from '../trace/tracer.ts';
import type { ProcessConfig } from './process-config.ts';
import { Runtime } from './runtime.ts';

/** Options for a program that starts services itself: a test, or `npm start -- --one-process`. */
export interface ProcessOverrides {
  readonly log?: Logger;
  /** The servers of the services that share this process. They call each other without connections. */
  readonly local?: LocalServers;
}

export interface ProcessOptions extends ProcessOverrides {
  /** The name in its certificate and its log. */
  readonly name: string;
  readonly config: ProcessConfig;
}

/**
 * Starts a service. `open` starts the service's own parts and returns its address. If that fails, everything is closed
 * again.
 */
export function startProcess(
  { name, config, log = createLogger({ name, level: config.log_level }), local }: ProcessOptions,
  open: (runtime: Runtime) => Promise<string>,
): Promise<Running> {
  const { rpc_tls: files, metrics_listen, drain_delay_ms, traces } = config;
  return openResources(log, async (resources) => {
    const tracer = traces && (await loadTracer({ ...traces, service: name, log }));
    resources.add('traces', () => tracer?.close()); // closed last, so that the spans of shutdown are sent
    const certificates = files && openCertificates({ files, name, log });
    resources.add('certificates', () => certificates?.close());
    const hasMetrics = metrics_listen !== undefined;
    const runtime = new Runtime({
      name,
      log,
      resources,
      hasMetrics,
      tracer,
      certificates,
      localServers: local,
    });
    const address = await open(runtime);
    if (metrics_listen !== undefined) await runtime.serveOperations(metrics_listen);
    return {
      address,
      drain_delay_ms,
      drain: () => runtime.drain(),
      close: async () => {
        runtime.drain();
        if (drain_delay_ms > 0) await sleep(drain_delay_ms);
        await resources.close();
      },
    };
  });
}

/** Loads the SDK on demand: it takes 30 MB and a tenth of a second. */
async function loadTracer(options: TracerOptions): Promise<Tracer> {
  const { openTracer } = await import('../trace/open-tracer.ts');
  return openTracer(options);
}
