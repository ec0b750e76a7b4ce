/** One change of state, as operators read it. */
export interface StateChange {
	readonly at: Date;
	/** A context's name, `discovery` or `gateway`. */
	readonly context: string;
	readonly instance?: string;
	/** Which of its states changed. */
	readonly what: 'breaker' | 'health' | 'discovery' | 'instances';
	readonly from: string;
	readonly to: string;
	readonly cause: string;
}

export interface HealthHistory {
	record(change: Omit<StateChange, 'at'>, at?: Date): void;
	/** The newest first. */
	list(): StateChange[];
}

const causeCharsMax = 300;

/** Keeps the newest changes in memory; earlier ones are in the log. */
export function createHealthHistory(deps: { now: () => Date; changesMax: number }): HealthHistory {
	const changes: StateChange[] = [];
	return {
		record: (change, at = deps.now()) => {
			changes.unshift({ ...change, cause: change.cause.slice(0, causeCharsMax), at });
			changes.length = Math.min(changes.length, deps.changesMax);
		},
		list: () => [...changes],
	};
}
