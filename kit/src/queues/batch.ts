import { Fault, unavailable } from '../fault.ts';
import { currentSpan, errorType, withSpan } from '../trace/current-span.ts';
import type { Span } from '../trace/span.ts';

export interface BatchOptions<In, Out> {
  /** The name for spans: "find_webhook". */
  readonly name?: string;
  /** Processes one batch. Answers in order; an Error in place of an answer fails that item alone. */
  readonly run: (items: readonly In[]) => Promise<readonly (Out | Error)[]>;
  /** Maximum items per batch. Default: 64. */
  readonly maxBatch?: number;
  /** Maximum batches in flight. Default: 2. */
  readonly maxInFlight?: number;
  /** Maximum waiting items; further ones are refused with UNAVAILABLE. Default: 4096. */
  readonly maxQueue?: number;
  readonly watch?: BatchWatch | undefined;
}

/** Observes a batcher, for metrics. */
export interface BatchWatch {
  /** Called once, with a function that counts the waiting items. */
  watchQueue(count: () => number): void;
  /** Called for each batch, with its number of items. */
  batchSent(items: number): void;
}

interface QueuedCall<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: Error) => void;
  /** The span of waiting and processing; undefined if the caller is not traced. */
  readonly span: Span | undefined;
}

/**
 * Makes a batcher: group commit without a timer. An item leaves at once while fewer than `maxInFlight` batches are in
 * flight; otherwise it waits for one to return, and leaves with all that gathered meanwhile. So a single caller never
 * waits, and many share each round trip.
 */
export function batcher<In, Out>(options: BatchOptions<In, Out>): (item: In) => Promise<Out> {
  const { name, run, maxBatch = 64, maxInFlight = 2, maxQueue = 4096, watch } = options;
  const spanName = name === undefined ? 'batch' : `batch ${name}`;
  let queue: QueuedCall<In, Out>[] = [];
  let inFlight = 0;
  let scheduled = false;
  watch?.watchQueue(() => queue.length);

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      if (queue.length >= maxQueue) {
        reject(unavailable(new Error(`${maxQueue} items are waiting already`)));
        return;
      }
      queue.push({ item, resolve, reject, span: currentSpan()?.child(spanName, 'internal') });
      if (!scheduled && inFlight < maxInFlight) {
        scheduled = true;
        setImmediate(send); // after the tick's other callers have joined
      }
    });

  function send(): void {
    scheduled = false;
    while (queue.length > 0 && inFlight < maxInFlight) {
      const batch = queue.length <= maxBatch ? queue : queue.slice(0, maxBatch);
      queue = queue.length <= maxBatch ? [] : queue.slice(maxBatch);
      inFlight++;
      watch?.batchSent(batch.length);
      void settle(batch).finally(() => {
        inFlight--;
        send();
      });
    }
  }

  async function settle(batch: readonly QueuedCall<In, Out>[]): Promise<void> {
    let answers: readonly (Out | Error)[];
    try {
      answers = await withSpan(spanOf(batch), () => run(batch.map((waiting) => waiting.item)));
      if (answers.length !== batch.length) throw new Error('a batch must answer every item');
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      for (const { span, reject } of batch) {
        span?.fail(errorType(reason));
        span?.end();
        reject(errorForCaller(reason));
      }
      return;
    }
    for (const [index, waiting] of batch.entries()) {
      const answer = answers[index] as Out | Error;
      if (answer instanceof Error) {
        waiting.span?.fail(errorType(answer));
        waiting.reject(answer);
      } else waiting.resolve(answer);
      waiting.span?.end();
    }
  }
}

/**
 * The span of a batch is the one of its first traced caller. The others are linked, so that the batch is found from
 * each.
 */
function spanOf<In, Out>(batch: readonly QueuedCall<In, Out>[]): Span | undefined {
  const spans = batch.flatMap(({ span }) => span ?? []);
  const [first, ...others] = spans;
  for (const span of spans) span.set('gatehouse.batch.size', batch.length);
  for (const other of others) {
    other.link(first as Span); // there is one if there are others
    first?.link(other);
  }
  return first;
}

/** Callers may modify an error, so each gets its own. A fault is immutable, and shared. */
function errorForCaller(error: Error): Error {
  return error instanceof Fault ? error : new Error('the batch failed', { cause: error });
}
