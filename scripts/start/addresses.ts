/** Where a started suite is found. */
export interface Places {
  /** The edge's URL, or WEB_APP_URL, without a trailing slash. */
  readonly pages: string;
  /** The edge's own URL. Pages for development answer only there. */
  readonly edge: string;
  readonly has_mailbox: boolean;
  /** A one-time link to the console, or its address if there is no link. Undefined without a console. */
  readonly console_url: string | undefined;
  /** The folder of logs, as a path that can be pasted into a command. */
  readonly logs: string;
}

/** What `npm start` prints once every service answers: a line for each place, then what operators need. */
export function addressLines({ pages, edge, has_mailbox, console_url, logs }: Places): string[] {
  return [
    ...placeLines([
      ['web app', `${pages}/account`],
      ['portal', `${pages}/developers`],
      ['docs', `${pages}/docs`],
      ['mailbox', has_mailbox ? `${edge}/dev/mail` : undefined],
      ['components', has_mailbox ? `${edge}/dev/components` : undefined],
      ['logs', logs],
    ]),
    '  try: npm run demo',
    '  for operators (docs/operators.md)',
    ...placeLines([
      ['console', console_url && consoleText(console_url)],
      ['state', console_url && 'npm run gatehouse -- status'],
      ['checks', 'npm run gatehouse -- doctor'],
    ]),
  ];
}

/** The URL comes last in its line, so that a terminal and a person can copy it. */
function consoleText(url: string): string {
  return url.includes('/link#') ? `(the link works once) ${url}` : url;
}

function placeLines(rows: readonly (readonly [name: string, place: string | undefined])[]): string[] {
  const shown = rows.flatMap(([name, place]) => (place === undefined ? [] : [{ name, place }]));
  const width = Math.max(...shown.map(({ name }) => name.length));
  return shown.map(({ name, place }) => `  ${name.padEnd(width)}  ${place}`);
}
