/** On a terminal it rewrites one line. Elsewhere it prints a line every few seconds. */
export interface Progress {
  note(text: string): void;
  end(): void;
}

const TERMINAL_EVERY_MS = 100;
const ELSEWHERE_EVERY_MS = 5_000;
/** Returns to the start of the line and clears it. */
const OVER = '\r\u001b[K';

/** Writes to standard error; standard output has the result. */
export function showProgress(): Progress {
  const stream = process.stderr;
  const every_ms = stream.isTTY ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS;
  let last = performance.now();
  let written = false;
  return {
    note: (text) => {
      if (performance.now() - last < every_ms) return;
      last = performance.now();
      written = true;
      stream.write(stream.isTTY ? `${OVER}${text}` : `${text}\n`);
    },
    end: () => {
      if (written && stream.isTTY) stream.write(OVER);
    },
  };
}
