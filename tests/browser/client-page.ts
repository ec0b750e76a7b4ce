import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { bundledClient } from '../../clients/typescript/test/bundled-client.ts';
import { systemAdmin } from '../system.ts';

/** A web application of another origin than the gateway's, with the client library. */
export interface ClientPage {
	readonly origin: string;
	close(): Promise<void>;
}

const html = `<!doctype html><title>Client</title><link rel="icon" href="data:,">
<script type="module">import * as client from './client.js'; globalThis.client = client;</script>`;

export async function startClientPage(): Promise<ClientPage> {
	const { code } = await bundledClient(
		fileURLToPath(new URL('../../clients/typescript/src/index.ts', import.meta.url)),
	);
	const server = createServer((req, res) => {
		const isScript = req.url === '/client.js';
		res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html').end(isScript ? code : html);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** An expression for the page: what a signed-in user does, and the results. */
export function inClientPage(baseUrl: string): string {
	return `(async () => {
		const paddock = client.createClient({ baseUrl: '${baseUrl}', storage: localStorage });
		const { email } = await paddock.signIn(${JSON.stringify(systemAdmin)});
		const [key] = Object.keys(localStorage).filter((name) => name.startsWith('paddock.session'));
		localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), expiresAt: 0 }));
		const profiles = await Promise.all(Array.from({ length: 20 }, () => paddock.get('/auth/profile')));
		const { firstName, lastName, phoneNumber, locale } = profiles[0];
		const change = () => paddock.put('/auth/profile', {
			body: { firstName, lastName, phoneNumber, locale }, ifMatch: profiles[0],
		});
		await change();
		const conflict = await change().then(() => [], (error) => [error.code, error.status]);
		const { value } = await paddock.health().next();
		await paddock.signOut();
		return { email, parallel: profiles.length, conflict, health: value.health.status, isSignedIn: paddock.isSignedIn() };
	})()`;
}
