/** Ctrl-C arrives twice: from the terminal, and forwarded by npm. */
const sameSignalMs = 1_000;

/** Aborts and resolves on the first signal; a later one exits at once, which kills the children by `process.on('exit')`. */
export function onStopSignal(stopping: AbortController): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	let firstAt: number | undefined;
	const receive = () => {
		if (firstAt === undefined) {
			firstAt = performance.now();
			stopping.abort();
			resolve();
		} else if (performance.now() - firstAt > sameSignalMs) {
			process.exit(1);
		}
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive);
	return promise;
}
