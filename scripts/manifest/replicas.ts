import { SERVICE_NAMES } from '@gatehouse/proto/services';

/** deploy/observability/rules/replicas.yml with a rule for each service. The numbers stay: operators set them. */
export function withReplicaRules(rules: string): string {
  const missing = SERVICE_NAMES.filter((name) => !rules.includes(`labels: { job: ${name} }`));
  const added = missing.map(
    (name) => `      - { record: job:replicas_wanted, expr: vector(1), labels: { job: ${name} } }\n`,
  );
  return `${rules.trimEnd()}\n${added.join('')}`;
}
