import { readFile } from 'node:fs/promises';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { type DataFolder, testDataFolder } from '@gatehouse/dev-env/data-folder';
import { PEERS } from '@gatehouse/proto/peers';
import { PROCESSES } from '@gatehouse/stack/processes';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayTraffic } from '../observability/gateway-traffic.ts';
import { consecutivePorts } from '../support/consecutive-ports.ts';
import { newcomer, newWebhook } from '../support/people.ts';
import { png } from '../support/png.ts';
import { type OwnStack, openStack, PROXIED } from '../support/stack.ts';
import { readMetricsTable, readScrape, type Scrape } from './scrape.ts';

const DOCS = new URL('../../docs/telemetry.md', import.meta.url);
/** Default metrics of prom-client, which the page lists as a group. */
const ofNode = new Registry();
collectDefaultMetrics({ register: ofNode });
const OF_NODE: ReadonlySet<string> = new Set(ofNode.getMetricsAsArray().map(({ name }) => name));

describe('the metrics of a stack after some traffic', () => {
  let stack: OwnStack;
  let certificates: DataFolder;
  const scrapes = new Map<string, Scrape>();
  let text = '';

  beforeAll(async () => {
    certificates = await testDataFolder('certificates');
    const folder = await openCertificateFolder(certificates.path, { name: 'test', valid_days: 1 });
    for (const name of PEERS) await folder.issue(name, { domain: 'gatehouse.internal', valid_days: 1 });
    const first = await consecutivePorts(PROCESSES.length);
    stack = await openStack({
      ...PROXIED,
      RPC_TLS_DIR: certificates.path,
      METRICS_LISTEN: `127.0.0.1:${first}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    });
    await someTraffic();
    for (const [index, { name }] of PROCESSES.entries()) {
      const answer = await fetch(`http://127.0.0.1:${first + index}/metrics`);
      const shown = await answer.text();
      expect(answer.status, shown).toBe(200);
      scrapes.set(name, readScrape(shown));
      text += shown;
    }
  });
  afterAll(async () => {
    await stack?.close();
    await certificates.remove();
  });

  async function someTraffic(): Promise<void> {
    const { api } = stack;
    const person = await newcomer(api);
    await api.post('/auth/login', { email: person.email, password: 'wrong' });
    const login = await api.post('/auth/login', { email: person.email, password: person.password });
    await api.as(`Bearer ${login.json<{ token: string }>().token}`).post('/auth/logout');
    await person.api.post('/oauth2/applications', { name: 'Robot' });
    const avatar = png(2, 1).toString('base64');
    await person.api.send('PATCH', '/users/@me', { body: { avatar } });
    const hook = await newWebhook(api);
    await hook.say({ content: 'x' });
    await gatewayTraffic(stack.url, hook);
    await api.post(`${hook.path}x`, { content: 'x' });
    await api.get('/nowhere');
  }

  it('are exactly those that docs/telemetry.md lists for each process', async () => {
    const documented = readMetricsTable(await readFile(DOCS, 'utf8'));
    const listed = documented.flatMap(({ name, kind, of }) =>
      [...of].map((process) => `${process}: ${name} ${kind}`),
    );
    const shown = [...scrapes].flatMap(([process, metrics]) =>
      [...metrics]
        .filter(([name]) => !OF_NODE.has(name))
        .map(([name, { kind }]) => `${process}: ${name} ${kind}`),
    );
    expect(shown.toSorted()).toEqual(listed.toSorted());
    for (const { name, labels, of } of documented)
      for (const process of of)
        for (const label of scrapes.get(process)?.get(name)?.labels ?? [])
          expect(labels, `${name} of ${process}`).toContain(label);
  });

  it.each([
    'http_server_request_duration_seconds_count{method="POST",route="/webhooks/{webhook_id}/{token}",status="200"} 1',
    'http_server_request_duration_seconds_count{method="GET",route="(unmatched)",status="404"} 1',
    'auth_logins_total{step="password",outcome="wrong"} 1',
    'auth_logins_total{step="password",outcome="session"} 1',
    'auth_sessions_started_total{step="registration"} 2',
    'auth_sessions_ended_total{reason="logout"} 1',
    'batch_waiting{batch="find_webhook"} 0',
    'outbox_waiting{outbox="webhook_changes"} 0',
    'outbox_waiting{outbox="ended_bots"} 0',
    'outbox_waiting{outbox="bot_disablements"} 0',
    'media_decoding_seconds_count 1',
    'webhook_deliveries_total{dialect="webhook",outcome="posted",reason=""} 1',
  ])('include %s', (line) => {
    expect(text.split('\n')).toContain(line);
  });

  it.each([
    /^rpc_server_duration_seconds_count\{service="gatehouse\.chat\.v1\.ChatService",method="CreateWebhookMessage",code="OK"\} 1$/m,
    /^rpc_client_failures_total\{service="gatehouse\.auth\.v1\.AuthService",method="Login",code="INVALID_ARGUMENT"\} 1$/m,
    /^db_query_duration_seconds_count\{statement="post_messages"\} 2$/m,
    /^db_query_duration_seconds_count\{statement="SELECT [a-z_]+"\} \d+$/m,
    /^batch_size_count\{batch="find_webhook"\} [12]$/m,
    /^auth_password_hashing_seconds_count [3-9]$/m,
    /^trace_spans_total [1-9]\d*$/m,
    /^db_pool_connections\{state="idle"\} [1-9]$/m,
  ])('include %s', (line) => {
    expect(text).toMatch(line);
  });
});
