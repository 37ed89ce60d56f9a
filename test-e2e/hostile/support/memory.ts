import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Resident memory of a process, in MiB. */
export interface Memory {
  readonly before_mb: number;
  readonly peak_mb: number;
}

const EVERY_MS = 50;

export interface MemoryWatch {
  readonly before: Readonly<Record<string, number>>;
  stop(): Record<string, Memory>;
}

/** Watches processes until it is stopped; `onSample` gets the memory of each at every sample. */
export function watchMemory(
  pids: Readonly<Record<string, number>>,
  onSample: (name: string, mb: number) => void = () => undefined,
): MemoryWatch {
  const watched = Object.entries(pids).map(([name, pid]) => {
    const { resident_mb, highest_mb } = memoryOf(pid) ?? { resident_mb: 0, highest_mb: 0 };
    return { name, pid, before_mb: resident_mb, highest_mb, peak_mb: resident_mb };
  });

  function sample(): void {
    for (const one of watched) {
      const now = memoryOf(one.pid);
      if (now === undefined) continue;
      // A new high-water mark is exact; below the old one there are only samples.
      const peak = now.highest_mb > one.highest_mb ? now.highest_mb : now.resident_mb;
      one.peak_mb = Math.max(one.peak_mb, peak);
      onSample(one.name, now.resident_mb);
    }
  }

  const timer = setInterval(sample, EVERY_MS);
  return {
    before: Object.fromEntries(watched.map(({ name, before_mb }) => [name, before_mb])),
    stop: () => {
      clearInterval(timer);
      sample();
      return Object.fromEntries(
        watched.map(({ name, before_mb, peak_mb }) => [name, { before_mb, peak_mb }]),
      );
    },
  };
}

/** Undefined if the process does not exist. */
export function memoryOf(pid: number): { resident_mb: number; highest_mb: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) =>
      Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
    return { resident_mb: field('VmRSS'), highest_mb: field('VmHWM') };
  } catch {
    return undefined;
  }
}

/** Number of open sockets of a process; 0 if the process does not exist. */
export function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return filesIn(folder).filter((name) => isSocket(`${folder}/${name}`)).length;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isSocket(link: string): boolean {
  try {
    return readlinkSync(link).startsWith('socket:');
  } catch {
    return false; // Closed in the meantime.
  }
}
