import type { ComponentChildren } from 'preact';

/** A table. A narrow screen scrolls it sideways, also by key. */
export function Table(props: {
  caption: string;
  columns: readonly string[];
  /** Rows: `<tr>` with `<td>`. */
  children: ComponentChildren;
}) {
  const { caption, columns, children } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1)
    <section class="table" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
