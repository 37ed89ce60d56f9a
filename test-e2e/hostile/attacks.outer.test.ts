import { idleConnections } from './connections/idle-connections.ts';
import { longHeads } from './connections/long-heads.ts';
import { oddHttp } from './connections/odd-http.ts';
import { pipelining } from './connections/pipelining.ts';
import { slowReaders } from './connections/slow-readers.ts';
import { slowSenders } from './connections/slow-senders.ts';
import { jsonBombs } from './requests/json-bombs.ts';
import { passwordGuessing } from './requests/password-guessing.ts';
import { stalledUploads } from './requests/stalled-uploads.ts';
import { tinyChunks } from './requests/tiny-chunks.ts';
import { useAttackSetup } from './support/attack-setup.ts';

/** One stack for all attacks, so that the next test notices anything that an attack leaves behind. */
const setup = useAttackSetup();

const { areClosed } = slowSenders(setup);
pipelining(setup);
slowReaders(setup);
idleConnections(setup);
longHeads(setup);
oddHttp(setup);
tinyChunks(setup);
jsonBombs(setup);
stalledUploads(setup);
passwordGuessing(setup);
areClosed();
