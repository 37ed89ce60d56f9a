import type { ServiceName } from '@gatehouse/proto/services';
import { metricsTargets } from './metrics-targets.ts';

/** Lines of single services in compose.yaml, in addition to those of every service. */
export interface ComposeSpecifics {
  /** Members of the container. */
  readonly container?: string;
  /** Settings with fixed values. */
  readonly environment?: string;
  /** Replaces the networks `services` and `database`. */
  readonly networks?: string;
  /** Volumes in addition to that of every service. */
  readonly volumes?: string;
  /** Containers that start before it, in addition to the services that it calls. */
  readonly needs?: readonly string[];
}

const scale = (variable: string, replicas: number): string => `  scale: $\{${variable}:-${replicas}}\n`;

export const COMPOSE_SPECIFICS: Readonly<Partial<Record<ServiceName, ComposeSpecifics>>> = {
  gateway: {
    container: scale('GATEWAY_REPLICAS', 1),
    environment: `\
# Realtime's name in \`front\`, the network whose X-Forwarded-For it trusts.
REALTIME_ADDRESS: realtime-front:8088
# Of the edge's clients, only Envoy is in this network, and it overwrites X-Forwarded-For.
TRUSTED_PROXIES: $\{FRONT_SUBNET:-172.16.213.0/24}
GATEWAY_REPLICAS: $\{GATEWAY_REPLICAS:-1}
NODE_ENV: $\{NODE_ENV:-production}
`,
    networks: '  networks: [front, services]\n',
    needs: ['realtime'],
  },
  ratelimit: {
    container: scale('RATELIMIT_REPLICAS', 1),
    environment: `\
RATELIMIT_REPLICAS: $\{RATELIMIT_REPLICAS:-1}
NODE_ENV: $\{NODE_ENV:-production}
`,
    networks: '  networks: [services, buckets, limits]\n',
    needs: ['redis'],
  },
  auth: {
    networks: '  networks: [services, database, outbound]\n',
    volumes: ', "mail:/var/lib/gatehouse"',
  },
  oauth2: { environment: 'REALTIME_PEERS: realtime:8087\n' },
  media: {
    container: `\
  # In addition to the process's memory, each decoder has MEDIA_DECODER_MEMORY_MIB.
  mem_limit: 2g
`,
  },
  realtime: {
    container: `\
  # Clients of a stopped replica resume with the other.
${scale('REALTIME_REPLICAS', 2)}\
  # 20,000 sessions at an estimated 40 KB each, and unsent data of slow readers.
  mem_limit: 1536m
`,
    environment: `\
GATEWAY_LISTEN: 0.0.0.0:8088
# All replicas, including this one.
REALTIME_PEERS: realtime:8087
# Only Envoy and the edges are in this network.
TRUSTED_PROXIES: $\{FRONT_SUBNET:-172.16.213.0/24}
`,
    networks: `\
  networks:
    services:
    front: { aliases: [realtime-front] }
`,
  },
  console: {
    container: `\
  # On this machine only.
  ports: ["127.0.0.1:8090:8090"]
`,
    environment: `\
CONSOLE_LISTEN: 0.0.0.0:8090
# The port is published on loopback alone.
CONSOLE_INSECURE: $\{CONSOLE_INSECURE:-yes}
CONSOLE_URL: $\{CONSOLE_URL:-http://localhost:8090}
REALTIME_PEERS: realtime:8087
CONSOLE_METRICS: $\{CONSOLE_METRICS:-${metricsTargets(() => 9464)}}
`,
    networks: '  networks: [services, database, outbound]\n',
  },
};
