import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KubernetesSchemas, kubernetesSchemas } from '@gatehouse/dev-env/programs/kubernetes-schemas';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { KubernetesObject } from './objects.ts';

/** The oldest supported version of Kubernetes, and the newest with schemas. */
export const KUBERNETES_VERSIONS = ['1.31', '1.37'] as const;
export type KubernetesVersion = (typeof KUBERNETES_VERSIONS)[number];

/** Undefined if they are not available. */
export const schemas = await kubernetesSchemas(KUBERNETES_VERSIONS);

/** Returns a function that lists the violations of an object's schema. */
export async function schemaChecker(
  version: KubernetesVersion,
): Promise<(object: KubernetesObject) => Promise<string[]>> {
  const folder = folderOf(schemas, version);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(await readJson(join(folder, '_definitions.json')), '/api/_definitions.json');
  const compiled = new Map<string, ValidateFunction>();

  return async (object) => {
    const file = schemaFile(object);
    const validate = compiled.get(file) ?? ajv.compile(await readJson(join(folder, file)));
    compiled.set(file, validate);
    validate(object);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${object.kind} ${object.metadata.name}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

function folderOf(found: KubernetesSchemas | undefined, version: string): string {
  const folder = found?.get(version);
  if (folder === undefined) throw new Error(`no schemas of Kubernetes ${version}`);
  return folder;
}

/** Such as deployment-apps-v1.json and networkpolicy-networking-v1.json. */
function schemaFile({ apiVersion, kind }: KubernetesObject): string {
  const [group = '', version] = apiVersion.split('/');
  const suffix = version === undefined ? group : `${group.split('.')[0]}-${version}`;
  return `${kind.toLowerCase()}-${suffix}.json`;
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8'));
}
