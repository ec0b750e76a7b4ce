/**
 * Milliseconds of the machine's monotonic clock: the same in all processes of the machine, and not set with its wall clock. For
 * all times after which a client may send again.
 */
export function monotonicMs(): number {
	const [seconds, nanoseconds] = process.hrtime();
	return seconds * 1_000 + nanoseconds / 1_000_000;
}
