import type { ServiceName } from '@gatehouse/proto/services';

/** Lines of single services in compose.yaml, beside those that every service has. */
export interface ComposeSpecifics {
  /** Of the container. */
  readonly container?: string;
  /** Settings that it is given here, with their values. */
  readonly environment?: string;
  /** In place of `services`, and `database` if it has one. */
  readonly networks?: string;
  /** Behind the volume that every service has. */
  readonly volumes?: string;
  /** Containers that start before it, beside the services that it calls. */
  readonly needs?: readonly string[];
}

const scale = (variable: string, replicas: number): string => `  scale: $\{${variable}:-${replicas}}\n`;

export const COMPOSE_SPECIFICS: Readonly<Partial<Record<ServiceName, ComposeSpecifics>>> = {
  gateway: {
    container: scale('GATEWAY_REPLICAS', 1),
    environment: `\
# Its name in \`front\` alone: there realtime believes the edge about who a client is.
REALTIME_ADDRESS: realtime-front:8088
# Envoy, which writes X-Forwarded-For anew, and nobody else who asks an edge is in this network.
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
  media: {
    container: `\
  # Beside the process's own memory each decoder has MEDIA_DECODER_MEMORY_MIB.
  mem_limit: 2g
`,
  },
  realtime: {
    container: `\
  # Clients resume with the other where one is stopped.
${scale('REALTIME_REPLICAS', 2)}\
  # 20,000 sessions that 40 KB each are counted on for, and what waits for clients that read slowly.
  mem_limit: 1536m
`,
    environment: `\
GATEWAY_LISTEN: 0.0.0.0:8088
# All replicas, this one too.
REALTIME_PEERS: realtime:8087
# Envoy and the edges: nobody else is in this network.
TRUSTED_PROXIES: $\{FRONT_SUBNET:-172.16.213.0/24}
`,
    networks: `\
  networks:
    services:
    front: { aliases: [realtime-front] }
`,
  },
};
