import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, freePort, startChildService, type TestDatabase } from '@paddock/testing';
import { generate } from 'otplib';

let database: TestDatabase;

beforeAll(async () => {
	database = await createTestDatabase({ name: 'auth_empty', prepare: async () => {} });
});
afterAll(() => database.drop());

const start = async (env: Record<string, string>) =>
	startChildService({
		main: 'services/auth/src/main.ts',
		port: await freePort(),
		env: { DRAIN_MS: '0', DATABASE_URL: database.url, ...env },
		readyPath: '/health',
	});

test('in production it starts on an empty database, enrols and signs in the administrator, and exits with 0 on SIGTERM', async () => {
	const administrator = { email: 'boss@example.org', password: 'seven ladders behind the barn' };
	const secret = 'a secret-free log has not these letters'.replaceAll(' ', '-');
	const service = await start({
		NODE_ENV: 'production',
		HOST: '127.0.0.1',
		ADMIN_EMAIL: administrator.email,
		ADMIN_PASSWORD: administrator.password,
		SMTP_URL: 'smtp://127.0.0.1:9',
		SERVICE_SECRETS: `events-service=${secret}`,
		KEY_ENCRYPTION_KEY: 'e'.repeat(64),
	});
	const post = async (path: string, body: object) => {
		const response = await fetch(service.url + path, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		});
		const envelope = (await response.json()) as { data: Record<string, string> };
		return { status: response.status, data: envelope.data };
	};
	// With the password alone an administrator of production gets only the enrolment of a second factor.
	const first = await post('/auth/login', administrator);
	expect([first.status, first.data['code']]).toEqual([403, 'SECOND_FACTOR_ENROLMENT_REQUIRED']);
	const { challengeToken = '' } = first.data;
	const { secret: totpSecret = '' } = (await post('/auth/login/enrolment', { challengeToken })).data;
	const code = await generate({ secret: totpSecret });
	const { status, data } = await post('/auth/login/enrolment/confirm', { challengeToken, code });
	expect(status).toBe(200);
	const { accessToken = '' } = data;
	const users = await fetch(`${service.url}/auth/users`, {
		headers: { Authorization: `Bearer ${accessToken}` },
	});
	expect(users.status).toBe(200);
	const ofService = await fetch(`${service.url}/internal/service-tokens`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ client: 'events-service', secret }),
	});
	expect(ofService.status).toBe(200);
	expect(await service.stop()).toBe(0);
	expect(service.output()).not.toContain(secret);
	expect(service.output()).not.toContain(administrator.password);
	for (const confidential of [accessToken, totpSecret, code, challengeToken])
		expect(service.output()).not.toContain(confidential);
});

test('with settings that are not usable it ends with 1 and says all that is wrong, without a stack', async () => {
	const starting = start({ NODE_ENV: 'production', DATABASE_URL: 'nowhere', DEMO: 'on', PORT: 'x' });
	await expect(starting).rejects.toThrow(/exited with 1:\nauth-service: The settings are not usable:\n/);
	await expect(starting).rejects.toThrow(/PORT: .*DATABASE_URL: /s);
	await expect(starting).rejects.not.toThrow(/ at .*\.ts/);
});

test('with an administrator whose password breaks the rules it ends with 1 and one clear line', async () => {
	const other = await createTestDatabase({ name: 'auth_empty', prepare: async () => {} });
	try {
		const starting = start({
			DATABASE_URL: other.url,
			ADMIN_EMAIL: 'boss@example.org',
			ADMIN_PASSWORD: 'Passwort1234',
		});
		await expect(starting).rejects.toThrow(
			/exited with 1:\n.*auth-service: The settings are not usable:\n {2}ADMIN_PASSWORD: is a commonly/s,
		);
	} finally {
		await other.drop();
	}
});
