/** An answered request. */
export interface AnsweredRequest<Failure> {
  /** Who made it, such as an application. */
  readonly subject: string;
  /** What it is counted as, such as the name of a bucket. There must be few of them. */
  readonly group: string;
  /** Whether a rate limit refused it. */
  readonly is_limited: boolean;
  /** Undefined for a request that succeeded. */
  readonly failure: Failure | undefined;
}

/** The requests of a subject. */
export interface SubjectCounts<Failure> {
  readonly subject: string;
  readonly groups: readonly GroupCount[];
  /** The last ones, the oldest first. */
  readonly failures: readonly Failure[];
}

export interface GroupCount {
  readonly group: string;
  readonly requests: number;
  /** Of those, the ones that a rate limit refused. */
  readonly limited: number;
}

interface Bounds {
  readonly max_subjects: number;
  readonly max_groups: number;
}

interface Counts<Failure> {
  readonly groups: Map<string, { group: string; requests: number; limited: number }>;
  readonly failures: Failure[];
}

const MAX_SUBJECTS = 5_000;
/** Groups of all subjects together. One subject has at most as many as there are groups. */
const MAX_GROUPS = 25_000;
/** Of one subject, so that nobody's failures displace those of others. */
const MAX_FAILURES = 10;

/**
 * Counts requests in memory by subject and group, and keeps the last failures of each subject. Between two calls of `take`
 * there is room for 5,000 subjects with 25,000 groups; requests that find none are lost.
 */
export class RequestCounts<Failure> {
  readonly #max_subjects: number;
  readonly #max_groups: number;
  #groups = 0;
  #bySubject = new Map<string, Counts<Failure>>();
  #lost = 0;

  constructor({ max_subjects = MAX_SUBJECTS, max_groups = MAX_GROUPS }: Partial<Bounds> = {}) {
    this.#max_subjects = max_subjects;
    this.#max_groups = max_groups;
  }

  /** Does no I/O and never throws, because it is called for each request. */
  note({ subject, group, is_limited, failure }: AnsweredRequest<Failure>): void {
    const counts = this.#countsOf(subject);
    const ofGroup = counts?.groups.get(group) ?? this.#addGroup(counts, group);
    if (counts === undefined || ofGroup === undefined) {
      this.#lost++;
      return;
    }
    ofGroup.requests++;
    if (is_limited) ofGroup.limited++;
    if (failure === undefined) return;
    if (counts.failures.length === MAX_FAILURES) counts.failures.shift();
    counts.failures.push(failure);
  }

  /** Returns the counts since the last call. */
  take(): SubjectCounts<Failure>[] {
    const taken = [...this.#bySubject].map(([subject, { groups, failures }]) => ({
      subject,
      groups: [...groups.values()],
      failures,
    }));
    this.#bySubject = new Map();
    this.#groups = 0;
    return taken;
  }

  /** Requests that were not counted, since the start. */
  lost(): number {
    return this.#lost;
  }

  #addGroup(counts: Counts<Failure> | undefined, group: string) {
    if (counts === undefined || this.#groups >= this.#max_groups) return undefined;
    const added = { group, requests: 0, limited: 0 };
    counts.groups.set(group, added);
    this.#groups++;
    return added;
  }

  #countsOf(subject: string): Counts<Failure> | undefined {
    const known = this.#bySubject.get(subject);
    if (known !== undefined || this.#bySubject.size >= this.#max_subjects) return known;
    const counts: Counts<Failure> = { groups: new Map(), failures: [] };
    this.#bySubject.set(subject, counts);
    return counts;
  }
}
