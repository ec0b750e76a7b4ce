import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiClient, createTestDatabase } from '@paddock/testing';
import { usualHashes } from '../../services/auth/test/password-hashes.ts';
import { inventedCountry } from '../../services/masterdata/test/invented-country.ts';
import { type System, startSystem, systemServices } from '../system.ts';
import { describeWithContainers } from './describe-with-containers.ts';
import { build, confined, container, openEngineWithImage, ownBytes, paddockImage } from './paddock-image.ts';

// The base has about 240 MB (docs/decisions/0005-settled-details.md), and the whole image about 300 MB.
const ownBytesMax = 64_000_000;

describeWithContainers(await openEngineWithImage(process.env), 'the image', (engine) => {
	const podman = (options: readonly string[], ...words: string[]) =>
		engine.run('podman', [...container, ...options, paddockImage, ...words]);
	const inImage = (...words: string[]) => podman(confined, ...words);

	test('adds few megabytes to its base', async () => {
		const bytes = await ownBytes(engine);
		expect(bytes).toBeGreaterThan(20_000_000);
		expect(bytes).toBeLessThan(ownBytesMax);
	});

	test('has no tests, no packages of development, and nothing of a checkout', async () => {
		const listed = await inImage('find', '.', '-not', '-path', './node_modules/*/*');
		const files = listed.split('\n');
		expect(files).toContain('./services/auth/src/main.ts');
		expect(files).not.toContain('./node_modules/jest');
		expect(files.filter((file) => /\.test\.ts$|\/test$|\/\.git$|\.env/.test(file))).toEqual([]);
	});

	test('runs as an account that can change nothing of it, even on a root that is writable', async () => {
		const script = `
			const { accessSync, constants } = require('node:fs');
			const writable = (path) => { try { accessSync(path, constants.W_OK); return true; } catch { return false; } };
			const paths = ['.', 'gateway/src/main.ts', 'node_modules', '/usr/local/bin/node'];
			console.log(JSON.stringify([process.getuid(), process.getgid(), ...paths.filter(writable)]));`;
		const printed = await podman([], 'node', '-e', script);
		expect(JSON.parse(printed)).toEqual([1000, 1000]);
	});

	test('migrates the database of a context', async () => {
		const database = await createTestDatabase({ name: 'empty', prepare: async () => {} });
		try {
			const options = [...confined, '--env', `DATABASE_URL=${database.url}`];
			const printed = await podman(options, 'node', 'scripts/migrate.ts', 'masterdata');
			expect(printed).toMatch(/^masterdata: 0001/);
		} finally {
			await database.drop();
		}
	});

	describe('with a container for each process', () => {
		let system: System;

		beforeAll(async () => {
			const settings = { ...engine.env, NODE_ENV: 'production', HOST: '127.0.0.1' };
			const accounts = {
				KEY_ENCRYPTION_KEY: 'a1'.repeat(32),
				EMAIL_VERIFICATION: 'on',
				SMTP_URL: 'smtp://127.0.0.1:9',
				PUBLIC_URL: 'https://paddock.example.org',
				REQUIRE_MFA: 'off',
			};
			system = await startSystem({
				contexts: systemServices,
				// The time limit ends containers that a killed test run leaves behind.
				command: [
					...(['podman', ...container, '--timeout', '300', '--env-host'] as const),
					...[...confined, paddockImage, 'node'],
				],
				services: { ...settings, ...accounts, ...usualHashes },
				gateway: settings,
			});
		}, 240_000);

		afterAll(() => system?.stop());

		test('all are up, and a record is created and read through the gateway', async () => {
			const api = createApiClient(system.gateway.url);
			const token = await system.signIn();
			const health = await api<{ status: string }>('GET', '/actuator/health', { token });
			expect(health.data.status).toBe('UP');
			const country = inventedCountry('Q');
			const created = await api<{ id: string }>('POST', '/api/masterdata/countries', {
				token,
				body: country,
			});
			expect(created.status).toBe(201);
			const read = await api('GET', `/api/masterdata/countries/${created.data.id}`, { token });
			expect(read.data).toMatchObject(country);
			const info = await api('GET', '/actuator/info', { token });
			expect(info.text).toContain(build.BUILD_COMMIT);
		});

		test('the health check exits with 0 for a process that is up, otherwise with 1', async () => {
			const check = (url: string) => inImage('node', 'scripts/health-check.ts', url);
			const {
				ping: [ping],
			} = system.services;
			await check(`${ping?.url}/health`);
			await expect(check(`${ping?.url}/missing`)).rejects.toMatchObject({ code: 1 });
			await expect(check('http://127.0.0.1:9/')).rejects.toMatchObject({ code: 1 });
		});

		test('a SIGTERM ends each with exit code 0', async () => {
			const all = [system.gateway, ...Object.values(system.services).flat()];
			const codes = await Promise.all(all.map((one) => one.stop()));
			expect(codes).toEqual(all.map(() => 0));
		});
	});
});
