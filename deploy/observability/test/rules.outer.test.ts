import { readdirSync, readFileSync } from 'node:fs';
import { queryMetrics } from '@gatehouse/kit/metrics/query-metrics';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { storeSeconds } from '../../../services/ratelimit/src/metrics.ts';
import { realtimeCounts } from '../../../services/realtime/src/metrics.ts';
import { promtool, promtoolIsMissing } from './promtool.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
interface RuleFile {
  readonly groups: readonly { readonly rules: readonly (Alert | { readonly record: string })[] }[];
}
interface RuleTest {
  readonly promql_expr_test?: readonly { readonly expr: string; readonly exp_samples?: readonly unknown[] }[];
  readonly alert_rule_test?: readonly { readonly alertname: string }[];
}

const RULES = new URL('../rules/', import.meta.url);
const TESTS = new URL('tests/', RULES);
const RUNBOOK = new URL('../../../docs/runbook.md', import.meta.url);

const alerts = yamlIn<RuleFile>(RULES)
  .flatMap(({ groups }) => groups.flatMap(({ rules }) => rules))
  .filter((rule) => 'alert' in rule);
const tests = yamlIn<{ tests: RuleTest[] }>(TESTS).flatMap((file) => file.tests);

describe.skipIf(promtoolIsMissing)('promtool', () => {
  it('accepts the configuration with all of its rules', async () => {
    expect(await promtool('check', 'config', 'prometheus.yml')).not.toContain('FAILED');
  });

  it.each(readdirSync(TESTS))('confirms when alerts fire, and when they do not: %s', async (file) => {
    expect(await promtool('test', 'rules', `rules/tests/${file}`)).toContain('SUCCESS');
  });
});

it('there are alerts', () => {
  expect(alerts.length).toBeGreaterThan(30);
});

describe.each(alerts)('$alert', ({ alert, labels, annotations }) => {
  it('has a test in which it fires', () => {
    const fires = tests.flatMap(({ promql_expr_test = [] }) => promql_expr_test);
    expect(fires.some((one) => names(one.expr, alert) && (one.exp_samples ?? []).length > 0)).toBe(true);
  });

  it('has a summary, a description with the value, a severity and a link to the runbook', () => {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/^\S/);
    expect(annotations.description).toContain('$value');
    const anchor = alert.toLowerCase();
    expect(annotations.runbook_url).toBe(`{{ $externalLabels.docs }}/runbook.md#${anchor}`);
  });
});

it.each<[string, (registry: Registry) => void]>([
  ['DatabaseSlow', (registry) => queryMetrics(registry)({ name: 'x', text: 'x' })?.()],
  ['LimitStoreSlow', (registry) => storeSeconds(registry)(0)],
  ['EventsLate', (registry) => realtimeCounts(registry).delivered(new Date().toISOString())],
])('%s compares with a bucket bound of its histogram', async (name, measure) => {
  const registry = new Registry();
  measure(registry);
  const bounds = [...(await registry.metrics()).matchAll(/le="([\d.]+)"/g)].map(([, bound]) => Number(bound));
  const expr = alerts.find(({ alert }) => alert === name)?.expr ?? '';
  expect(bounds).toContain(Number(expr.split('>').at(-1)));
});

it('the runbook has a section for each alert, and for no other', () => {
  const headings = [...readFileSync(RUNBOOK, 'utf8').matchAll(/^### (\w+)$/gm)].map(([, heading]) => heading);
  expect(headings.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
});

function names(expression: string, alert: string): boolean {
  const [, asked = ''] = /alertname=~?"([^"]+)"/.exec(expression) ?? [];
  return asked.split('|').includes(alert);
}

function yamlIn<T>(folder: URL): T[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .map((name) => parse(readFileSync(new URL(name, folder), 'utf8')) as T);
}
