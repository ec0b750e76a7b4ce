import type { z } from 'zod';
import type { stateChange } from './health-history-schemas.ts';

export type StateChange = z.output<typeof stateChange> & { readonly cause: string };

export type NewChange = Omit<StateChange, 'at' | 'contexts'>;

export type HealthHistory = ReturnType<typeof createHealthHistory>;

const causeCharsMax = 300;

/** Contexts fail within seconds of each other if their common dependency fails. */
const groupMs = 10_000;

/** Keeps the newest changes in memory. The same change of several contexts within ten seconds is one entry. */
export function createHealthHistory(deps: { now: () => Date; changesMax: number }) {
	const changes: StateChange[] = [];
	return {
		record: (change: NewChange, at = deps.now()): void => {
			const added = { ...change, cause: change.cause.slice(0, causeCharsMax), at };
			const index = groupOf(changes, added);
			const group = changes[index];
			if (group !== undefined) changes[index] = merged(group, added);
			else changes.unshift(added);
			changes.length = Math.min(changes.length, deps.changesMax);
		},
		/** The newest first. */
		list: (): StateChange[] => [...changes],
	};
}

/** The index of the entry that the change belongs to; -1 without one. */
function groupOf(changes: readonly StateChange[], added: StateChange): number {
	// An entry before the context's latest own would show its changes in the wrong order.
	const ownLatest = changes.findIndex((change) => contextsOf(change).includes(added.context));
	return changes.findIndex(
		(change, index) =>
			(ownLatest === -1 || index < ownLatest) &&
			Math.abs(added.at.getTime() - change.at.getTime()) <= groupMs &&
			kindOf(change) === kindOf(added),
	);
}

function kindOf({ what, from, to, check, cause }: StateChange): string {
	return JSON.stringify([what, from, to, check ?? cause, check !== undefined]);
}

function merged({ instance: _, ...group }: StateChange, { context }: StateChange): StateChange {
	return { ...group, contexts: [...contextsOf(group), context] };
}

export function contextsOf({ context, contexts }: StateChange): readonly string[] {
	return contexts ?? [context];
}
