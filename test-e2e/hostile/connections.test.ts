import { idleConnections } from './connections/idle-connections.ts';
import { oddRequests } from './connections/odd-requests.ts';
import { pipelining } from './connections/pipelining.ts';
import { slowReaders } from './connections/slow-readers.ts';
import { slowSenders } from './connections/slow-senders.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

const { areClosed } = slowSenders(stage);
pipelining(stage);
slowReaders(stage);
idleConnections(stage);
oddRequests(stage);
areClosed();
