import { once } from 'node:events';

/**
 * Makes a process that was started with `--inspect` collect all that is garbage, by the debugger's protocol
 * (https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/#method-collectGarbage).
 * Resolves when that is done.
 * @param port of its inspector @throws when it can't be asked
 */
export async function collectGarbage(port: number): Promise<void> {
	const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
		webSocketDebuggerUrl: string;
	}[];
	const [page] = pages;
	if (page === undefined) throw new Error('There is nothing to inspect.');
	const socket = new WebSocket(page.webSocketDebuggerUrl);
	try {
		await once(socket, 'open');
		// What the first collection finalizes, the second one frees.
		for (const id of [1, 2]) {
			const answered = once(socket, 'message');
			socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
			const [message] = (await answered) as [{ data: string }];
			const { error } = JSON.parse(message.data) as { error?: { message: string } };
			if (error !== undefined) throw new Error(error.message);
		}
	} finally {
		socket.close();
	}
}
