import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { consent, newOauthClient, REDIRECT_URI } from '../../oauth2/consent.ts';
import type { TestStack } from '../../support/stack.ts';
import { startClientProcess } from './client-process.ts';

const run = promisify(execFile);
const SOURCE = fileURLToPath(new URL('go-oauth2/', import.meta.url));
const TOOLCHAIN = fileURLToPath(new URL('../../../.toolchain/', import.meta.url));
const program = await built();

interface Outcome {
  readonly state: string;
  readonly first: { readonly access_token: string };
  readonly userinfo: object;
  readonly second: { readonly access_token: string };
  readonly again: object;
  readonly replay: object;
}

export function goOauth2(stack: TestStack): void {
  describe.skipIf(program === undefined)('golang.org/x/oauth2', () => {
    it.each(['client_secret_post', 'client_secret_basic'])(
      'completes consent with PKCE, token, userinfo and its own refresh, authenticated by %s',
      async (authentication) => {
        const { client_id, client_secret, person } = await newOauthClient(stack.api);
        const routes = `${stack.url}/api/v1/oauth2`;
        const settings = { routes, client_id, client_secret, redirect_uri: REDIRECT_URI, authentication };
        const client = startClientProcess(program ?? '', [], { NO_PROXY: '127.0.0.1' }, settings);
        try {
          const authorize = await client.next<string>();
          expect(authorize).toMatch(/[?&]code_challenge_method=S256(&|$)/);
          client.say((await consent(person, authorize)).href);
          const { state, first, userinfo, second, again, replay } = await client.next<Outcome>();

          const granted = { token_type: 'Bearer', expires_in: 604_800, scope: 'email identify' };
          expect(state).toBe('a state');
          expect(first).toMatchObject(granted);
          expect(second).toMatchObject(granted);
          expect(second.access_token).not.toBe(first.access_token);
          for (const profile of [userinfo, again])
            expect(profile).toMatchObject({ sub: person.user.id, email: person.email, verified: true });
          expect(replay).toMatchObject({ status: 400, body: { code: 'INVALID_GRANT' } });
        } finally {
          client.close();
        }
      },
    );
  });
}

/** Undefined without Go, or if the module cannot be fetched; the reason goes to standard error. */
async function built(): Promise<string | undefined> {
  try {
    const source = await Promise.all(['main.go', 'go.sum'].map((file) => readFile(join(SOURCE, file))));
    const to = join(TOOLCHAIN, `go-oauth2-${hash('sha256', Buffer.concat(source)).slice(0, 8)}`);
    if (existsSync(to)) return to;
    await run('go', ['version']);
    process.stderr.write('building a client of golang.org/x/oauth2 with go\n');
    await mkdir(TOOLCHAIN, { recursive: true });
    const draft = await mkdtemp(`${to}.`);
    try {
      // go.sum pins the modules.
      const env = { ...process.env, GOFLAGS: '-mod=mod -modcacherw', CGO_ENABLED: '0', GOTOOLCHAIN: 'local' };
      await run('go', ['build', '-o', join(draft, 'client'), '.'], { cwd: SOURCE, env });
      await rename(join(draft, 'client'), to);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return to;
  } catch (error) {
    process.stderr.write(
      `SKIPPED: the tests of golang.org/x/oauth2. Put go (1.26 or later) on PATH: ${error}\n`,
    );
    return undefined;
  }
}
