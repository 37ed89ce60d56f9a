import { jsonBombs } from './requests/json-bombs.ts';
import { logins } from './requests/logins.ts';
import { stalledUploads } from './requests/stalled-uploads.ts';
import { tinyChunks } from './requests/tiny-chunks.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

tinyChunks(stage);
jsonBombs(stage);
stalledUploads(stage);
logins(stage);
