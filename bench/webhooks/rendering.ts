import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderChatcompat } from '../../services/webhook-delivery/src/chatcompat/render.ts';
import { renderCodehost } from '../../services/webhook-delivery/src/codehost/render.ts';
import type { JsonObject } from '../../services/webhook-delivery/src/execution/json-object.ts';
import { renderStatuspage } from '../../services/webhook-delivery/src/statuspage/render.ts';
import type { BenchOptions } from '../bench.ts';
import { takeTurns } from '../load/turns.ts';
import { figureOf, ratioOf } from '../report/figure.ts';
import { chatcompatPayloads, statuspagePayloads } from './payloads.ts';

const TITLE = 'rendering';
const WARM_TURNS = 20;
const TURNS_A_SECOND = 4;
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
export async function rendering(options: BenchOptions): Promise<void> {
  if (!options.wants(TITLE)) return;
  const samples = [
    ...codehostSamples(),
    sampleOf('chatcompat', chatcompatPayloads(), renderChatcompat),
    sampleOf('statuspage', statuspagePayloads(), renderStatuspage),
  ];
  const turns = new Map<string, Turn[]>(samples.map(({ name }) => [name, []]));
  const counted = options.rounds * options.seconds * TURNS_A_SECOND;
  await takeTurns(TITLE, { warm: WARM_TURNS, counted }, options, (isCounted) => {
    for (const sample of samples) {
      const figures = measure(sample);
      if (isCounted) turns.get(sample.name)?.push(figures);
    }
  });
  options.report({
    title: TITLE,
    about: 'Microseconds a payload, and the ratio to JSON.parse of the same payload.',
    rows: samples.map(({ name, deliveries }) => {
      const own = turns.get(name) ?? [];
      const us = own.map(({ render_us }) => render_us);
      const parse = own.map(({ parse_us }) => parse_us);
      return { name, figures: { payloads: deliveries.length, us: figureOf(us), ratio: ratioOf(us, parse) } };
    }),
  });
}

interface Turn {
  readonly parse_us: number;
  readonly render_us: number;
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

function measure({ deliveries }: Sample): Turn {
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
