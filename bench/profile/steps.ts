import type { Frame, Stack } from './cpu-profile.ts';

/** The name of time in which the process waits. It is no processor time. */
export const IDLE = 'idle';
const OTHER = 'other';

/** A step, and a pattern of its functions: `URL#function`. */
type StepRow = readonly [step: string, functions: RegExp];

/**
 * The steps of a request in the edge and in the services, in its order. The first row that matches a function decides.
 * Functions of none, such as Node's streams, belong to the step that calls them.
 */
const STEPS: readonly StepRow[] = [
  ['HTTP, answers', /node:_http_outgoing|node:_http_server#resOnFinish/],
  ['HTTP, requests', /node:_http|node:internal\/http#|node:net#onconnection/],
  ['read body', /gateway\/src\/(steps\/read-body|overload\/(incoming|body|memory))|kit\/src\/json\/parse/],
  ['context', /gateway\/src\/(request-context|http\/(credential|client-address)|overload\/gone-signal)/],
  ['send', /gateway\/src\/(send|http\/common-headers|overload\/counted)|fastify\/lib\/reply/],
  ['admission', /gateway\/src\/(overload\/|http-server)/],
  ['Fastify', /node_modules\/(fastify|find-my-way|avvio)\/|gateway\/src\/app/],
  ['pipeline', /gateway\/src\/pipeline|kit\/src\/trace/],
  ['identify', /gateway\/src\/steps\/identify/],
  ['limit', /gateway\/src\/(steps\/(limit|body-keyed)|limit\/)|ratelimit\/client\//],
  ['authorize', /gateway\/src\/steps\/authorize/],
  ['request', /gateway\/src\/steps\/request|kit\/src\/json\/read/],
  ['invoke', /gateway\/src\/steps\/invoke|kit\/src\/rpc\/(client-call|replicas|connect)\./],
  [
    'call stream, frames',
    /kit\/src\/rpc\/(stream\/(.*frame|open-calls|(client|server)-stream)|messages|deadlines)/,
  ],
  ['call stream, frames', /\/gen\/|@bufbuild\/protobuf/],
  ['call stream, HTTP/2', /kit\/src\/rpc\/stream\/|node:(internal\/)?http2|@grpc\/grpc-js/],
  ['dispatch', /kit\/src\/rpc\//],
  ['PostgreSQL', /node_modules\/(pg|pg-\w+|postgres-\w+)\/|kit\/src\/db\/|services\/[\w-]+\/src\/store\//],
  ['handler', /services\/[\w-]+\/(src|client)\/|kit\/src\/queues\//],
  ['reply', /gateway\/src\/steps\/reply|kit\/src\/json\/write/],
  ['log and metrics', /\/src\/log|kit\/src\/metrics|node_modules\/(pino|prom-client|quick-format-unescaped)/],
  ['event loop', /node:internal\/(timers|process\/task_queues)#/],
  ['kernel and native code', /^#\(program\)$/],
  ['garbage collection', /^#\(garbage collector\)$/],
  [IDLE, /^#\(idle\)$/],
];

/** The name of every step, in the order of a table. */
export const STEP_NAMES: readonly string[] = [
  ...new Set([...STEPS.map(([step]) => step).filter((step) => step !== IDLE), OTHER]),
];

/** The step of a stack: that of its innermost function that belongs to one. */
export function stepOf({ frames }: Pick<Stack, 'frames'>): string {
  for (const frame of frames.toReversed()) {
    const step = stepOfFrame(frame);
    if (step !== undefined) return step;
  }
  return OTHER;
}

const known = new Map<string, string | undefined>();

function stepOfFrame({ url, name }: Frame): string | undefined {
  const key = `${url}#${name}`;
  if (!known.has(key)) known.set(key, STEPS.find(([, functions]) => functions.test(key))?.[0]);
  return known.get(key);
}

/** The share of each step in the time in which the process was not idle. */
export function sharesOf(stacks: readonly Stack[]): Map<string, number> {
  const us = new Map<string, number>();
  for (const stack of stacks) {
    const step = stepOf(stack);
    if (step !== IDLE) us.set(step, (us.get(step) ?? 0) + stack.us);
  }
  const all_us = [...us.values()].reduce((sum, one) => sum + one, 0);
  return new Map([...us].map(([step, step_us]) => [step, step_us / all_us]));
}
