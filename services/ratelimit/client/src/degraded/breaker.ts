/** Failures in a row that open it. Those of one turn of the event loop, as of a lost connection, are one. */
const FAILURES = 5;
const PROBE_EVERY_MS = 200;

/** Keeps calls from somebody who does not answer. */
export interface Breaker {
  /** Whether the peer is not to be asked now. */
  isOpen(): boolean;
  succeeded(): void;
  failed(): void;
  close(): void;
}

export interface BreakerOptions {
  /** Succeeds if calls would be answered now. It must not be a charge. */
  probe(): Promise<void>;
  /**
   * How long an answer may take. Who answered so lately is there: of several replicas or nodes, one may be away, and
   * while it fails at once the others' answers are still on their way.
   */
  readonly timeout_ms: number;
  readonly starts_open?: boolean;
  onOpen?(): void;
  /** Told when a probe has succeeded. */
  onClose?(): void;
}

/**
 * A circuit breaker: five failures in a row, with no success for as long as an answer may take, open it; then
 * the probe is tried every 200 ms, and the first that succeeds closes it. So nobody waits for a peer that does not answer.
 */
export function breaker({
  probe,
  timeout_ms,
  starts_open = false,
  onOpen,
  onClose,
}: BreakerOptions): Breaker {
  let failures = 0;
  let succeededAt = Number.NEGATIVE_INFINITY;
  let counted = false;
  let probing = false;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  function open(): void {
    if (ended) return;
    onOpen?.();
    timer = setInterval(() => void tryProbe(), PROBE_EVERY_MS).unref();
  }

  async function tryProbe(): Promise<void> {
    if (probing) return;
    probing = true;
    try {
      await probe();
      if (timer === undefined) return; // closed for good meanwhile
      stop();
      failures = 0;
      onClose?.();
    } catch {
      // The next probe comes in 200 ms.
    } finally {
      probing = false;
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  if (starts_open) open();
  return {
    isOpen: () => timer !== undefined,
    succeeded: () => {
      failures = 0;
      succeededAt = performance.now();
    },
    failed: () => {
      if (counted || timer !== undefined) return;
      counted = true;
      setImmediate(() => {
        counted = false;
      });
      failures++;
      if (failures >= FAILURES && performance.now() - succeededAt >= timeout_ms) open();
    },
    close: () => {
      ended = true;
      stop();
    },
  };
}
