import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, freePort, startChildService, type TestDatabase } from '@paddock/testing';

let database: TestDatabase;

beforeAll(async () => {
	database = await createTestDatabase({ name: 'horses_empty', prepare: async () => {} });
});
afterAll(() => database.drop());

test('in production it starts on an empty database, refuses calls without a token, and exits with 0 on SIGTERM', async () => {
	const secret = 'a-secret-of-the-horses-that-nobody-else-has';
	const service = await startChildService({
		main: 'services/horses/src/main.ts',
		port: await freePort(),
		env: {
			NODE_ENV: 'production',
			HOST: '127.0.0.1',
			DRAIN_MS: '0',
			DATABASE_URL: database.url,
			SERVICE_SECRET: secret,
		},
		readyPath: '/health/readiness',
	});
	const response = await fetch(`${service.url}/api/horses`);
	expect(response.status).toBe(401);
	expect(await service.stop()).toBe(0);
	expect(service.output()).not.toContain(secret);
});

test('with settings that are not usable it ends with 1 and says all that is wrong, without a stack', async () => {
	const starting = startChildService({
		main: 'services/horses/src/main.ts',
		port: await freePort(),
		env: { NODE_ENV: 'production', DATABASE_URL: 'nowhere', DEMO: 'on', CONTEXTS: 'x y' },
		readyPath: '/health/readiness',
	});
	await expect(starting).rejects.toThrow(/exited with 1:\nhorses-service: The settings are not usable:\n/);
	await expect(starting).rejects.toThrow(/DATABASE_URL: .*CONTEXTS/s);
	await expect(starting).rejects.not.toThrow(/ at .*\.ts/);
});
