import { SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { withBackupCommands } from './backup-commands.ts';
import { callsPage } from './calls-page.ts';
import { withComposedServices } from './compose.ts';
import { smallCompose } from './compose-small.ts';
import { withProcessNames } from './dockerfile.ts';
import { withEverySetting } from './env-example.ts';
import { withInternalServices } from './internal-envoy.ts';
import {
  addressesFile,
  migrationJobs,
  withCertificateNames,
  withCertificates,
  withDatabaseClients,
  withDatabasePolicy,
  withImageNames,
  withImages,
  withSecretNames,
  withSecretsTable,
  withServiceFiles,
} from './kubernetes.ts';
import { kubernetesRunner, runnerMigration, withMetricsEndpoints } from './kubernetes-runner.ts';
import { kubernetesService } from './kubernetes-service.ts';
import { smallPrometheus, withScrapeJobs } from './prometheus.ts';
import { withReplicaRules } from './replicas.ts';
import { withServicesTable } from './services-table.ts';
import { withSettings } from './settings-table.ts';
import { withLockedDependencies, withServiceDependencies } from './stack-package.ts';

/** The files that are generated from proto/services.ts, each with a function from its current to its new text. */
export const FILES: Readonly<Record<string, (current: string) => string>> = {
  'README.md': withServicesTable,
  'docs/calls.md': callsPage,
  'docs/backup.md': withBackupCommands,
  'deploy/README.md': withBackupCommands,
  'compose.yaml': withComposedServices,
  'compose.small.yaml': smallCompose, // from compose.yaml, so after it
  'deploy/envoy/internal.yaml': withInternalServices,
  'deploy/observability/prometheus.yml': withScrapeJobs,
  'deploy/observability/prometheus.small.yml': smallPrometheus, // from prometheus.yml, so after it
  'deploy/observability/rules/replicas.yml': withReplicaRules,
  'deploy/Dockerfile': withProcessNames,
  '.env.example': withEverySetting,
  ...Object.fromEntries(
    SERVICE_NAMES.map((name) => [
      `${serviceNamed(name).folder}/README.md`,
      (readme: string) => withSettings(name, readme),
    ]),
  ),
  'runner/package.json': withServiceDependencies,
  'stack/package.json': withServiceDependencies,
  'package-lock.json': withLockedDependencies,
  ...Object.fromEntries(
    SERVICE_NAMES.map((name) => [`deploy/k8s/base/${name}.yaml`, () => kubernetesService(name)]),
  ),
  'deploy/k8s/base/kustomization.yaml': withServiceFiles,
  'deploy/k8s/README.md': (readme) => withImageNames(withSecretsTable(readme)),
  'deploy/k8s/common/addresses.env': addressesFile,
  'deploy/k8s/base/policies.yaml': withDatabasePolicy,
  'deploy/k8s/migrate/jobs.yaml': migrationJobs,
  'deploy/k8s/runner/runner.yaml': kubernetesRunner,
  'deploy/k8s/runner/migrate/job.yaml': runnerMigration,
  'deploy/k8s/components/prometheus-operator/pod-monitor.yaml': withMetricsEndpoints,
  'deploy/k8s/components/images/kustomization.yaml': withImages,
  'deploy/k8s/components/cert-manager/certificates.yaml': withCertificates,
  'deploy/k8s/components/cert-manager/kustomization.yaml': withCertificateNames,
  'deploy/k8s/components/private-ca/kustomization.yaml': withDatabaseClients,
  'deploy/k8s/overlays/local/secrets.sh': withSecretNames,
};
