import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { requestDurations } from '../../src/log/request-durations.ts';
import { ROUTES } from '../../src/routes/index.ts';

test('a scrape has at most 8 KB for a route that was answered with six statuses', async () => {
  const registry = new Registry();
  const durations = requestDurations(registry);
  for (const { path, verb } of ROUTES)
    for (const status of [200, 400, 401, 403, 404, 429]) durations(path)(verb, status, 12);
  const text = await registry.metrics();
  expect(text).toContain(
    'http_server_request_duration_seconds_count{method="POST",route="/auth/login",status="429"}',
  );
  expect(text.length / ROUTES.length).toBeLessThan(8_000);
});
