import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kubectlProgram } from '@gatehouse/dev-env/programs/kubectl-program';
import { parseAllDocuments, stringify } from 'yaml';
import type { KubernetesObject } from './objects.ts';

const run = promisify(execFile);

export const K8S = fileURLToPath(new URL('..', import.meta.url));

/** Undefined if the tests of deploy/k8s cannot run. */
export const kubectl = await kubectlProgram();

/** The kustomizations of an overlay in the order of their application. */
export const OVERLAYS = {
  local: ['overlays/local/servers', 'overlays/local/migrate', 'overlays/local'],
  production: ['overlays/production/migrate', 'overlays/production'],
} as const;
export type Overlay = keyof typeof OVERLAYS;
/** That of processes of all services. */
export const SMALL = ['overlays/small/migrate', 'overlays/small'] as const;

/** All objects of an overlay, without duplicates of its kustomizations. */
export async function objectsOf(overlay: Overlay | 'small'): Promise<KubernetesObject[]> {
  const found = new Map<string, KubernetesObject>();
  for (const folder of overlay === 'small' ? SMALL : OVERLAYS[overlay]) {
    for (const object of await build(join(K8S, folder)))
      found.set(`${object.kind} ${object.metadata.name}`, object);
  }
  return [...found.values()];
}

/** Production with further components, as in an operator's own kustomization. */
export async function withComponents(...components: string[]): Promise<KubernetesObject[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-kustomization-')));
  const at = (path: string) => relative(folder, join(K8S, path));
  try {
    const own = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      namespace: 'gatehouse',
      resources: OVERLAYS.production.map(at),
      components: components.map((name) => at(`components/${name}`)),
    };
    await writeFile(join(folder, 'kustomization.yaml'), stringify(own));
    return await build(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function build(folder: string): Promise<KubernetesObject[]> {
  const { stdout } = await run(kubectl ?? 'kubectl', ['kustomize', folder], { maxBuffer: 16 << 20 });
  return parseObjects(stdout);
}

/** @throws Error if the text is not YAML */
export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const object: KubernetesObject | null = document.toJS();
    return object === null ? [] : [object];
  });
}
