/** On a terminal one line is written again and again; elsewhere a line now and then says that it goes on. */
export interface Progress {
  note(text: string): void;
  end(): void;
}

const TERMINAL_EVERY_MS = 100;
const ELSEWHERE_EVERY_MS = 5_000;
/** Returns to the beginning of the line, and clears it. */
const OVER = '\r\u001b[K';

/** On standard error: standard output is for the answer. */
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
