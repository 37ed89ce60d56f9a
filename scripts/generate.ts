import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROUTES } from '@gatehouse/gateway/routes';
import { SDK_FILES } from '@gatehouse/sdk/generate/sdk-files';
import { dashboardOf } from '../deploy/observability/panels/dashboard.ts';
import { DASHBOARDS } from '../deploy/observability/panels/dashboards.ts';
import { withBucketTables } from './api-reference/bucket-tables.ts';
import { cliReference } from './api-reference/cli-reference.ts';
import { withErrorTables } from './api-reference/error-tables.ts';
import { withServedColumns } from './api-reference/served-columns.ts';
import { WORKS_WITH } from './api-reference/tested-clients.ts';
import { withClients } from './api-reference/works-with.ts';
import { asyncApiText } from './asyncapi/document.ts';
import { withGatewayTables } from './asyncapi/gateway-tables.ts';
import { FILES } from './manifest/files.ts';
import { openApiText } from './openapi/document.ts';
import { Problems } from './openapi/problems.ts';
import { findOtherRoutes } from './openapi/route-problems.ts';

const HELP = `npm run generate [-- --check]: writes the generated files:

  - the code of the contracts, the buckets and the Prisma schemas, where it is missing or out of date
  - gateway/openapi.json, the description of the HTTP API in OpenAPI, and gateway/asyncapi.json, that of the Gateway in
    AsyncAPI
  - from gateway/openapi.json and gateway/asyncapi.json: sdk/src/generated, the types of @gatehouse/sdk
  - cli/REFERENCE.md, the help of all commands
  - in docs/, the tables of buckets, of error codes, of clients and of the Gateway's close codes, and the column that
    says which routes are served
  - from proto/services.ts: docs/calls.md, and the lists of services in the deployments and README.md
  - in deploy/observability/dashboards, the dashboards for Grafana, from panels/ beside it
  - in clients/, the copies of the buckets that the clients contain (npm run generate:go
    and generate:python write the contract in Go and in Python)

The pages come from the route table, the comments of the .proto files, proto/gatehouse/ratelimit/v1/buckets.json,
proto/errors.ts, the tables of services/realtime/src/protocol.ts, and the texts, examples and tested clients in
scripts/api-reference/ and scripts/asyncapi/. They are committed.

  --check  writes nothing, and ends with 1 when a page or a dashboard is out of date
  --help   this text
`;

const ROOT = new URL('..', import.meta.url);
const OPENAPI = 'gateway/openapi.json';
const ASYNCAPI = 'gateway/asyncapi.json';
const CLI_PAGE = 'cli/REFERENCE.md';
const BUCKETS_PAGE = 'docs/rate-limits.md';
const CLIENTS_PAGE = 'docs/works-with.md';
const ERRORS_PAGE = 'docs/errors.md';
const GATEWAY_PAGE = 'docs/gateway.md';

/** Copies of files, for packages that contain them. */
const COPIES: Readonly<Record<string, string>> = {
  'clients/go/internal/rules/buckets.json': 'proto/gatehouse/ratelimit/v1/buckets.json',
  'clients/python/src/gatehouse_ratelimit/buckets.json': 'proto/gatehouse/ratelimit/v1/buckets.json',
};

/** The new text of a page, made from its current text. */
function pageOf(file: string, current: string): string | Promise<string> {
  if (file === OPENAPI) return openApiText(ROUTES);
  if (file === ASYNCAPI) return asyncApiText();
  if (file === GATEWAY_PAGE) return withGatewayTables(current);
  if (file === CLI_PAGE) return cliReference();
  if (file === CLIENTS_PAGE) return withClients(current, WORKS_WITH);
  if (file === ERRORS_PAGE) return withErrorTables(current);
  const source = COPIES[file];
  if (source !== undefined) return textOf(new URL(source, ROOT));
  const ofServices = FILES[file];
  if (ofServices !== undefined) return ofServices(current);
  const ofSdk = SDK_FILES[file];
  if (ofSdk !== undefined) return ofSdk();
  const dashboard = DASHBOARDS.find(({ name }) => file === dashboardFile(name));
  if (dashboard !== undefined) return `${JSON.stringify(dashboardOf(dashboard), null, 2)}\n`;
  const page = withServedColumns(current, ROUTES);
  return file === BUCKETS_PAGE ? withBucketTables(page, ROUTES) : page;
}

function pages(): string[] {
  const docs = readdirSync(new URL('docs/', ROOT)).filter(
    (name) => name.endsWith('.md') && !(`docs/${name}` in FILES),
  );
  const dashboards = DASHBOARDS.map(({ name }) => dashboardFile(name));
  return [
    OPENAPI,
    ASYNCAPI,
    ...Object.keys(SDK_FILES),
    CLI_PAGE,
    ...Object.keys(FILES),
    ...Object.keys(COPIES),
    ...docs.map((name) => `docs/${name}`),
    ...dashboards,
  ];
}

function dashboardFile(name: string): string {
  return `deploy/observability/dashboards/${name}.json`;
}

async function main(args: string[]): Promise<number> {
  let check: boolean;
  try {
    const { values } = parseArgs({
      args,
      options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help === true) {
      process.stdout.write(HELP);
      return 0;
    }
    check = values.check;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    return 2;
  }
  const stale: string[] = [];
  for (const file of pages()) {
    const path = new URL(file, ROOT);
    const current = textOf(path);
    const page = await pageOrError(file, current);
    if (page === current) continue;
    if (!check) writeFileSync(path, page);
    stale.push(file);
  }
  if (!check || stale.length === 0) return 0;
  for (const file of stale)
    process.stderr.write(`${file} is out of date: npm run generate\n${detailsOf(file)}`);
  return 1;
}

/** The operations of a stale document that are no routes, and the routes that it leaves out. */
function detailsOf(file: string): string {
  if (file !== OPENAPI) return '';
  const problems = new Problems();
  findOtherRoutes(file, textOf(new URL(file, ROOT)), ROUTES, problems);
  return problems
    .lines()
    .map((line) => `  ${line}\n`)
    .join('');
}

/** @throws Error that names the page */
async function pageOrError(file: string, current: string): Promise<string> {
  try {
    return await pageOf(file, current);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** Empty if there is no such file. */
function textOf(path: URL): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

process.exitCode = await main(process.argv.slice(2));
