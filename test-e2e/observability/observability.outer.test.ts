import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { redisIsMissing, type TestRedis, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import { PEERS } from '@gatehouse/proto/peers';
import { PROCESSES } from '@gatehouse/stack/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DASHBOARDS } from '../../deploy/observability/panels/dashboards.ts';
import type { Query } from '../../deploy/observability/panels/panel.ts';
import { apiOf } from '../support/api.ts';
import { consecutivePorts } from '../support/consecutive-ports.ts';
import { openStack, PROXIED } from '../support/stack.ts';
import { envoyIsMissing, type Front, startFront } from './front.ts';
import { type Labels, type Prometheus, prometheusIsMissing, startPrometheus } from './prometheus.ts';
import { groupingsOf, type Selector, selectorsOf } from './selectors.ts';
import { openTraffic } from './traffic.ts';

const PANELS = DASHBOARDS.flatMap(({ rows }) => rows.flatMap(({ panels }) => panels));

describe.skipIf(prometheusIsMissing || envoyIsMissing || redisIsMissing)(
  'what Prometheus scrapes from a stack',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-observability-'));
    const closing: (() => Promise<void>)[] = [];
    let prometheus: Prometheus;
    let series: readonly Labels[];
    /** Metrics of recording rules. Those over days are evaluated every five minutes, so they may not exist yet. */
    let recorded: ReadonlySet<string>;
    let round: () => Promise<void>;

    beforeAll(async () => {
      const redis: TestRedis = await testRedis();
      closing.push(redis.close);
      const certificates = await openCertificateFolder(folder, { name: 'test', valid_days: 30 });
      for (const name of PEERS)
        await certificates.issue(name, { domain: 'gatehouse.internal', valid_days: 30 });
      const receiver = await startOtlpReceiver();
      closing.push(receiver.close);
      const port = await consecutivePorts(PROCESSES.length);
      const stack = await openStack({
        ...PROXIED,
        REDIS_URL: redis.url,
        RPC_TLS_DIR: folder,
        METRICS_LISTEN: `127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      });
      closing.push(stack.close);
      const front: Front = await startFront(new URL(stack.url), stack.running.web_sockets);
      closing.push(front.close);
      prometheus = await startPrometheus([
        ...PROCESSES.map(({ name }, index) => ({ job: name, address: `127.0.0.1:${port + index}` })),
        { job: 'envoy', address: front.admin, path: '/stats/prometheus' },
      ]);
      closing.push(prometheus.close);
      const traffic = await openTraffic(stack.api, [stack.url, front.url]);
      round = async () => {
        await traffic();
        await apiOf(front.url).get('/users/@me');
      };
      await round();
    });
    afterAll(async () => {
      for (const close of closing.reverse()) await close();
      rmSync(folder, { recursive: true });
    });

    it('has every process, up and ready', async () => {
      const jobs = [...PROCESSES.map(({ name }) => name), 'envoy'].sort();
      await expect.poll(() => jobsOf('up == 1'), { timeout: 30_000 }).toEqual(jobs);
      await expect.poll(() => jobsOf('job:replicas_up == job:replicas_wanted')).toEqual(jobs);
      await expect.poll(() => jobsOf('process_ready == 1')).toEqual(jobs.filter((job) => job !== 'envoy'));
    });

    it.each(DASHBOARDS)('fills every panel of the dashboard $title', async ({ rows }) => {
      const panels = rows.flatMap((row) => row.panels).filter(({ often_empty }) => !often_empty);
      async function unfilled(): Promise<string[]> {
        const asking = panels.flatMap(({ title, queries }) =>
          queries.map(async (query) => ((await isFilled(query)) ? [] : `${title}: ${query[0]}`)),
        );
        const found = (await Promise.all(asking)).flat();
        if (found.length > 0) await round(); // a rate needs traffic between two scrapes
        return found;
      }
      await expect.poll(unfilled, { timeout: 50_000, interval: 500 }).toEqual([]);
    });

    it('has every metric and label that the dashboards name', async () => {
      series = await prometheus.series();
      recorded = new Set((await prometheus.rules()).map(({ name }) => name));
      const expressions = PANELS.flatMap(({ queries }) => queries.map(([expression]) => expression));
      expect(expressions.map(asked).flatMap(missing)).toEqual([]);
      const chosen = DASHBOARDS.flatMap(({ choices = [] }) => choices);
      for (const { label, of } of chosen)
        expect(series.some((one) => one.__name__ === of && label in one)).toBe(true);
    });

    it('evaluates every rule, and has all their metrics and labels', async () => {
      const rules = await prometheus.rules();
      expect(rules.length).toBeGreaterThan(50);
      expect(rules.filter(({ health }) => health === 'err')).toEqual([]);
      expect(rules.flatMap(({ query }) => missing(query))).toEqual([]);
    });

    async function isFilled([expression, legend]: Query): Promise<boolean> {
      const found = await prometheus.query(asked(expression));
      const labels = labelsIn(legend);
      return found.length > 0 && found.every((one) => labels.every((label) => label in one));
    }

    async function jobsOf(expression: string): Promise<string[]> {
      return (await prometheus.query(expression)).map(({ job = '' }) => job).sort();
    }

    /** Metrics and labels of an expression that no series has. */
    function missing(expression: string): string[] {
      const selectors = selectorsOf(expression).filter(
        ({ metric }) => metric !== OF_PROMETHEUS && !recorded.has(metric),
      );
      const found = selectors.flatMap(({ metric }) => series.filter((one) => one.__name__ === metric));
      const groupings = groupingsOf(expression).filter((label) => !found.some((one) => label in one));
      return [
        ...selectors.flatMap(missingOf),
        ...(found.length > 0 ? groupings.map((label) => `${label} in ${expression}`) : []),
      ];
    }

    function missingOf({ metric, labels }: Selector): string[] {
      const found = series.filter((one) => one.__name__ === metric);
      if (found.length === 0) return [metric];
      return [...labels].flatMap(([label, values]) => {
        const there = new Set(found.map((one) => one[label]));
        if (found.every((one) => !(label in one))) return [`${metric}{${label}}`];
        return COME_LATER.has(label) || COME_LATER.has(`${metric}.${label}`)
          ? []
          : values.filter((value) => !there.has(value)).map((value) => `${metric}{${label}="${value}"}`);
      });
    }
  },
);

/** Exists only while an alert is pending. */
const OF_PROMETHEUS = 'ALERTS';
/** Labels whose values appear only with an error or rare outcome. */
const COME_LATER: ReadonlySet<string> = new Set([
  'code',
  'status',
  'outcome',
  'envoy_response_code_class',
  'webhook_deliveries_total.reason',
]);

/** A panel's expression with Grafana's variables replaced. */
function asked(expression: string): string {
  return expression.replaceAll('$__rate_interval', '5m').replaceAll(/\$(?:job|instance)\b/g, '.+');
}

function labelsIn(legend: string): string[] {
  return [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
}
