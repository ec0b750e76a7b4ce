import { once } from 'node:events';

/** The debugger's protocol of a process that was started with `--inspect`. */
export interface Inspector {
	/** @throws what the process says against it */
	ask(method: string, params?: object): Promise<unknown>;
	close(): void;
}

/** @param port of the process's inspector @throws when there is nobody */
export async function openInspector(port: number): Promise<Inspector> {
	const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
	const [page] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
	if (page === undefined) throw new Error('There is nothing to inspect.');
	const socket = new WebSocket(page.webSocketDebuggerUrl);
	await once(socket, 'open');
	let asked = 0;
	return {
		ask: async (method, params = {}) => {
			asked += 1;
			const answered = once(socket, 'message');
			socket.send(JSON.stringify({ id: asked, method, params }));
			const [message] = (await answered) as [{ data: string }];
			const { error, result } = JSON.parse(message.data) as { error?: { message: string }; result: unknown };
			if (error !== undefined) throw new Error(`${method}: ${error.message}`);
			return result;
		},
		close: () => socket.close(),
	};
}

/** Collects all that is garbage: what the first collection finalizes, the second one frees. */
export async function collectGarbage(inspector: Inspector): Promise<void> {
	await inspector.ask('HeapProfiler.collectGarbage');
	await inspector.ask('HeapProfiler.collectGarbage');
}
