/** Ctrl-C reaches us from the terminal, and again from npm, which forwards what it gets itself. */
const sameSignalMs = 1_000;

/**
 * Aborts at the first SIGINT, SIGTERM or SIGHUP and resolves then. A later one ends the process at once: the children are
 * killed by `process.on('exit')`, PostgreSQL and Consul are stopped by their tethers.
 */
export function onStopSignal(stopping: AbortController, now = () => performance.now()): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	let firstAt: number | undefined;
	const receive = () => {
		if (firstAt === undefined) {
			firstAt = now();
			stopping.abort();
			resolve();
		} else if (now() - firstAt > sameSignalMs) {
			process.exit(1);
		}
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive);
	// The terminal may be gone before us; that must not keep us from stopping in order.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
	return promise;
}
