import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { usePolled } from '@gatehouse/web/shared/api/use-polled.ts';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Card } from '@gatehouse/web/shared/ui/card.tsx';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { call } from '../api/call.ts';
import { Meters } from '../charts/meters.tsx';
import { Page } from '../frame/page.tsx';
import { countText, shareText } from '../text/numbers.ts';
import { closeCodeText } from './close-codes.ts';
import '../charts/charts.css';

interface GatewayReplica {
  readonly address: string;
  readonly up: boolean;
  readonly connections: number;
  readonly resumes: number;
  readonly slow_readers: number;
}

interface GatewayState {
  readonly connections: number;
  readonly resumes: number;
  readonly slow_readers: number;
  /** Closed connections by code. */
  readonly close_codes: Readonly<Record<string, number>>;
  readonly replicas: readonly GatewayReplica[];
}

/** The WebSocket Gateway: its connections, and why they end. */
export function GatewayPage() {
  const loaded = useLoaded(() => call<GatewayState>('GET', '/gateway'), []);
  usePolled(loaded.reload);
  return (
    <Page title="Gateway">
      <WhenLoaded loaded={loaded}>
        {(state) => (state.replicas.length === 0 ? <NoMetrics /> : <State state={state} />)}
      </WhenLoaded>
    </Page>
  );
}

function NoMetrics() {
  return (
    <EmptyState icon="list">
      No process of the Gateway reports its numbers. Set METRICS_LISTEN of realtime, and CONSOLE_METRICS of
      the console (docs/operators.md#the-overview).
    </EmptyState>
  );
}

function State({ state }: { state: GatewayState }) {
  return (
    <>
      <div class="tiles">
        <Count name="Connections" value={state.connections} about="open now" />
        <Count name="Resumes" value={state.resumes} about="since the processes started" />
        <Count name="Slow readers" value={state.slow_readers} about="cut off since the processes started" />
      </div>
      <CloseCodes codes={state.close_codes} />
      <Replicas replicas={state.replicas} />
    </>
  );
}

function Count({ name, value, about }: { name: string; value: number; about: string }) {
  return (
    <div class="tile">
      <span class="tile-name">{name}</span>
      <span class="tile-value">{countText(value)}</span>
      <span class="tile-detail">{about}</span>
    </div>
  );
}

function CloseCodes({ codes }: { codes: GatewayState['close_codes'] }) {
  const counts = Object.entries(codes).sort(([, a], [, b]) => b - a);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Card title="Closed connections, by code">
      {counts.length === 0 ? (
        <p class="quiet">No connection was closed yet.</p>
      ) : (
        <Meters
          meters={counts.map(([code, count]) => ({
            name: closeCodeText(code),
            value: count,
            max: all,
            text: `${countText(count)} (${shareText(count, all)})`,
            isFull: false,
          }))}
        />
      )}
    </Card>
  );
}

function Replicas({ replicas }: { replicas: readonly GatewayReplica[] }) {
  return (
    <Card title="Replicas">
      <Table
        caption="Each process of the Gateway"
        columns={['Address', 'State', 'Connections', 'Resumes', 'Slow readers']}
      >
        {replicas.map(({ address, up, connections, resumes, slow_readers }) => (
          <tr key={address}>
            <td>
              <code>{address}</code>
            </td>
            <td>{up ? <Badge>up</Badge> : <Badge kind="danger">away</Badge>}</td>
            {[connections, resumes, slow_readers].map((count, index) => (
              <td key={String(index)} class="number">
                {up ? countText(count) : '–'}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </Card>
  );
}
