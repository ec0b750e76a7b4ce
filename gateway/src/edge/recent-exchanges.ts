import { loggable } from '@paddock/telemetry/loggable';
import type { AccessEntries, AccessEntry } from './access-log.ts';

/** An entry of the access log and when it was written. */
export interface RecentExchange extends AccessEntry {
	readonly at: Date;
}

export interface RecentExchanges {
	add(entry: AccessEntry): void;
	/** The newest first; secrets in paths are redacted as in the log. */
	list(): RecentExchange[];
}

const exchangesMax = 200;

/** The last entries of the access log, in memory. */
export function createRecentExchanges(now: () => Date): RecentExchanges {
	const entries: { at: Date; entry: AccessEntry }[] = [];
	let next = 0;
	return {
		add: (entry) => {
			entries[next] = { at: now(), entry };
			next = (next + 1) % exchangesMax;
		},
		list: () =>
			[...entries.slice(next), ...entries.slice(0, next)]
				.reverse()
				.map(({ at, entry }) => ({ at, ...(loggable(entry) as AccessEntry) })),
	};
}

/** The newest of several lists, the newest first. */
export function newestExchanges(lists: readonly (readonly RecentExchange[])[]): RecentExchange[] {
	return lists
		.flat()
		.sort((a, b) => b.at.getTime() - a.at.getTime())
		.slice(0, exchangesMax);
}

/** Access log lines that are also kept as recent exchanges. */
export function recordedLines(lines: AccessEntries, exchanges: RecentExchanges): AccessEntries {
	return {
		write: (entry) => {
			exchanges.add(entry);
			lines.write(entry);
		},
	};
}
