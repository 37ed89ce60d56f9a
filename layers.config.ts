import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

/**
 * The layers and their allowed imports (ARCHITECTURE.md), imports of types included. `npm run check -- layers` reports
 * all others.
 */
interface Layer {
  readonly name: string;
  /** The files of the layer: a regular expression over paths from the root. */
  readonly from: string;
  /** Paths that these files may import; $1 is the group of `from`. */
  readonly may: readonly string[];
}

const PROJECT =
  '^(?:proto|kit|gateway|services|clients|cli|sdk|runner|stack|bench|drill|release|scripts|deploy|test-e2e)/(?!node_modules/)';
const PROTO = '^proto/';
/** Contracts that belong to no service. */
const BASE_PROTO = '^proto/(?!gen/gatehouse/)';
const KIT = '^kit/src/';
/** The kit without the implementations of the links. */
const OPEN_KIT = '^kit/src/(?!rpc/(?:stream|unary|direct)/)';
const CLIENTS = '^services/[^/]+/(?:kit-)?client/src/';
/** The client that other repositories install: it has no kit. */
const PUBLISHED_CLIENT = '^services/ratelimit/client/src/';
/** Test support that several services share. */
const CLIENT_TESTS = '^services/[^/]+/(?:kit-)?client/test/';
const CERTIFICATES = '^kit/certificates/src/';
/** The kit, and the tools of scripts and tests. */
const TOOLS = '^kit/(?:dev-env/)?src/';

/** Data of the edge, and functions of services that need no server, for the command line. */
const ROUTE_TABLE = '^gateway/src/(?:routes/index|route|service-definitions)\\.ts$';
const RENDERERS = '^services/webhook-delivery/src/render\\.ts$';
const DESCRIPTOR_FILES = '^services/ratelimit/src/descriptor-files\\.ts$';
const REDIS_FACTS = '^services/ratelimit/src/inspect-redis\\.ts$';
const CONFIGS = '^(?:gateway|services/[^/]+)/src/config\\.ts$';
const STARTS = '^services/[^/]+/src/(?:start|config)\\.ts$';

/** The pages of the console, their build, and the tests of their rules. */
const CONSOLE_PAGES = '^services/console/(?:(?:test/)?web/|vite\\.config\\.ts$)';

/** They measure internals of services, or compare them with their own. */
const INSIDERS = '^(?:bench|deploy/observability/test|services/web/test)/';

const LAYERS: readonly Layer[] = [
  { name: 'proto', from: '^proto/', may: [PROTO] },
  { name: 'kit', from: '^kit/src/', may: [KIT, BASE_PROTO] },
  { name: 'kit/certificates', from: '^(kit/certificates)/', may: ['^$1/', KIT] },
  { name: 'kit/dev-env', from: '^(kit/dev-env)/', may: ['^$1/', KIT, CERTIFICATES] },
  { name: 'kit/test', from: '^kit/test/', may: ['^kit/', BASE_PROTO] },
  { name: 'clients', from: CLIENTS, may: [CLIENTS, OPEN_KIT, PROTO] },
  { name: 'clients in other languages', from: '^(clients)/', may: ['^$1/', TOOLS, CERTIFICATES] },
  { name: 'the published client', from: PUBLISHED_CLIENT, may: [PUBLISHED_CLIENT, PROTO] },
  { name: 'web', from: '^(services/web)/src/', may: ['^$1/src/', '^proto/gen/'] },
  {
    // They are built with the web app's plugins, of its components.
    name: 'pages of the console',
    from: CONSOLE_PAGES,
    may: ['^services/console/web/', '^services/web/(?:src/shared|generate)/', '^proto/gen/'],
  },
  {
    name: 'services',
    from: '^(services/(?!web/)[^/]+|gateway)/src/',
    may: ['^$1/src/', CLIENTS, OPEN_KIT, PROTO],
  },
  {
    name: 'tests of services',
    from: '^(services/(?!web/)[^/]+|gateway)/(?!src/|(?:test/)?web/|vite\\.config\\.ts$|(?:kit-)?client/src/)',
    may: ['^$1/', CLIENTS, CLIENT_TESTS, TOOLS, PROTO],
  },
  {
    // The portal and the service accept the same redirect URIs.
    name: 'tests of the web app',
    from: '^(services/web)/(?!src/)',
    may: ['^$1/', PROTO, '^services/oauth2/(?:src/applications|test)/redirect-uris?\\.ts$'],
  },
  {
    name: 'cli',
    from: '^cli/src/',
    may: [
      '^cli/src/',
      OPEN_KIT,
      PROTO,
      CERTIFICATES,
      ROUTE_TABLE,
      RENDERERS,
      DESCRIPTOR_FILES,
      REDIS_FACTS,
      CONFIGS,
    ],
  },
  {
    name: 'tests of the cli',
    from: '^cli/test/',
    may: ['^cli/', OPEN_KIT, PROTO, TOOLS, CERTIFICATES, ROUTE_TABLE, RENDERERS, STARTS],
  },
  // Other repositories install it: it has no kit, and its types come from the OpenAPI document.
  { name: 'sdk', from: '^sdk/src/', may: ['^sdk/src/'] },
  { name: 'tests of the sdk', from: '^sdk/(?!src/)', may: ['^sdk/', TOOLS, ROUTE_TABLE] },
  { name: 'runner', from: '^(runner)/', may: ['^$1/', PROTO, TOOLS, STARTS] },
  { name: 'stack', from: '^(stack)/', may: ['^$1/', PROTO, TOOLS, STARTS, '^(?:cli/src/stack|runner)/'] },
  {
    name: 'bench',
    from: '^(bench)/',
    may: ['^$1/', PROTO, TOOLS, CERTIFICATES, '^(?:gateway|services|stack)/'],
  },
  { name: 'drill', from: '^(drill)/', may: ['^$1/', TOOLS, '^(?:cli|stack)/'] },
  { name: 'release', from: '^(release)/', may: ['^$1/', TOOLS, '^stack/'] },
  {
    name: 'scripts',
    from: '^(scripts)/',
    may: [
      '^$1/',
      PROTO,
      TOOLS,
      CERTIFICATES,
      '^(?:gateway|services|cli|sdk|runner|stack)/',
      '^deploy/observability/panels/',
    ],
  },
  {
    name: 'deploy',
    from: '^(deploy)/',
    may: ['^$1/', PROTO, TOOLS, CERTIFICATES, '^services/[^/]+/src/metrics\\.ts$', '^(?:runner|stack)/'],
  },
];

const RULES: readonly IForbiddenRuleType[] = [
  ...LAYERS.map(({ name, from, may }): IForbiddenRuleType => {
    return { name, from: { path: from }, to: { path: PROJECT, pathNot: [...may] } };
  }),
  {
    name: 'a package is imported by its name, so only what it exports',
    from: {
      path: '^(proto|kit|gateway|services/[^/]+|cli|sdk|runner|stack|bench|drill|release|scripts|deploy|test-e2e)/',
      pathNot: INSIDERS,
    },
    to: {
      path: '^(?:proto|kit|gateway|services|cli|sdk|runner|stack|bench|drill)/',
      pathNot: ['^$1/', CLIENT_TESTS],
      dependencyTypes: ['local'],
      dependencyTypesNot: ['aliased'],
    },
  },
  {
    name: 'the web app takes only types of the contracts',
    from: { path: '^services/(?:web/src|console/web)/' },
    to: { path: PROTO, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'an RPC file imports no other: what they share is a rule, or in store/',
    from: { path: '^(services/[^/]+/src/rpc)/(?!index\\.ts$)' },
    to: { path: '^$1/' },
  },
  {
    name: 'SQL is in store/',
    from: { path: '^services/[^/]+/src/rpc/(?!index\\.ts$)' },
    to: { path: '/src/generated/|(?:^|/)node_modules/(?:pg|@prisma/[^/]+)/' },
  },
  {
    name: 'store/ imports no rules',
    from: { path: '^(services/[^/]+/src)/store/' },
    to: { path: '^$1/[^/]+/', pathNot: '^$1/(?:store|generated)/' },
  },
];

export const LAYERS_OPTIONS: ICruiseOptions = {
  validate: true,
  ruleSet: { forbidden: [...RULES] },
  parser: 'swc',
  moduleSystems: ['es6'],
  tsPreCompilationDeps: true,
  skipAnalysisNotInRules: true,
  doNotFollow: { path: ['node_modules', '/(?:gen|generated)/'] },
  exclude: { path: '/dist/' },
};

/** So the packages' `exports` are followed, as Node follows them. */
export const RESOLVE_OPTIONS = {
  exportsFields: ['exports'],
  conditionNames: ['import', 'node', 'default'],
  extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
};
