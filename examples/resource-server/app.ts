import Fastify, { type FastifyRequest } from 'fastify';

const { GATEHOUSE_URL = 'http://127.0.0.1:8080', CLIENT_ID, CLIENT_SECRET, PORT = '3000' } = process.env;
if (!CLIENT_ID || !CLIENT_SECRET) exit('Set CLIENT_ID and CLIENT_SECRET to those of your application.');
/** The applications whose tokens are taken: introspection reports those of every application as active. */
const CLIENTS = new Set((process.env.ACCEPTED_CLIENT_IDS || CLIENT_ID).split(','));
const TIMEOUT_MS = 5_000;

/** The answer of introspection (RFC 7662). An inactive token has `active` alone. */
interface Introspection {
  readonly active: boolean;
  readonly token_type?: string;
  readonly client_id?: string;
  readonly scope?: string;
  readonly sub?: string;
}

/** A refusal, as RFC 6750 describes it. */
class Refusal extends Error {
  readonly statusCode: number;
  constructor(statusCode: number, error: string) {
    super(error);
    this.statusCode = statusCode;
  }
}

const app = Fastify({ logger: { level: 'error' } });

app.setErrorHandler((error: Error, _request, reply) => {
  if (!(error instanceof Refusal)) return reply.code(503).send({ error: 'temporarily_unavailable' });
  const { statusCode, message } = error;
  return reply
    .code(statusCode)
    .header('www-authenticate', `Bearer error="${message}"`)
    .send({ error: message });
});

/** Each route names the one scope that it needs. */
app.get('/notes', async (request) => {
  const user_id = await requireUser(request, 'identify');
  return { notes: [`A note of ${user_id}`] };
});

/** The user of the access token. Every request asks Gatehouse, so a revoked token is refused at once. */
async function requireUser({ headers }: FastifyRequest, scope: string): Promise<string> {
  const token = /^Bearer ([\w-]+)$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal(401, 'invalid_token');
  const found = await introspect(token);
  // A refresh token is active too, but it is for the token route alone.
  const isAccepted = found.active && found.token_type === 'Bearer' && CLIENTS.has(found.client_id ?? '');
  if (!isAccepted || found.sub === undefined) throw new Refusal(401, 'invalid_token');
  if (!found.scope?.split(' ').includes(scope)) throw new Refusal(403, 'insufficient_scope');
  return found.sub;
}

async function introspect(token: string): Promise<Introspection> {
  const basic = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
  const response = await fetch(`${GATEHOUSE_URL}/api/v1/oauth2/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`introspection is ${response.status}: ${await response.text()}`);
  return (await response.json()) as Introspection;
}

await introspect('none').catch((error: Error) =>
  exit(`Gatehouse at ${GATEHOUSE_URL} does not answer as it should: ${error.message}`),
);
await app.listen({ port: Number(PORT) });
console.log(`GET http://127.0.0.1:${PORT}/notes takes access tokens with the scope identify.`);

function exit(message: string): never {
  console.error(message);
  process.exit(1);
}
