import { idleConnections } from './connections/idle-connections.ts';
import { longHeads } from './connections/long-heads.ts';
import { oddRequests } from './connections/odd-requests.ts';
import { pipelining } from './connections/pipelining.ts';
import { slowReaders } from './connections/slow-readers.ts';
import { slowSenders } from './connections/slow-senders.ts';
import { jsonBombs } from './requests/json-bombs.ts';
import { logins } from './requests/logins.ts';
import { stalledUploads } from './requests/stalled-uploads.ts';
import { tinyChunks } from './requests/tiny-chunks.ts';
import { useStage } from './support/stage.ts';

/** One stack for all attacks, so that the next test notices anything that an attack leaves behind. */
const stage = useStage();

const { areClosed } = slowSenders(stage);
pipelining(stage);
slowReaders(stage);
idleConnections(stage);
longHeads(stage);
oddRequests(stage);
tinyChunks(stage);
jsonBombs(stage);
stalledUploads(stage);
logins(stage);
areClosed();
