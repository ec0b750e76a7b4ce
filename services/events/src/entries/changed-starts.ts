import type { EntryStatus } from './entry-status.ts';

/** Ids of competitions, by what a change makes of the entry's starts in them. */
export interface ChangedStarts {
	/** Open before and after. */
	readonly kept: readonly string[];
	readonly added: readonly string[];
	readonly removed: readonly string[];
}

interface Start {
	readonly competitionId: string;
	readonly status: EntryStatus;
}

/** A start that is cancelled with its competition stays on the entry, whether or not the wanted list repeats it. */
export function changedStarts(
	present: readonly Start[],
	wanted: readonly { readonly competitionId: string }[],
): ChangedStarts {
	const cancelled = new Set(idsOf(present.filter(({ status }) => status === 'CANCELLED')));
	const open = idsOf(present).filter((id) => !cancelled.has(id));
	const wantedIds = idsOf(wanted);
	return {
		kept: open.filter((id) => wantedIds.includes(id)),
		added: wantedIds.filter((id) => !open.includes(id) && !cancelled.has(id)),
		removed: open.filter((id) => !wantedIds.includes(id)),
	};
}

function idsOf(starts: readonly { readonly competitionId: string }[]): string[] {
	return starts.map(({ competitionId }) => competitionId);
}
