import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { usePolled } from '@gatehouse/web/shared/api/use-polled.ts';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Card } from '@gatehouse/web/shared/ui/card.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import type { ComponentChildren } from 'preact';
import { call } from '../api/call.ts';
import { Page } from '../frame/page.tsx';
import { ActionMenu, type OfferedAction } from '../parts/action-menu.tsx';
import { Unavailable } from '../parts/unavailable.tsx';
import { When } from '../parts/when.tsx';
import { countText, durationText } from '../text/numbers.ts';
import { type JobProcess, type ListedJob, outboxes, periodicJobs } from './job-list.ts';

interface JobsAnswer {
  readonly processes: readonly JobProcess[];
  readonly unavailable?: readonly string[];
}

/** The background work of all processes: what waits, since when, and what runs. */
export function JobsPage() {
  const loaded = useLoaded(() => call<JobsAnswer>('GET', '/jobs'), []);
  usePolled(loaded.reload);
  return (
    <Page title="Jobs and outboxes">
      <WhenLoaded loaded={loaded}>
        {({ processes, unavailable }) => (
          <>
            <Unavailable services={unavailable} />
            <Card title="Outboxes">
              <JobTable
                caption="The longest wait first"
                columns={['Rows that wait', 'Longest wait']}
                jobs={outboxes(processes)}
                cells={({ job }) => [
                  countText(job.waiting ?? 0),
                  job.oldest_ms == null ? '–' : durationText(job.oldest_ms),
                ]}
                onDone={loaded.reload}
              />
            </Card>
            <Card title="Periodic jobs">
              <JobTable
                caption="By service"
                columns={[]}
                jobs={periodicJobs(processes)}
                cells={() => []}
                onDone={loaded.reload}
              />
            </Card>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function JobTable(props: {
  caption: string;
  columns: readonly string[];
  jobs: readonly ListedJob[];
  cells: (job: ListedJob) => readonly ComponentChildren[];
  onDone: () => unknown;
}) {
  const { caption, columns, jobs, cells, onDone } = props;
  if (jobs.length === 0) return <p class="quiet">No process reports one.</p>;
  return (
    <Table caption={caption} columns={['Job', 'Process', ...columns, 'Last run', 'Action']}>
      {jobs.map((listed) => (
        <tr key={`${listed.process.service} ${listed.process.address} ${listed.job.name}`}>
          <td>
            {listed.job.name} {listed.job.running && <Badge>running</Badge>}
          </td>
          <td>
            {listed.process.service} <code class="quiet">{listed.process.address}</code>
          </td>
          {cells(listed).map((cell, index) => (
            <td key={columns[index]}>{cell}</td>
          ))}
          <td>
            <When ms={listed.job.last_run_at_ms} />
          </td>
          <td>
            <ActionMenu actions={[running(listed)]} onDone={onDone} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function running({ process: { service, address }, job: { name } }: ListedJob): OfferedAction {
  return {
    name: 'job.run',
    label: 'Run now',
    kind: 'primary',
    title: `Run ${name} of ${service} now?`,
    submit: 'Run now',
    consequences: [
      'It runs at once instead of at its next time. If it runs already, it runs once more afterwards.',
    ],
    done: `${name} of ${service} was started.`,
    act: async (reason) => {
      await call('POST', '/jobs/run', { service, address, name, reason });
      return undefined;
    },
  };
}
