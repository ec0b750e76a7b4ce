/** Lines that this process has lost since its start, by cause. One for the process: the logger exists before any metrics do. */
export const droppedLines = createDroppedLines();

function createDroppedLines() {
	// The series exist before their first event, which increase() would miss otherwise.
	const counts = new Map(['blocked', 'ENOSPC', 'EPIPE'].map((cause) => [cause, 0]));
	let unreported = 0;
	return {
		/** @param cause `blocked`, or the code of the error: `ENOSPC`, `EPIPE` */
		add: (cause: string, lines: number): void => {
			counts.set(cause, (counts.get(cause) ?? 0) + lines);
			unreported += lines;
		},
		byCause: (): ReadonlyMap<string, number> => counts,
		/** The number since the last call, for a line that reports it. */
		takeUnreported: () => {
			const lines = unreported;
			unreported = 0;
			return lines;
		},
		/** For a number whose line was lost as well. */
		returnUnreported: (lines: number): void => {
			unreported += lines;
		},
		hasUnreported: () => unreported > 0,
	};
}
