import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoPassword } from '@paddock/demo';
import { patientGateway } from '@paddock/testing';
import { describeUnless } from '../../libs/testing/src/describe-with-programs.ts';
import { declaredOperations, type Operation } from '../declared-operations.ts';
import { timedRequest } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';
import { describeLong } from './describe-long.ts';

const contexts = ['auth', 'members', 'masterdata', 'horses', 'events', 'ping'] as const;
/** A lower number is enough to check the test itself. */
const requestsEach = Number(process.env['PADDOCK_MEMORY_REQUESTS'] ?? 3_000);
const warmUpEach = Math.ceil(requestsEach / 30);
const connections = 16;
/** Maximum growth of a process outside of its JavaScript heap during the requests of one route. */
const growthMbMax = 120;

/** Routes that hash a password or create a key, which takes 100 ms of CPU time. */
const slow = /\/(register|login|change-password|rotate)$/;

const unknownId = '00000000-0000-4000-8000-000000000000';
/** The id of a demo record, by collection. */
const demoIds: Readonly<Record<string, string>> = {
	members: 'd2000000-0000-4000-8000-000000000005',
	clubs: 'd1000000-0000-4000-8000-000000000001',
	horses: 'd3000000-0000-4000-8000-000000000006',
	events: 'd4000000-0000-4000-8000-000000000002',
};

let system: System;
let token: string;
let signedInAt = 0;
/** The test takes longer than the lifetime of an access token; an expired token would only give 401. */
const tokenAgeMsMax = 300_000;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

async function signIn(): Promise<void> {
	token = await system.signIn();
	signedInAt = performance.now();
}

/** A session of its own for the operation that ends it; all others would only get 401 afterwards. */
async function callerOf({ path }: Operation): Promise<string> {
	return path === '/auth/logout' ? await system.signIn() : token;
}

/** A path with the id of a demo record for reads, and with an unknown id for writes. */
function pathOf({ method, path }: Operation): string {
	return path.replaceAll(/\/(\w[\w-]*)\/\{(\w+)\}/g, (_, list: string, name: string) => {
		if (name === 'context') return `/${list}/ping`;
		if (name === 'component') return `/${list}/masterdata`;
		return `/${list}/${method === 'GET' ? (demoIds[list] ?? unknownId) : unknownId}`;
	});
}

async function sendMany(operation: Operation, count: number, asCaller: string): Promise<Map<number, number>> {
	const statuses = new Map<number, number>();
	let sent = 0;
	const sendOn = async (): Promise<void> => {
		while (sent < count) {
			sent += 1;
			const { status } = await timedRequest({
				port: system.gateway.port,
				method: operation.method,
				path: pathOf(operation),
				headers: { Authorization: `Bearer ${asCaller}` },
				...(operation.body === undefined ? {} : { body: JSON.stringify(operation.body) }),
				agent,
			});
			statuses.set(status, (statuses.get(status) ?? 0) + 1);
		}
	};
	await Promise.all(Array.from({ length: connections }, sendOn));
	return statuses;
}

interface Measured {
	readonly name: string;
	readonly pid: number | undefined;
	readonly metricsUrl: string;
}

function processes(): Measured[] {
	const { gateway, services } = system;
	return [
		{ name: 'gateway', pid: gateway.pid, metricsUrl: `${gateway.url}/actuator/prometheus` },
		...contexts.flatMap((name) =>
			services[name].map(({ pid, url }) => ({ name, pid, metricsUrl: `${url}/metrics` })),
		),
	];
}

/** Megabytes of a process. */
interface Memory {
	readonly resident: number;
	/** Outside of the JavaScript heap, which grows until it is collected. */
	readonly native: number;
}

/** Linux only. */
async function memory(): Promise<Map<string, Memory>> {
	const measured = processes().map(async ({ name, pid, metricsUrl }) => {
		const text = await (await fetch(metricsUrl, { headers: { Authorization: `Bearer ${token}` } })).text();
		const [, heap] = /nodejs_heap_size_total_bytes\S* ([\d.e+]+)/.exec(text) ?? [];
		const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
		const resident = Number(kilobytes) / 1_024;
		return [name, { resident, native: resident - Number(heap) / 1_048_576 }] as const;
	});
	return new Map(await Promise.all(measured));
}

/**
 * The process that grew most outside of its heap. Pages that the collector frees leave the heap at once but stay
 * resident for a while, so a process whose resident memory didn't grow has not grown.
 */
async function growth(before: ReadonlyMap<string, Memory>): Promise<{ name: string; mb: number }> {
	const grown = [...(await memory())].map(([name, after]) => {
		const { resident = 0, native = 0 } = before.get(name) ?? {};
		return { name, mb: Math.min(after.resident - resident, after.native - native) };
	});
	if (grown.some(({ mb }) => Number.isNaN(mb))) throw new Error('A process reports no heap size.');
	return grown.reduce((most, one) => (one.mb > most.mb ? one : most));
}

const operations = declaredOperations().filter(({ streams }) => !streams);
const countOf = ({ path }: Operation, count: number) => (slow.test(path) ? Math.min(5, count) : count);

// Intl formatters created per call hold memory outside of the heap: 280 MB in 2,000 requests, 2.4 GB in a long run.
describeLong(process.env, 'the resident memory of every process', () => {
	beforeAll(async () => {
		system = await startSystem({
			contexts,
			gateway: patientGateway,
			services: { DEMO: 'on', PEER_TIMEOUT_MS: '60000' },
		});
		token = await system.signIn('officer@example.org', demoPassword);
		for (const operation of operations)
			await sendMany(operation, countOf(operation, warmUpEach), await callerOf(operation));
		await signIn();
	}, 600_000);

	afterAll(async () => {
		agent.destroy();
		await system?.stop();
	});

	describeUnless(process.platform === 'linux' ? undefined : 'needs Linux', 'each route', () => {
		test.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
			'%s: does not grow over thousands of requests',
			async (_title, operation) => {
				if (performance.now() - signedInAt > tokenAgeMsMax) await signIn();
				const caller = await callerOf(operation);
				const before = await memory();
				const statuses = await sendMany(operation, countOf(operation, requestsEach), caller);
				expect([...statuses.keys()].filter((status) => status === 0 || status >= 500)).toEqual([]);
				const { name, mb } = await growth(before);
				if (mb >= growthMbMax) throw new Error(`${name} grew by ${mb.toFixed(0)} MB`);
			},
			600_000,
		);
	});
});
