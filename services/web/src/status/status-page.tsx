import { Ago } from '../shared/ago.tsx';
import { ApiError } from '../shared/api/api-error.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { usePolled } from '../shared/api/use-polled.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Page } from '../shared/page.tsx';
import { Badge } from '../shared/ui/badge.tsx';
import { Card } from '../shared/ui/card.tsx';
import { Row, Rows } from '../shared/ui/rows.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';

/** The body of /status.json. */
interface Status {
  readonly status: 'up' | 'degraded' | 'down';
  readonly services: readonly {
    readonly name: string;
    readonly status: 'up' | 'down';
    readonly since: string;
  }[];
}

const EVERY_MS = 15_000;
const TIMEOUT_MS = 10_000;

/** Which parts of the platform work now (docs/web.md#status). */
export function StatusPage() {
  const loaded = useLoaded(loadStatus, []);
  usePolled(loaded.reload, { every_ms: EVERY_MS });
  return (
    <Page title={i18n._('Status')} offersSignIn>
      <WhenLoaded loaded={loaded}>{(status) => <Services {...status} />}</WhenLoaded>
    </Page>
  );
}

function Services({ status, services }: Status) {
  return (
    <>
      <p role="status">{summaries()[status]}</p>
      <Card title={i18n._('Parts')}>
        <Rows>
          {services.map(({ name, status, since }) => (
            <Row
              key={name}
              title={names()[name] ?? name}
              details={
                <>
                  {i18n._('Last change:')} <Ago time={since} />
                </>
              }
              actions={
                status === 'up' ? (
                  <Badge>{i18n._('Works')}</Badge>
                ) : (
                  <Badge kind="danger">{i18n._('Does not answer')}</Badge>
                )
              }
            />
          ))}
        </Rows>
      </Card>
    </>
  );
}

function summaries(): Readonly<Record<Status['status'], string>> {
  return {
    up: i18n._('Everything works.'),
    degraded: i18n._('Some parts do not answer. The others work.'),
    down: i18n._('Nothing answers at the moment.'),
  };
}

/** The services by what people use them for. */
function names(): Readonly<Record<string, string>> {
  return {
    ratelimit: i18n._('Limits'),
    auth: i18n._('Accounts and sign-in'),
    chat: i18n._('Guilds and messages'),
    oauth2: i18n._('Applications'),
    webhook_delivery: i18n._('Webhooks'),
    media: i18n._('Pictures'),
    realtime: i18n._('Live updates'),
  };
}

/** @throws ApiError */
async function loadStatus(): Promise<Status> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch('/status.json', { signal, credentials: 'omit', cache: 'no-store' });
    if (!response.ok) throw new ApiError(response.status, {});
    return (await response.json()) as Status;
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(0, {});
  }
}
