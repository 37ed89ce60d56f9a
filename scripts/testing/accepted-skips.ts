import { spawnSync } from 'node:child_process';

/** Tests that CI may leave out. */
export interface AcceptedSkip {
  /** The test file, from the root of the project. */
  readonly file: string;
  /** Its tests whose full name matches. Default: all. */
  readonly name?: RegExp;
  readonly reason: string;
}

const ROOT = 'needs root';

/** Succeeds with pip and a Python for which requirements are pinned. */
const HAS_PIP = 'import pip, sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))';

/** Any other skipped test fails a CI run. */
export const ACCEPTED_SKIPS: readonly AcceptedSkip[] = [
  ...(process.getuid?.() === 0
    ? []
    : [
        { file: 'kit/dev-env/test/shared-folder.test.ts', name: /somebody else's folder$/, reason: ROOT },
        { file: 'kit/dev-env/test/embedded-postgres.test.ts', name: /^as root /, reason: ROOT },
        { file: 'kit/test/db/pgbouncer.outer.test.ts', reason: 'needs pgbouncer, which root installs' },
      ]),
  ...(spawnSync('go', ['version']).status === 0
    ? []
    : [
        {
          file: 'test-e2e/clients/grpc/grpc-tools.outer.test.ts',
          name: /^grpcurl /,
          reason: 'needs Go, which builds grpcurl',
        },
        {
          file: 'test-e2e/clients/clients.outer.test.ts',
          name: /^golang\.org\/x\/oauth2 /,
          reason: 'needs Go, which builds the client',
        },
        { file: 'bench/test/stream-load.outer.test.ts', reason: 'needs Go, which builds the load generator' },
        {
          file: 'test-e2e/clients/api/docs-examples.outer.test.ts',
          name: / Go programs /,
          reason: 'needs Go',
        },
        { file: 'test-e2e/clients/ratelimit/go-client.outer.test.ts', reason: 'needs Go' },
        { file: 'test-e2e/clients/ratelimit/go-examples.outer.test.ts', reason: 'needs Go' },
        { file: 'release/test/openapi.outer.test.ts', reason: 'needs Go, which builds oasdiff' },
      ]),
  ...(spawnSync('python3', ['-c', HAS_PIP]).status === 0
    ? []
    : [
        'clients/python/tests/python-client.outer.test.ts',
        'clients/python/tests/fastapi-example.outer.test.ts',
        'test-e2e/clients/api/python-client.outer.test.ts',
        'test-e2e/schemathesis/schemathesis.outer.test.ts',
      ].map((file) => ({ file, reason: 'needs python3 (3.11 to 3.14) with pip' }))),
];
