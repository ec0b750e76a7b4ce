import { once } from 'node:events';
import { connect } from 'node:net';
import { withClient } from '@paddock/database';

// For programs that are starting: every failure means "not ready yet", since the caller has a deadline.

/** Whether a server accepts connections. */
export async function acceptsConnections(port: number, host = '127.0.0.1'): Promise<boolean> {
	const socket = connect(port, host);
	return await once(socket, 'connect')
		.then(
			() => true,
			() => false,
		)
		.finally(() => socket.destroy());
}

/** Whether a GET succeeds. */
export async function respondsOk(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	}
}

/** Whether a database accepts connections. */
export function acceptsClients(databaseUrl: string): Promise<boolean> {
	return withClient(databaseUrl, async () => true).catch(() => false);
}
