import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { StatusHistory, type StatusView } from '../../src/status/status-history.ts';
import { startEdge } from '../support/edge.ts';
import { httpClient } from '../support/http.ts';

const web_dir = mkdtempSync(join(tmpdir(), 'gatehouse-status-'));
mkdirSync(join(web_dir, 'assets'));
for (const name of ['index', '404', 'status', 'status.de'])
  writeFileSync(join(web_dir, `${name}.html`), `<title>${name}</title>`);
afterAll(() => rmSync(web_dir, { recursive: true }));

async function get(status_page: boolean, path: string): Promise<{ status: number; text: string }> {
  const edge = await startEdge({ config: { web_dir, status_page } });
  const client = httpClient(edge.host, edge.port);
  try {
    const { status, text } = await client.send(`GET /${path}`, { headers: { 'accept-language': 'de' } });
    return { status, text };
  } finally {
    client.close();
    await edge.close();
  }
}

describe('the public status page', () => {
  it('does not exist unless it is turned on', async () => {
    expect((await get(false, '/status')).status).toBe(404);
    expect((await get(false, '/status.json')).status).toBe(404);
  });

  it('is a page in the reader’s language, and JSON that names the services and nothing else', async () => {
    expect(await get(true, '/status')).toEqual({ status: 200, text: '<title>status.de</title>' });
    const { status, text } = await get(true, '/status.json');
    expect(status).toBe(200);
    const view = JSON.parse(text) as StatusView;
    expect(Object.keys(view)).toEqual(['status', 'checked_at', 'services']);
    expect(view.services.map(({ name }) => name).sort()).toEqual([
      'auth',
      'chat',
      'media',
      'oauth2',
      'ratelimit',
      'realtime',
      'webhook_delivery',
    ]);
    for (const service of view.services) expect(Object.keys(service)).toEqual(['name', 'status', 'since']);
  });

  it('keeps since when a service has been in its state', () => {
    const history = new StatusHistory();
    const [first, second, third] = [
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:01.000Z',
      '2026-01-01T00:00:02.000Z',
    ];
    const at = (time: string | undefined, auth: boolean) =>
      history.record({ auth, chat: false }, new Date(time ?? ''));
    expect(at(first, true)).toMatchObject({
      status: 'degraded',
      services: [{ since: first }, { since: first }],
    });
    expect(at(second, true).services[0]).toEqual({ name: 'auth', status: 'up', since: first });
    expect(at(third, false)).toMatchObject({
      status: 'down',
      checked_at: third,
      services: [{ name: 'auth', status: 'down', since: third }, { since: first }],
    });
  });
});
