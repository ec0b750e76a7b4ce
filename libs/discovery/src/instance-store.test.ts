import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { eventually } from '../../testing/src/eventually.ts';
import { openInstanceStore } from './instance-store.ts';
import { instanceAt } from './registry.ts';

const now = new Date('2026-03-01T08:00:00Z');
const minuteMs = 60_000;
const one = instanceAt('10.0.0.1', 8081, 'auth-1');
let directory: string;
let file: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), 'instances-'));
	file = join(directory, 'new', 'gateway.json');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (afterMs = 0) =>
	openInstanceStore({
		file,
		ageMaxMs: 10 * minuteMs,
		isForbidden: (_, port) => port === 8080,
		logger: silentLogger(),
		now: () => new Date(now.getTime() + afterMs),
	});
const written = async (...values: unknown[]) => {
	await mkdir(join(directory, 'new'), { recursive: true });
	const services = Object.fromEntries(values.map((value, index) => [`s${index}`, value]));
	await writeFile(file, JSON.stringify({ services }));
};

describe('the last known instances on disk', () => {
	test('are those of the former process, until they are too old', async () => {
		const store = open();
		expect(store.restore('auth-service')).toBeUndefined();
		store.record('auth-service', { instances: [one], confirmedAt: now });
		await store.close();
		expect(open(10 * minuteMs).restore('auth-service')).toEqual({ instances: [one], confirmedAt: now });
		expect(open(10 * minuteMs + 1).restore('auth-service')).toBeUndefined();
		// The clock was set back: the age is unknown.
		expect(open(-1).restore('auth-service')).toBeUndefined();
	});

	test('are written without a partial file, for the owner only', async () => {
		const store = open();
		store.record('auth-service', { instances: [one], confirmedAt: now });
		await store.close();
		expect(await readdir(join(directory, 'new'))).toEqual(['gateway.json']);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
			services: {
				'auth-service': {
					confirmedAt: now.toISOString(),
					instances: [{ id: 'auth-1', address: '10.0.0.1', port: 8081 }],
				},
			},
		});
	});

	test('are checked like entries of the registry', async () => {
		const addresses = ['169.254.169.254', '::ffff:169.254.169.254', '2852039166', '', 7, '10.0.0.1'];
		const instances = addresses.map((address, index) => ({ id: `i${index}`, address, port: 8081 }));
		const wrong = [{ id: 'x', address: '10.0.0.2', port: 8080 }, { id: '', address: '10.0.0.2', port: 1 }, 7];
		await written({ confirmedAt: now.toISOString(), instances: [...instances, ...wrong] });
		expect(open().restore('s0')?.instances).toEqual([instanceAt('10.0.0.1', 8081, 'i5')]);
	});

	test.each(['', '[', 'null', '{"services":[7]}', '{"services":{"s0":{"confirmedAt":"x"}}}'])(
		'that read %j are none',
		async (text) => {
			await written();
			await writeFile(file, text);
			expect(open().restore('s0')).toBeUndefined();
		},
	);

	test('are limited in size', async () => {
		await written({ confirmedAt: now.toISOString(), instances: [], padding: 'x'.repeat(1024 * 1024) });
		expect(open().restore('s0')).toBeUndefined();
	});

	test('are not written again for each confirmation, and at the end with the last one', async () => {
		let atMs = now.getTime();
		const deps = {
			...{ file, ageMaxMs: 10 * minuteMs, isForbidden: () => false, logger: silentLogger() },
			...{ now: () => new Date(atMs), delayMs: 0 },
		};
		const store = openInstanceStore(deps);
		const confirm = (instances = [one]) =>
			store.record('auth-service', { instances, confirmedAt: new Date(atMs) });
		const written = async () =>
			(await readFile(file, 'utf8').catch(() => '')).includes(new Date(atMs).toISOString());
		confirm();
		await eventually('the first one is written', written);
		const { ino } = await stat(file);
		atMs += minuteMs - 1;
		confirm();
		// Another store with the same delay shows that a write would have ended.
		const fence = openInstanceStore({ ...deps, file: join(directory, 'fence.json') });
		fence.record('auth-service', { instances: [one], confirmedAt: now });
		await eventually('the other store has written', async () =>
			(await readdir(directory)).includes('fence.json'),
		);
		expect((await stat(file)).ino).toBe(ino);
		atMs += 1;
		confirm();
		await eventually('it is written after a minute', written);
		atMs += 1;
		confirm([one, instanceAt('10.0.0.2', 8081, 'auth-2')]);
		await eventually('a change is written', written);
		atMs += 1;
		confirm([one, instanceAt('10.0.0.2', 8081, 'auth-2')]);
		await store.close();
		expect(await written()).toBe(true);
	});

	test('that cannot be written or read harm nothing', async () => {
		await mkdir(file, { recursive: true });
		const store = open();
		store.record('auth-service', { instances: [one], confirmedAt: now });
		await store.close();
		expect(store.restore('auth-service')?.instances).toEqual([one]);
		expect(await readdir(join(directory, 'new'))).toEqual(['gateway.json']);
	});
});
