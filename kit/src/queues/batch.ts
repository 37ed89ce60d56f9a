import { Fault, unavailable } from '../fault.ts';
import { currentSpan, errorType, withSpan } from '../trace/current-span.ts';
import type { Span } from '../trace/span.ts';

export interface BatchOptions<In, Out> {
  /** What it does, for spans: "find_webhook". */
  readonly name?: string;
  /** Does the work of one batch. Answers in order; an Error in a place fails that item alone. */
  readonly run: (items: readonly In[]) => Promise<readonly (Out | Error)[]>;
  /** Most items a batch; 64. */
  readonly maxBatch?: number;
  /** Most batches out at once; 2. */
  readonly maxInFlight?: number;
  /** Most items waiting; 4096. One more is refused with UNAVAILABLE. */
  readonly maxQueue?: number;
  readonly watch?: BatchWatch | undefined;
}

/** Who is told of batches. */
export interface BatchWatch {
  /** Told once how to ask how many items wait. */
  waits(count: () => number): void;
  /** A batch of so many has left. */
  sent(items: number): void;
}

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: Error) => void;
  /** From when it waits until it is answered; undefined: its caller is not traced. */
  readonly span: Span | undefined;
}

/**
 * Group commit without a timer: an item leaves at once while fewer than `maxInFlight` batches are
 * out; otherwise it waits for one to return and leaves with all that gathered meanwhile. So a lone
 * caller pays nothing, and many share each round trip.
 */
export function batcher<In, Out>(options: BatchOptions<In, Out>): (item: In) => Promise<Out> {
  const { name, run, maxBatch = 64, maxInFlight = 2, maxQueue = 4096, watch } = options;
  const spanName = name === undefined ? 'batch' : `batch ${name}`;
  let queue: Waiting<In, Out>[] = [];
  let inFlight = 0;
  let scheduled = false;
  watch?.waits(() => queue.length);

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      if (queue.length >= maxQueue) {
        reject(unavailable(new Error(`${maxQueue} items are waiting already`)));
        return;
      }
      queue.push({ item, resolve, reject, span: currentSpan()?.child(spanName, 'internal') });
      if (!scheduled && inFlight < maxInFlight) {
        scheduled = true;
        setImmediate(send); // once the tick's other callers have joined
      }
    });

  function send(): void {
    scheduled = false;
    while (queue.length > 0 && inFlight < maxInFlight) {
      const batch = queue.length <= maxBatch ? queue : queue.slice(0, maxBatch);
      queue = queue.length <= maxBatch ? [] : queue.slice(maxBatch);
      inFlight++;
      watch?.sent(batch.length);
      void settle(batch).finally(() => {
        inFlight--;
        send();
      });
    }
  }

  async function settle(batch: readonly Waiting<In, Out>[]): Promise<void> {
    let answers: readonly (Out | Error)[];
    try {
      answers = await withSpan(spanOf(batch), () => run(batch.map((waiting) => waiting.item)));
      if (answers.length !== batch.length) throw new Error('a batch must answer every item');
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      for (const { span, reject } of batch) {
        span?.fail(errorType(reason));
        span?.end();
        reject(sameFor(reason));
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
 * The span that the work of a batch belongs to: that of the first caller who is traced. All of them are linked, so that
 * the work is found from each.
 */
function spanOf<In, Out>(batch: readonly Waiting<In, Out>[]): Span | undefined {
  const spans = batch.flatMap(({ span }) => span ?? []);
  const [first, ...others] = spans;
  for (const span of spans) span.set('gatehouse.batch.size', batch.length);
  for (const other of others) {
    other.link(first as Span); // there is one if there are others
    first?.link(other);
  }
  return first;
}

/** Each caller gets an error of its own where it may add to it; faults are immutable and shared. */
function sameFor(error: Error): Error {
  return error instanceof Fault ? error : new Error('the batch failed', { cause: error });
}
