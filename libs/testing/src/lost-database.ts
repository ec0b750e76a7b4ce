import { expect } from '@jest/globals';
import { startDatabaseProxy } from './tcp-proxy.ts';
import type { TestContext } from './test-context.ts';

interface DatabaseSettings {
	readonly DATABASE_URL: string;
	readonly DATABASE_POOL_MAX: number;
}

/**
 * Checks an instance that loses its database and gets it back: 503 with `Retry-After` and a failing readiness until then,
 * no restart, and recovery without help. `path` reads from the database.
 */
export async function checkLostDatabase(
	context: Pick<TestContext<never, DatabaseSettings>, 'databaseUrl' | 'officer' | 'another'>,
	path: string,
): Promise<void> {
	const proxy = await startDatabaseProxy(context.databaseUrl);
	const service = await context.another({ DATABASE_URL: proxy.url, DATABASE_POOL_MAX: 2 });
	const ask = () => service.call('GET', path, { token: context.officer });
	const health = async (kind: string) => (await fetch(`${service.url}/health/${kind}`)).status;
	expect([(await ask()).status, await health('readiness')]).toEqual([200, 200]);

	await proxy.stop();
	const { status, data, headers } = await ask();
	expect([status, data.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '2']);
	expect([await health('readiness'), await health('liveness')]).toEqual([503, 200]);

	await proxy.restart();
	expect([(await ask()).status, await health('readiness')]).toEqual([200, 200]);
	await service.close();
	await proxy.stop();
}
