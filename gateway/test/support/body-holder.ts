import type { Holder } from '../../src/overload/memory-budget.ts';

export interface BodyHolder extends Holder {
  arrived: number;
  evicted: boolean;
}

export function bodyHolder(ipGroup: string): BodyHolder {
  const holder: BodyHolder = {
    ipGroup,
    arrived: 0,
    evicted: false,
    arrivedBytes: () => holder.arrived,
    isComplete: () => false,
    evict: () => {
      holder.evicted = true;
    },
  };
  return holder;
}
