import type { Report } from '../attacks/attack.ts';
import type { ResponseHead } from './response-parser.ts';

const MOST_PROBLEMS = 10;

/** Counts an attacker's requests and responses. */
export interface Tally {
  count(what: string, by?: number): void;
  /** Counts a response; one that no attacker should get is a problem. */
  answer(answer: ResponseHead, to?: () => string): void;
  problem(words: string): void;
  waited(ms: number): void;
  report(): Report;
}

export function openTally(): Tally {
  const counts: Record<string, number> = {};
  const statuses: Record<string, number> = {};
  const problems: string[] = [];
  let slowest_ms: number | undefined;

  function problem(words: string): void {
    if (problems.length < MOST_PROBLEMS) problems.push(words);
  }

  return {
    count: (what, by = 1) => {
      counts[what] = (counts[what] ?? 0) + by;
    },
    answer: ({ status, retry_after }, to = () => 'a request') => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status >= 500 && status !== 503) problem(`${status} to ${to()}`);
      if (status === 503 && retry_after === undefined) problem(`503 without Retry-After to ${to()}`);
    },
    problem,
    waited: (ms) => {
      slowest_ms = Math.max(slowest_ms ?? 0, Math.round(ms));
    },
    report: () => ({ counts, statuses, problems, ...(slowest_ms !== undefined && { slowest_ms }) }),
  };
}
