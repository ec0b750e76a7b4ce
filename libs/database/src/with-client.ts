import { Client } from 'pg';

const connectTimeoutMs = 5_000;

/** Opens one connection for the work and closes it. @throws what pg throws if it can't be opened within 5 s */
export async function withClient<Result>(
	url: string,
	work: (client: Client) => Promise<Result>,
): Promise<Result> {
	const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
	// A lost connection rejects the current query; without this listener it would also crash the process.
	client.on('error', () => {});
	await client.connect();
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}
