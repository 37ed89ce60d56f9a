import { type ComponentChildren, Fragment } from 'preact';
import { useId } from 'preact/hooks';
import { durationText, rateText, shareText } from '../text/numbers.ts';
import type { RouteStatistics } from './route-statistics.ts';

/** A route, and below it, while it is open, what `children` shows. */
export function RouteRow(props: {
  route: RouteStatistics;
  isOpen: boolean;
  toggle: () => void;
  children: ComponentChildren;
}) {
  const { route, isOpen, toggle, children } = props;
  const id = useId();
  return (
    <>
      <tr>
        <td class="route">
          <button type="button" class="plain" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
            <code>
              {route.route.split(/(?=\/)/).map((part, index) => (
                <Fragment key={String(index)}>
                  {index > 0 && <wbr />}
                  {part}
                </Fragment>
              ))}
            </code>
          </button>
        </td>
        <td class="number">{rateText(route.rate)}</td>
        <td class={route.errors > 0 ? 'number bad' : 'number'}>
          {rateText(route.errors)}
          {route.errors > 0 && ` (${shareText(route.errors, route.rate)})`}
        </td>
        <td class="number">{latencyText(route.p50_ms)}</td>
        <td class="number">{latencyText(route.p99_ms)}</td>
      </tr>
      <tr id={id} hidden={!isOpen}>
        <td colSpan={5}>{isOpen && children}</td>
      </tr>
    </>
  );
}

function latencyText(ms: number | null): string {
  return ms == null ? '–' : durationText(ms);
}
