import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { usePages } from '../api/use-pages.ts';
import { Page } from '../frame/page.tsx';
import { PagedList } from '../parts/paged-list.tsx';
import { QueryForm } from '../parts/query-form.tsx';
import { At } from '../parts/when.tsx';
import { go, hereWith, query } from '../router/place.ts';
import { diffOf } from './diff.ts';
import { DiffList } from './diff-list.tsx';
import { targetHref } from './target-href.ts';
import './log.css';

/** A line of the operators' log. */
interface LoggedAction {
  readonly id: string;
  readonly at_ms: number;
  readonly operator: string;
  readonly role: string;
  readonly ip: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  /** "started", "done", "failed: " and why, or "unknown: " and why. */
  readonly outcome: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The operators' log: who did what to whom, why, and what changed. */
export function LogPage() {
  const operator = query.value.get('operator') ?? '';
  const list = usePages<LoggedAction>('/log', { operator });
  return (
    <Page
      title="Operators’ log"
      actions={
        <a class="button" href="/api/log.jsonl" download="operators-log.jsonl">
          Download as JSON lines
        </a>
      }
    >
      <QueryForm
        label="By operator"
        hint="A name. Leave it empty for all operators."
        submit="Filter"
        value={operator}
        onSubmit={(name) => name !== operator && go(hereWith({ operator: name }))}
      />
      <PagedList
        list={list}
        empty={
          <EmptyState icon="list">
            {operator
              ? `The log has no line of an operator “${operator}”.`
              : 'No operator has done anything yet. Each action leaves a line here.'}
          </EmptyState>
        }
      >
        {(actions) => (
          <ol class="card rows log">
            {actions.map((action) => (
              <ActionLine key={action.id} action={action} />
            ))}
          </ol>
        )}
      </PagedList>
    </Page>
  );
}

function ActionLine({ action: line }: { action: LoggedAction }) {
  const { at_ms, operator, role, ip, action, target, reason, outcome, before, after } = line;
  const href = targetHref(target);
  const changes = diffOf(before, after);
  return (
    <li>
      <div class="log-words">
        <p>
          <bdi>
            <strong>{operator}</strong>
          </bdi>{' '}
          <span class="log-action">{action}</span> {href ? <a href={href}>{target}</a> : <bdi>{target}</bdi>}{' '}
          <Outcome outcome={outcome} />
        </p>
        {reason && (
          <p>
            <bdi>“{reason}”</bdi>
          </p>
        )}
        <p class="quiet">
          <At ms={at_ms} /> · {role} · {ip}
        </p>
        {changes.length > 0 && (
          <details>
            <summary>What changed</summary>
            <DiffList changes={changes} />
          </details>
        )}
      </div>
    </li>
  );
}

function Outcome({ outcome }: { outcome: string }) {
  if (outcome === 'done') return <Badge>done</Badge>;
  return <Badge kind={outcome.startsWith('failed') ? 'danger' : 'warning'}>{outcome}</Badge>;
}
