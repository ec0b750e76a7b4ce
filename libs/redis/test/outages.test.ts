import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { createLogger } from '@paddock/telemetry';
import {
	describeWithPrograms,
	describeWithRedis,
	eventually,
	freePort,
	patient,
	type RedisServer,
	startRedisServer,
	startStopwatch,
} from '@paddock/testing';
import { createScript, openRedis, type Redis } from '../src/index.ts';
import { RedisUnavailableError } from '../src/open-redis.ts';

/** Longer than a call takes on a busy machine: only a frozen server reaches it. */
const timeoutMs = 600;
const increment = createScript("return redis.call('INCR', KEYS[1])");
const closing: (() => Promise<void> | void)[] = [];
const lines: string[] = [];

afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
	lines.length = 0;
});

async function start(options?: Parameters<typeof startRedisServer>[0]): Promise<RedisServer> {
	const server = await startRedisServer(options);
	closing.push(server.kill);
	return server;
}

async function open(url: string): Promise<Redis> {
	const logger = createLogger({ service: 'gateway', level: 'info' });
	for (const transport of logger.transports) transport.silent = true;
	logger.on('data', (info: Record<symbol, string>) => lines.push(info[Symbol.for('message')] ?? ''));
	const redis = await openRedis({ url, timeoutMs, logger, now: () => new Date() });
	closing.push(redis.close);
	return redis;
}

const messages = () => lines.map((line) => (JSON.parse(line) as { message: string }).message);

describeWithRedis('a Redis server', () => {
	test('runs scripts, also after a restart without its scripts', async () => {
		const server = await start();
		const redis = await open(server.url);
		expect(await redis.run(increment, ['a'], [])).toBe(1);
		expect(await redis.run(increment, ['a'], [])).toBe(2);
		await server.restart();
		await eventually(
			'it is available',
			async () => (await redis.run(increment, ['a'], []).catch(() => 0)) === 1,
		);
	});

	test('that is killed is reported once, calls fail at once, and its return is noticed without calls', async () => {
		const server = await start();
		const redis = await open(server.url);
		await server.kill();
		await eventually('the outage is noticed without calls', () => !redis.available());
		for (let call = 0; call < 20; call += 1)
			await expect(redis.run(increment, ['a'], [])).rejects.toThrow(RedisUnavailableError);
		await server.restart();
		await eventually('the return is noticed without calls', () => redis.available());
		expect(await redis.run(increment, ['a'], [])).toBe(1);
		expect(messages()).toEqual(['redis unavailable', 'redis available again']);
	});

	test('that is frozen delays one call by the timeout and no further one', async () => {
		const server = await start();
		const redis = await open(server.url);
		server.signal('SIGSTOP');
		const elapsedMs = startStopwatch();
		for (let call = 0; call < 20; call += 1)
			await expect(redis.run(increment, ['a'], [])).rejects.toThrow(RedisUnavailableError);
		expect(elapsedMs()).toBeLessThan(patient(2 * timeoutMs));
		server.signal('SIGCONT');
		await eventually('the return is noticed without calls', () => redis.available());
	});

	test('that refuses writes counts as unavailable', async () => {
		const master = await freePort();
		const server = await start({ more: ['--replicaof', '127.0.0.1', String(master)] });
		const redis = await open(server.url);
		expect(redis.available()).toBe(false);
		expect(lines.join()).toContain('READONLY');
	});

	// Limits were counted locally every other second because the user had no access to the overrides of breakers.
	test('that refuses one key is available for others, and the refusal is logged once', async () => {
		const access = ['default', 'reset', 'on', 'nopass', '+@all', '~a', '~paddock:probe'];
		const server = await start({ more: ['--user', ...access] });
		const redis = await open(server.url);
		for (let call = 0; call < 3; call += 1)
			await expect(redis.run(increment, ['b'], [])).rejects.toThrow(/NOPERM/);
		expect(await redis.run(increment, ['a'], [])).toBe(1);
		const push = createScript("return redis.call('LPUSH', KEYS[1], 'x')");
		await expect(redis.run(push, ['a'], [])).rejects.toThrow(/WRONGTYPE/);
		expect(redis.available()).toBe(true);
		expect(messages()).toEqual(['redis refuses a script', 'redis refuses a script']);
	});

	test('that is absent when the process starts is used once it responds', async () => {
		const server = await start();
		await server.kill();
		const redis = await open(server.url);
		expect(redis.available()).toBe(false);
		expect(lines.join()).toContain('ECONNREFUSED');
		await server.restart();
		await eventually('it is available', () => redis.available());
	});

	test('with a password is used with it; a wrong one is reported without it', async () => {
		const server = await start({ password: 'correct-horse' });
		expect((await open(server.url)).available()).toBe(true);
		expect((await open(server.url.replace('correct-horse', 'wrong-staple'))).available()).toBe(false);
		expect(lines.join()).toMatch(/WRONGPASS|NOAUTH/);
		expect(lines.join()).not.toContain('staple');
	});
});

describeWithPrograms(['redis-server', 'openssl'], 'a Redis server with TLS', () => {
	test('is used if its certificate is trusted, with a password, and not otherwise', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'paddock-redis-'));
		closing.push(() => rm(folder, { recursive: true }));
		const certificate = { certificateFile: join(folder, 'server.crt'), keyFile: join(folder, 'server.key') };
		execFileSync(
			'openssl',
			[
				...[
					'req',
					'-x509',
					'-newkey',
					'ec',
					'-pkeyopt',
					'ec_paramgen_curve:prime256v1',
					'-nodes',
					'-days',
					'1',
				],
				...['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'],
				...['-keyout', certificate.keyFile, '-out', certificate.certificateFile],
			],
			{ stdio: 'ignore' },
		);
		const server = await start({ password: 'correct-horse', certificate });
		expect((await open(server.url)).available()).toBe(false);
		expect(lines.join()).toContain('self-signed certificate');
		const known = getCACertificates();
		setDefaultCACertificates([...known, await readFile(certificate.certificateFile, 'utf8')]);
		closing.push(() => setDefaultCACertificates(known));
		const redis = await open(server.url);
		expect(await redis.run(increment, ['a'], [])).toBe(1);
	});
});
