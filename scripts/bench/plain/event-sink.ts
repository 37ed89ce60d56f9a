import type { Socket } from 'node:net';
import type { EventSink } from '@gatehouse/realtime/connections/event-sink';
import * as ws from 'ws';
