import { Client } from 'pg';
import { serverCheck, serverUrls } from './server-urls.ts';

const connectTimeoutMs = 5_000;

/**
 * Opens one connection for the work and closes it; of several hosts, to the first that can be used. @throws what pg throws
 * if it can't be opened within 5 s
 */
export async function withClient<Result>(
	url: string,
	work: (client: Client) => Promise<Result>,
): Promise<Result> {
	const client = await connectToFirst(url);
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

async function connectToFirst(url: string): Promise<Client> {
	const { urls, target } = serverUrls(url);
	const check = serverCheck(target, connectTimeoutMs);
	for (const [index, connectionString] of urls.entries()) {
		const client = new Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
		// A lost connection rejects the current query; without this listener it would also crash the process.
		client.on('error', () => {});
		try {
			await client.connect();
			if (check !== undefined) await client.query(check);
			return client;
		} catch (error) {
			await client.end();
			if (index === urls.length - 1) throw error;
		}
	}
	throw new TypeError('An address has at least one host.');
}
