import type { Route } from '@gatehouse/gateway/route';

/** A line of a table of routes whose last column, `Served`, says whether the edge has the route. */
const LINE = /^(\| `([A-Z]+ \/[^\s`]*)` .* \| )(yes|not yet)( *)( \|)$/gm;

/** A page of docs/ with the `Served` columns of its tables regenerated. */
export function withServedColumns(page: string, rows: readonly Route[]): string {
  const served = new Set(rows.map(({ verb, path }) => `${verb} ${path}`));
  return page.replaceAll(
    LINE,
    (_, before: string, route: string, was: string, blanks: string, end: string) => {
      const cell = served.has(route) ? 'yes' : 'not yet';
      return before + cell.padEnd(was.length + blanks.length) + end;
    },
  );
}
