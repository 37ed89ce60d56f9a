import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { call } from '../api/call.ts';
import { Page } from '../frame/page.tsx';
import { hrefOf } from '../parts/hrefs.ts';
import { clockText } from '../text/clock-text.ts';
import { jsonText, parsed } from '../text/json-text.ts';
import { namedThings } from './named-things.ts';

interface LogLine {
  readonly service: string;
  readonly at_ms: number;
  /** Such as "info" or "error". */
  readonly level: string;
  readonly message: string;
  /** All members of the line, as JSON. */
  readonly json: string | object;
}

interface RequestLines {
  readonly lines: readonly LogLine[];
  /** Which logs were searched. */
  readonly searched: string;
  /** The lines in the deployment's own store of logs. */
  readonly url?: string;
}

/** The log lines of a request, in all services. */
export function RequestPage({ id }: { id: string }) {
  const path = `/requests/${encodeURIComponent(id)}`;
  const loaded = useLoaded(() => call<RequestLines>('GET', path), [id]);
  return (
    <Page
      title={`Request ${id}`}
      heading={
        <>
          Request <code>{id}</code>
        </>
      }
    >
      <WhenLoaded loaded={loaded}>
        {({ lines, searched, url }) => (
          <>
            <p class="quiet">{searched}</p>
            {url && /^https?:/.test(url) && (
              <p>
                <a href={url}>Look in the store of logs</a>
              </p>
            )}
            {lines.length === 0 ? (
              <EmptyState icon="search">No log line has this request ID.</EmptyState>
            ) : (
              <ol class="log-lines">
                {lines.map((line, index) => (
                  <Line key={`${index} ${line.at_ms}`} line={line} />
                ))}
              </ol>
            )}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function Line({ line: { service, at_ms, level, message, json } }: { line: LogLine }) {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return (
    <li class="card">
      <p>
        <LevelBadge level={level} /> <strong>{service}</strong>{' '}
        <time dateTime={new Date(at_ms).toISOString()} class="quiet">
          {clockText(at_ms)}
        </time>
      </p>
      <p>
        {message}
        <NamedThings line={parsed(text)} />
      </p>
      <details>
        <summary class="quiet">{summaryOf(text)}</summary>
        <pre>{indented(text)}</pre>
      </details>
    </li>
  );
}

/** What the line is about, each with a link to its page. */
function NamedThings({ line }: { line: unknown }) {
  return namedThings(line).map(({ text, link }) => (
    <span key={text} class="quiet">
      {' · '}
      {link ? <a href={hrefOf(link.kind, link.id)}>{text}</a> : text}
    </span>
  ));
}

function LevelBadge({ level }: { level: string }) {
  if (level === 'error' || level === 'fatal') return <Badge kind="danger">{level}</Badge>;
  return <Badge kind={level === 'warn' ? 'warning' : 'neutral'}>{level}</Badge>;
}

/** Members that the line shows already. */
const SHOWN = new Set(['level', 'time', 'name', 'msg', 'request_id']);
const MAX_SUMMARY = 120;

function summaryOf(json: string): string {
  const line = parsed(json);
  if (typeof line !== 'object' || line === null) return json;
  const others = Object.fromEntries(Object.entries(line).filter(([name]) => !SHOWN.has(name)));
  const text = jsonText(JSON.stringify(others)) || 'All members';
  return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}…` : text;
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
