import type { EntryStatus } from '../enumerations.ts';

/** Competition ids of the starts that a change keeps, adds and removes. */
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

/** A start that was cancelled with its competition stays on the entry, whether or not the request lists it. */
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
