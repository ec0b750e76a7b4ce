import { type ChildProcess, spawn } from 'node:child_process';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createSettableRegistry, eventually } from '@paddock/testing';
import { openBreakerOverrides } from '../upstream/breaker-overrides.ts';
import type { CurrentOverride } from '../upstream/override-decision.ts';
import { type OverrideUpdate, openOverrideTable } from '../upstream/override-table.ts';
import type { Welcome } from './channel.ts';
import { createWorkers } from './workers.ts';

// The protocol of birpc: joins, and reports the calls of the primary process and the response to `join`.
const program = `
const { serialize } = require('node:v8');
let bytes = 0;
process.on('message', (message) => {
	if (message.probe) process.send({ bytes });
	else if (message.t === 's') process.send({ welcome: message.r });
	else if (message.m === 'changed') {
		bytes += serialize(message).length;
		process.send({ changes: message.a[0].overrides });
	}
});
process.send({ t: 'q', i: '1', m: 'join', a: [] });`;

const children: ChildProcess[] = [];
const closing: (() => unknown)[] = [];

afterEach(async () => {
	for (const close of closing.splice(0)) await close();
	for (const child of children.splice(0)) {
		child.kill('SIGKILL');
		await once(child, 'close');
	}
});

const now = () => new Date();
const done = { reason: 'done', by: 'a2c9', at: new Date() };

function primary() {
	const registry = createSettableRegistry({});
	const workers = createWorkers({
		...{
			size: 2,
			registry,
			logger: silentLogger(),
			logLevel: 'info',
			pages: () => undefined,
			attached: { entries: () => [], onChange: () => undefined },
			now,
		},
	});
	const overrides = openBreakerOverrides({
		...{ now, logger: silentLogger(), serviceOf: (context: string) => `${context}-service` },
		onChange: workers.changeOverride,
	});
	closing.push(() => overrides.close());
	return { workers, overrides };
}

/** Follows the overrides as a worker does. */
async function startWorker(workers: ReturnType<typeof createWorkers>, id: number) {
	const child = spawn(process.execPath, ['-e', program], {
		serialization: 'advanced',
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	children.push(child);
	const table = openOverrideTable({ now, onChange: () => undefined });
	closing.push(table.close);
	let messages = 0;
	let bytes: number | undefined;
	let hasJoined = false;
	child.on('message', (message: { welcome?: Welcome; changes?: OverrideUpdate[]; bytes?: number }) => {
		if (message.welcome !== undefined) {
			table.replace(message.welcome.overrides, () => '');
			hasJoined = true;
		}
		if (message.changes !== undefined) {
			table.apply(message.changes);
			messages += 1;
		}
		bytes = message.bytes ?? bytes;
	});
	workers.add({ id, process: child } as unknown as Worker);
	closing.unshift(() => workers.remove(id));
	await eventually('the worker has joined', () => hasJoined);
	return {
		list: () => byTarget(table.list()),
		messages: () => messages,
		sentBytes: async (): Promise<number> => {
			child.send({ probe: true });
			await eventually('the bytes are known', () => bytes !== undefined);
			return bytes ?? 0;
		},
	};
}

function byTarget(list: readonly CurrentOverride[]) {
	return list.toSorted((a, b) => JSON.stringify(a.target).localeCompare(JSON.stringify(b.target)));
}

function override(state: 'OPEN' | 'CLOSED' = 'OPEN') {
	const until = new Date(Date.now() + 3_600_000);
	return {
		state,
		reason: 'maintenance of its database',
		by: 'a2c9',
		byName: 'Anna Huber',
		at: new Date(),
		until,
	};
}

// Each change sent the whole list: 252 MB for 2,000 overrides.
test('each change of an override is sent, not the list of all of them', async () => {
	const count = 300;
	const { workers, overrides } = primary();
	const worker = await startWorker(workers, 1);
	for (let at = 0; at < count; at += 1)
		await overrides.set({ context: 'horses', instance: `horses-service-${at}` }, override());
	await eventually('the worker has all', () => worker.list().length === count);
	expect(worker.list()).toEqual(byTarget(overrides.list()));
	expect(await worker.sentBytes()).toBeLessThan(count * 1_000);
});

test('a worker follows replaced, removed and expired overrides, and changes at once arrive in one message', async () => {
	const { workers, overrides } = primary();
	await overrides.set({ context: 'horses', instance: 'a' }, override());
	const worker = await startWorker(workers, 1);
	const same = () => JSON.stringify(worker.list()) === JSON.stringify(byTarget(overrides.list()));
	expect(same()).toBe(true);
	await overrides.set({ context: 'horses', instance: 'a' }, override('CLOSED'));
	await overrides.set({ context: 'horses', instance: 'b' }, override());
	await overrides.set({ context: 'members' }, override());
	await eventually('the worker has the same', () => worker.list().length === 3 && same());
	// Ends two and begins one.
	const before = worker.messages();
	await overrides.set({ context: 'horses' }, override());
	await eventually('the worker has the same', () => worker.list().length === 2 && same());
	expect(worker.messages()).toBe(before + 1);
	await overrides.set({ context: 'members' }, { ...override(), until: new Date(Date.now() + 50) });
	await eventually('it has expired', () => overrides.list().length === 1 && same());
	await overrides.remove({ context: 'horses' }, done);
	await eventually('the worker has none', () => worker.list().length === 0);
});

test('a new worker receives the overrides of now', async () => {
	const { workers, overrides } = primary();
	const first = await startWorker(workers, 1);
	await overrides.set({ context: 'horses' }, override());
	await overrides.set({ context: 'members' }, override());
	await overrides.remove({ context: 'members' }, done);
	const second = await startWorker(workers, 2);
	expect(second.list()).toEqual(byTarget(overrides.list()));
	await eventually('the first one has the same', () => first.list().length === 1);
});
