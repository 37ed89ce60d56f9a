import { connect, implement, serve } from '../src/rpc.ts';
import { EchoDefinition } from './echo.ts';
import { silentLogger } from '../src/log.ts';
let entered=0, left=0;
const server = await serve({address:'127.0.0.1:0', log: silentLogger, implementations:[implement(EchoDefinition,{ say: async (r,{signal})=>{entered++; if(!signal.aborted) await new Promise(res=>signal.addEventListener('abort',res)); left++; return r;}, again: r=>r})]});
const c = connect(EchoDefinition,{address:server.address, transport:'unary'});
for (let round=0; round<10; round++){ const ctl=new AbortController(); const calls=Promise.allSettled(Array.from({length:80},()=>c.client.say({value:'x'},{timeoutMs:20000,signal:ctl.signal}))); if(round%2===0 && process.argv[2]!=='n') await c.client.again({value:'y'},{timeoutMs:20000}); ctl.abort(); await calls; console.log(round, entered, left); }
await new Promise(r=>setTimeout(r,200)); console.log(entered,left);
c.close();
const t0=Date.now(); await server.close(); console.log('closed in', Date.now()-t0, entered, left, process.getActiveResourcesInfo());
