import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderChatcompat } from '../../services/webhook-delivery/src/chatcompat/render.ts';
import { renderCodehost } from '../../services/webhook-delivery/src/codehost/render.ts';
import type { JsonObject } from '../../services/webhook-delivery/src/execution/json-object.ts';
import { renderStatuspage } from '../../services/webhook-delivery/src/statuspage/render.ts';
import type { BenchOptions } from '../bench.ts';
import { median } from '../load/load.ts';
import { chatcompatPayloads, statuspagePayloads } from './payloads.ts';

const WARM_TURNS = 20;
/** Minimum renderings of each event in each turn. */
const PAYLOADS = 100;

/** Payloads of an event, each with its renderer. */
interface Sample {
  readonly name: string;
  readonly deliveries: readonly {
    readonly text: string;
    readonly render: (payload: JsonObject) => unknown;
  }[];
}

interface CodehostPayload {
  readonly event: string;
  readonly payload: JsonObject;
}

/** Compares rendering with JSON.parse of the same payload, by event: the sum over all payloads of its corpus. */
export function rendering({ rounds, seconds, say }: BenchOptions): Record<string, unknown> {
  const samples = [
    ...codehostSamples(),
    sampleOf('chatcompat', chatcompatPayloads(), renderChatcompat),
    sampleOf('statuspage', statuspagePayloads(), renderStatuspage),
  ];
  const turns = new Map<string, { parse_us: number; render_us: number }[]>(
    samples.map(({ name }) => [name, []]),
  );
  for (let turn = -WARM_TURNS; turn < rounds * seconds; turn++) {
    for (const sample of samples) {
      const figures = measure(sample);
      if (turn >= 0) turns.get(sample.name)?.push(figures);
    }
  }
  say('rendering');
  return Object.fromEntries(
    samples.map(({ name, deliveries }) => {
      const own = turns.get(name) ?? [];
      const us = median(own.map(({ render_us }) => render_us));
      return [
        `render ${name}`,
        {
          what: `${deliveries.length} payloads: microseconds a payload`,
          us: Math.round(us * 100) / 100,
          compared_with: 'JSON.parse of the same',
          cpu_ratio:
            Math.round(median(own.map(({ parse_us, render_us }) => render_us / parse_us)) * 1000) / 1000,
        },
      ];
    }),
  );
}

/** All payloads together, then those of each rendered event. */
function codehostSamples(): Sample[] {
  const path = fileURLToPath(import.meta.resolve('@octokit/webhooks-examples'));
  const corpus = JSON.parse(readFileSync(path, 'utf8')) as { name: string; examples: JsonObject[] }[];
  const deliveries = corpus.flatMap(({ name, examples }) =>
    examples.map((payload) => ({ event: name, payload })),
  );
  const shown = new Set(deliveries.filter(isShown).map(({ event }) => event));
  const sampleOfEvents = (name: string, some: readonly CodehostPayload[]): Sample => ({
    name,
    deliveries: some.map(({ event, payload }) => ({
      text: JSON.stringify(payload),
      render: (read) => renderCodehost(event, read),
    })),
  });
  return [
    sampleOfEvents('codehost', deliveries),
    ...Array.from(shown, (event) =>
      sampleOfEvents(
        `codehost ${event}`,
        deliveries.filter((one) => one.event === event),
      ),
    ),
  ];
}

function isShown({ event, payload }: CodehostPayload): boolean {
  return 'message' in renderCodehost(event, payload);
}

function sampleOf(
  name: string,
  payloads: readonly JsonObject[],
  render: (payload: JsonObject) => unknown,
): Sample {
  return { name, deliveries: payloads.map((payload) => ({ text: JSON.stringify(payload), render })) };
}

function measure({ deliveries }: Sample): { parse_us: number; render_us: number } {
  const times = Math.ceil(PAYLOADS / deliveries.length);
  const batch = Array.from({ length: times }, () => deliveries).flat();
  const from_ms = performance.now();
  const payloads = batch.map(({ text }) => JSON.parse(text) as JsonObject);
  const parsed_ms = performance.now();
  for (const [index, { render }] of batch.entries()) render(payloads[index] as JsonObject); // each payload once, as in a delivery
  const rendered_ms = performance.now();
  return {
    parse_us: ((parsed_ms - from_ms) * 1000) / batch.length,
    render_us: ((rendered_ms - parsed_ms) * 1000) / batch.length,
  };
}
