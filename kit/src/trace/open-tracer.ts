import type { Tracer, TracerOptions } from './tracer.ts';

/** OpenTelemetry's SDK is loaded only by those who trace: it takes memory and time. */
export async function openTracer(options: TracerOptions): Promise<Tracer> {
  const { otlpTracer } = await import('./otlp-tracer.ts');
  return otlpTracer(options);
}
