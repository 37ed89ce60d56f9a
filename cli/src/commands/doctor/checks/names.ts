import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isHostPort } from '@gatehouse/kit/env';
import { hostAndPort } from '@gatehouse/kit/net/host-port';
import { withTimeout } from '@gatehouse/kit/with-timeout';
import { addressVariable, SERVICE_NAMES } from '@gatehouse/proto/services';
import { chosenProfile } from '../../../profiles/chosen-profile.ts';
import {
  type CheckContext,
  type Finding,
  ok,
  problem,
  STEP_TIMEOUT_MS,
  skipped,
  warning,
} from '../finding.ts';

/** Checks that the addresses of the services resolve, and to how many replicas. */
export async function checkNames({ env }: CheckContext): Promise<readonly Finding[]> {
  const given = addressLists(env);
  if (given.length === 0) return [skipped('addresses', 'no address of a service is set')];
  const findings = await Promise.all(given.map((one) => listFindings(one, env)));
  return findings.flat();
}

interface AddressList {
  /** The variable, or the setting of the profile. */
  readonly name: string;
  readonly text: string;
}

function addressLists(env: NodeJS.ProcessEnv): AddressList[] {
  const { addresses = {} } = chosenProfile(env) ?? {};
  const variables = [...SERVICE_NAMES.map(addressVariable), 'REALTIME_PEERS'];
  const ofVariables = variables.flatMap((name) => (env[name] ? [{ name, text: env[name] }] : []));
  const ofProfile = Object.entries(addresses).map(([server, text]) => ({ name: `profile: ${server}`, text }));
  return [...ofVariables, ...ofProfile];
}

async function listFindings({ name, text }: AddressList, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const targets = text.split(',').map((target) => target.trim());
  const wrong = targets.find((target) => !isHostPort(target));
  if (wrong !== undefined)
    return [problem(name, `${wrong} is not host:port`, 'Write host:port, or several separated by commas.')];
  const resolved = await Promise.all(targets.map(addressesOf));
  const unknown = targets.filter((_, index) => resolved[index]?.length === 0);
  const found = new Set(resolved.flat());
  return [
    ...unknown.map((target) =>
      problem(
        name,
        `${hostAndPort(target).host} does not resolve`,
        'Look at the name, and at the DNS of this machine.',
      ),
    ),
    ...(found.size === 0 ? [] : [countFinding(name, found.size, env)]),
  ];
}

async function addressesOf(target: string): Promise<string[]> {
  const { host, port } = hostAndPort(target);
  if (isIP(host) !== 0) return [target];
  const found = await withTimeout(STEP_TIMEOUT_MS, lookup(host, { all: true }));
  return (found ?? []).map(({ address }) => `${address} ${port}`);
}

/** Variables with the number of replicas, by the variable of their addresses. */
const REPLICAS: Readonly<Record<string, string>> = {
  RATELIMIT_ADDRESS: 'RATELIMIT_REPLICAS',
  GATEWAY_ADDRESS: 'GATEWAY_REPLICAS',
};

function countFinding(name: string, addresses: number, env: NodeJS.ProcessEnv): Finding {
  const text = addresses === 1 ? '1 address' : `${addresses} addresses`;
  const variable = REPLICAS[name];
  const replicas = variable && env[variable];
  if (!replicas || Number(replicas) === addresses) return ok(name, text);
  return warning(
    name,
    `${text}, and ${variable} is ${replicas}`,
    `Set ${variable} to the number of replicas.`,
  );
}
