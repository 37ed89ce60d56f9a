import type { Channel, CurrentUser, Guild, Member, PrivateChannel } from '../../support/objects.ts';

/** A frame from the Gateway (docs/gateway.md#frames). */
export interface Frame {
  readonly op: number;
  readonly d: unknown;
  readonly s: number | null;
  readonly t: string | null;
}

/** A frame of op 0. */
export interface Dispatch {
  readonly t: string;
  readonly s: number;
  readonly d: unknown;
}

export interface Closed {
  /** 1006 means that no close frame arrived. */
  readonly code: number;
  readonly reason: string;
}

export interface WholeGuild extends Guild {
  readonly channels: Channel[];
  readonly members: Member[];
  readonly joined_at: string;
  readonly unavailable?: boolean;
}

export interface Ready {
  readonly v: number;
  readonly user: CurrentUser;
  readonly session_id: string;
  readonly resume_gateway_url: string;
  readonly guilds: WholeGuild[];
  readonly private_channels: PrivateChannel[];
  readonly shard?: [number, number];
}
