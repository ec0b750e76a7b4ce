import { once } from 'node:events';

/** A client of the DevTools protocol of a process that was started with `--inspect`. */
export interface Inspector {
	/** Calls a method. @throws the error of the protocol */
	send(method: string, params?: object): Promise<unknown>;
	close(): void;
}

/** @param port of the process's inspector @throws if there is no target */
export async function openInspector(port: number): Promise<Inspector> {
	const response = await fetch(`http://127.0.0.1:${port}/json/list`);
	const [page] = (await response.json()) as { webSocketDebuggerUrl: string }[];
	if (page === undefined) throw new Error('The inspector lists no target.');
	const socket = new WebSocket(page.webSocketDebuggerUrl);
	await once(socket, 'open');
	let lastId = 0;
	return {
		send: async (method, params = {}) => {
			lastId += 1;
			const received = once(socket, 'message');
			socket.send(JSON.stringify({ id: lastId, method, params }));
			const [message] = (await received) as [{ data: string }];
			const { error, result } = JSON.parse(message.data) as { error?: { message: string }; result: unknown };
			if (error !== undefined) throw new Error(`${method}: ${error.message}`);
			return result;
		},
		close: () => socket.close(),
	};
}

/** Collects all garbage; the second collection frees objects that the first one finalized. */
export async function collectGarbage(inspector: Inspector): Promise<void> {
	await inspector.send('HeapProfiler.collectGarbage');
	await inspector.send('HeapProfiler.collectGarbage');
}
