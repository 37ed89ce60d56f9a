import type { Change } from './diff.ts';

/** Changes as before and after. */
export function DiffList({ changes }: { changes: readonly Change[] }) {
  return (
    <dl class="diff">
      {changes.map(({ path, before, after }) => (
        <div key={path}>
          <dt>{path || 'value'}</dt>
          <dd>
            {before !== undefined && <del>{before}</del>}
            {after !== undefined && <ins>{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
