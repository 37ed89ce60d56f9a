import { connectRateLimits } from '@gatehouse/ratelimit-client';
import express from 'express';
import { byApiKey, byIp, rateLimit } from './rate-limit.ts';

const limits = connectRateLimits(process.env.RATELIMIT_ADDRESS ?? '127.0.0.1:8081');
const app = express();

app.get(
  '/search',
  rateLimit(limits, { bucket: 'api:key', identities: byApiKey }, { bucket: 'api:ip', identities: byIp }),
  (request, response) => {
    response.json({ found: request.query.q });
  },
);

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close(() => limits.close());
});
