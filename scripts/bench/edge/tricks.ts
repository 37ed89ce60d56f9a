/** What the edge and the call stream do for speed alone, each with the plain code that does without. */

export interface Trick {
  readonly what: string;
  /** Modules, as paths from the root of the repository, and in place of each one of ../plain/. */
  readonly modules: Readonly<Record<string, string>>;
  /** The replacement is for modules in this folder only. */
  readonly within?: string;
}

const STREAM = 'kit/src/rpc/stream';

export const TRICKS = {
  nothing: { what: 'how far two equal edges are apart', modules: {} },
  'http2-client': {
    what: "the call stream's client on Node's HTTP/2, not on grpc-js",
    modules: { [`${STREAM}/call-connection.ts`]: 'call-connection.ts' },
  },
  frames: {
    what: 'frames written and read by hand, not by generated code',
    modules: {
      [`${STREAM}/call-frame-writer.ts`]: 'call-frame-writer.ts',
      [`${STREAM}/answer-frame-writer.ts`]: 'answer-frame-writer.ts',
      [`${STREAM}/frame-reader.ts`]: 'frame-reader.ts',
    },
  },
  codec: {
    what: 'one writer and one reader for all messages, not one each',
    modules: { 'kit/src/rpc/codec.ts': 'codec.ts' },
  },
  'frames-and-codec': {
    what: 'both of them',
    modules: {
      'kit/src/rpc/codec.ts': 'codec.ts',
      [`${STREAM}/call-frame-writer.ts`]: 'call-frame-writer.ts',
      [`${STREAM}/answer-frame-writer.ts`]: 'answer-frame-writer.ts',
      [`${STREAM}/frame-reader.ts`]: 'frame-reader.ts',
    },
  },
  'open-calls': {
    what: "a table of open calls of the kit's own, not a Map",
    modules: { [`${STREAM}/open-calls.ts`]: 'open-calls.ts' },
  },
  'flush-scheduler': {
    what: 'what a frame leads to leaves at once, not after all other sockets',
    modules: { [`${STREAM}/flush-scheduler.ts`]: 'flush-scheduler.ts' },
  },
  'flush-scheduler-edge': {
    what: 'the same for the requests that the edge begins, and their answers',
    modules: { 'kit/src/rpc.ts': 'rpc-for-gateway.ts' },
    within: 'gateway/src',
  },
  'flush-scheduler-answers': {
    what: 'the same for the answers of the edge alone',
    modules: { 'kit/src/rpc.ts': 'rpc-for-answers.ts' },
    within: 'gateway/src',
  },
  'log-output': {
    what: "log lines gathered by the kit, not by pino's destination",
    modules: { 'kit/src/log-output.ts': 'log-output.ts' },
  },
  send: {
    what: 'answers written past Fastify',
    modules: { 'gateway/src/send.ts': 'send.ts' },
  },
  'admission-queue': {
    what: 'thirty-two requests begin at a time, not all',
    modules: { 'gateway/src/overload/admission-queue.ts': 'admission-queue.ts' },
  },
} as const satisfies Record<string, Trick>;

export type TrickName = keyof typeof TRICKS;

export function isTrick(name: string): name is TrickName {
  return Object.hasOwn(TRICKS, name);
}
