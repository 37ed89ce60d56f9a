import { expect } from 'vitest';
import type { Report } from '../attacks/attack.ts';
import type { AttackSpec } from '../attacks/index.ts';
import type { AttackSetup } from './attack-setup.ts';
import { LAGS_A_REQUEST, MAX_LAG_MS, MAX_P99_MS, MAX_RSS_MB, RECOVERED_WITHIN_MS } from './bounds.ts';
import type { LatencyFigures } from './bystanders.ts';
import { type AttackOutcome, underAttack } from './under-attack.ts';

/**
 * Asserts what applies to every attack: each process stays within its memory, bystanders are served in time and
 * without errors, there are no unexpected failures, and the stack recovers soon after. Returns the attackers'
 * results, for assertions about this attack.
 */
export async function expectWithstood(setup: AttackSetup, ...orders: AttackSpec[]): Promise<Report[]> {
  const outcome = await underAttack(setup, orders);
  console.log(figures(outcome));
  expect(violationsOf(outcome), 'violations').toEqual([]);
  return outcome.reports.filter((report) => report !== undefined);
}

/** Descriptions of the violations. */
function violationsOf(outcome: AttackOutcome): string[] {
  const { reports, memory, bystanders, restarted, failures, unrecovered, stopped } = outcome;
  return [
    ...(stopped === undefined ? [] : [`the attack was stopped early: ${stopped}`]),
    ...restarted.map((name) => `${name} was restarted`),
    ...failures.map((line) => `a line in a log: ${line}`),
    ...Object.entries(memory)
      .filter(([, { peak_mb }]) => peak_mb >= MAX_RSS_MB)
      .map(([name, { peak_mb }]) => `${name} took ${peak_mb} MB`),
    ...Object.entries(bystanders.figures).flatMap(([name, figures]) =>
      poorlyServed(name, figures, bystanders.lag_ms),
    ),
    ...(bystanders.lag_ms < MAX_LAG_MS
      ? []
      : [`the event loop of the measuring process lagged by ${bystanders.lag_ms} ms`]),
    ...unrecovered.map((what) => `${what}, ${RECOVERED_WITHIN_MS / 1000} s later`),
    ...reports.flatMap((report) => report?.problems ?? []),
  ];
}

function poorlyServed(
  name: string,
  { requests, p99_ms, failures }: LatencyFigures,
  lag_ms: number,
): string[] {
  return [
    ...(requests > 0 ? [] : [`${name} asked nothing`]),
    ...Object.entries(failures).map(([what, count]) => `${name} got ${what} ${count} times in ${requests}`),
    ...(p99_ms < MAX_P99_MS + LAGS_A_REQUEST * lag_ms ? [] : [`${name} waited ${p99_ms} ms (p99)`]),
  ];
}

function figures({ reports, memory, bystanders, recovered_ms, unrecovered, stopped }: AttackOutcome): string {
  const sizes = Object.entries(memory).map(
    ([name, { before_mb, peak_mb }]) => `${name} ${before_mb}→${peak_mb}`,
  );
  const times = Object.entries(bystanders.figures).map(
    ([name, { requests, p50_ms, p99_ms, max_ms, failures }]) =>
      `${name} ${requests}: p50 ${p50_ms}, p99 ${p99_ms}, max ${max_ms} ms ${JSON.stringify(failures)}`,
  );
  return [
    stopped === undefined ? '' : `STOPPED: ${stopped}`,
    `MB: ${sizes.join(', ')}`,
    ...times,
    `lag ${bystanders.lag_ms} ms; recovered in ${recovered_ms} ms ${unrecovered.join('; ')}`,
    ...reports.map((report) => JSON.stringify(report)),
  ]
    .filter((line) => line !== '')
    .map((line) => `  ${line}`)
    .join('\n');
}
