import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A container of a compose file. */
export interface Service {
  image: string;
  pull_policy?: string;
  build?: { dockerfile: string; args: Record<string, string | null> };
  container_name?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  pids_limit?: number;
  mem_limit?: string;
  restart?: string;
  stop_grace_period?: string;
  scale?: string;
  command?: string[];
  healthcheck?: { disable?: boolean; test?: string[] };
  ports?: string[];
  volumes?: string[];
  networks?: string[] | Record<string, { aliases: string[] } | null>;
  network_mode?: string;
  profiles?: string[];
  environment?: Record<string, string | null>;
  depends_on?: Record<string, { condition: string }>;
}

export interface ComposeFile {
  readonly text: string;
  readonly services: Record<string, Service>;
  readonly networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>;
  readonly volumes: Record<string, null>;
}

export function readComposeFile(name: 'compose.yaml' | 'compose.small.yaml'): ComposeFile {
  const text = read(`../../${name}`);
  return { text, ...parse(text, { merge: true }) };
}

/** @param path from this folder */
export function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

export function networksOf({ networks = [] }: Service): string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

/** The names of the volumes that a container mounts. */
export function mountedBy({ volumes = [] }: Service): string[] {
  return volumes.map((volume) => volume.split(':')[0] ?? '');
}

/** Resolves a value with a default, like compose. */
export function resolved(value: string | null): string | null {
  return value === null
    ? null
    : String(value).replaceAll(/\$\{\w+(?::-([^}]*))?\}/g, (_, fallback = '') => fallback);
}

/** The settings of a container: those of its image, and those that compose sets without an environment of its own. */
export function settingsOf({ environment = {} }: Service): NodeJS.ProcessEnv {
  const set = Object.entries(environment).map(([key, value]) => [key, resolved(value)]);
  return { ...imageSettings(), ...Object.fromEntries(set.filter(([, value]) => value !== null)) };
}

function imageSettings(): NodeJS.ProcessEnv {
  const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(read('../Dockerfile')) ?? [];
  return Object.fromEntries([...block.matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [key, value]));
}
