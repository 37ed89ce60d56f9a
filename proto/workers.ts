/**
 * The worker IDs of each service's replicas, of 0-1023. Services lease them by themselves, so that their ranges share
 * none: IDs of two services never meet.
 */
export const WORKERS = {
  auth: { from: 0, to: 255 },
  chat: { from: 256, to: 511 },
  oauth2: { from: 512, to: 767 },
  'webhook-delivery': { from: 768, to: 1023 },
} as const;
