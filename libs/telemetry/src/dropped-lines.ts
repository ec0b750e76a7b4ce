/** Lines that this process has lost since its start, by cause. One for the process, as stdout is: the logger exists before any metrics do. */
interface DroppedLines {
	/** @param cause `blocked`, or the code of the error: `ENOSPC`, `EPIPE` */
	add(cause: string, lines: number): void;
	byCause(): ReadonlyMap<string, number>;
	/** The number since the last call, for a line that reports it. */
	takeUnreported(): number;
	/** For a number whose line was lost as well. */
	returnUnreported(lines: number): void;
	hasUnreported(): boolean;
}

export const droppedLines = createDroppedLines();

function createDroppedLines(): DroppedLines {
	// The series exist before their first event, which increase() would miss otherwise.
	const counts = new Map(['blocked', 'ENOSPC', 'EPIPE'].map((cause) => [cause, 0]));
	let unreported = 0;
	return {
		add: (cause, lines) => {
			counts.set(cause, (counts.get(cause) ?? 0) + lines);
			unreported += lines;
		},
		byCause: () => counts,
		takeUnreported: () => {
			const lines = unreported;
			unreported = 0;
			return lines;
		},
		returnUnreported: (lines) => {
			unreported += lines;
		},
		hasUnreported: () => unreported > 0,
	};
}
