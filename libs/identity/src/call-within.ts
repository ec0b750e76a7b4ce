/**
 * Makes a call with a signal that is aborted after `timeoutMs` or by `stopped`; rejects then even if the call ignores
 * the signal.
 */
export async function callWithin<T>(
	call: (signal: AbortSignal) => Promise<T>,
	timeoutMs: number,
	stopped: AbortSignal,
): Promise<T> {
	const controller = new AbortController();
	const aborted = new Promise<never>((_resolve, reject) => {
		controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
	});
	const stop = () => controller.abort(stopped.reason);
	stopped.addEventListener('abort', stop, { once: true });
	const timer = setTimeout(
		() => controller.abort(new Error(`No response within ${timeoutMs} ms.`)),
		timeoutMs,
	);
	try {
		return await Promise.race([call(controller.signal), aborted]);
	} finally {
		clearTimeout(timer);
		stopped.removeEventListener('abort', stop);
	}
}
