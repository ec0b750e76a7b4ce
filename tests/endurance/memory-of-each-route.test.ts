import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoPassword } from '@paddock/demo';
import { type System, startSystem } from '@paddock/testing';
import { declaredOperations, type Operation } from '../declared-operations.ts';
import { timedRequest } from '../resilience/timed-load.ts';
import { describeLong } from './describe-long.ts';

const contexts = ['auth', 'members', 'masterdata', 'horses', 'events', 'ping'] as const;
/** Fewer show whether the test itself works. */
const requestsEach = Number(process.env['PADDOCK_MEMORY_REQUESTS'] ?? 3_000);
const warmUpEach = Math.ceil(requestsEach / 30);
const connections = 16;
/** What a process may grow by during the requests of one route: less than 14 KB a request. */
const growthMbMax = 40;
const roundsMax = 3;

// A bounded heap: what grows beyond it is memory that the garbage collector doesn't see, or that it can't free.
const boundedHeap = { NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=8' };

/** Routes that hash a password or make a key, which takes a processor a tenth of a second. */
const slow = /\/(register|login|change-password|rotate)$/;

const nowhere = '00000000-0000-4000-8000-000000000000';
/** The number of a demo record, by the list that it is in. */
const demoIds: Readonly<Record<string, string>> = {
	members: 'd2000000-0000-4000-8000-000000000005',
	clubs: 'd1000000-0000-4000-8000-000000000001',
	horses: 'd3000000-0000-4000-8000-000000000006',
	events: 'd4000000-0000-4000-8000-000000000002',
};

let system: System;
let token: string;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

/** The path of a demo record to read; of a record that there isn't where the operation would change it. */
function pathOf({ method, path }: Operation): string {
	return path.replaceAll(/\/(\w[\w-]*)\/\{(\w+)\}/g, (_, list: string, name: string) => {
		if (name === 'context') return `/${list}/ping`;
		if (name === 'component') return `/${list}/masterdata`;
		return `/${list}/${method === 'GET' ? (demoIds[list] ?? nowhere) : nowhere}`;
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

function processes(): { name: string; pid: number | undefined }[] {
	return [
		{ name: 'gateway', pid: system.gateway.pid },
		...contexts.flatMap((name) => system.services[name].map(({ pid }) => ({ name, pid }))),
	];
}

/** Resident memory of each process. Linux only. */
function residentMb(): Map<string, number> {
	return new Map(
		processes().map(({ name, pid }) => {
			const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
			return [name, Number(kilobytes) / 1_024];
		}),
	);
}

function growth(before: ReadonlyMap<string, number>): { name: string; mb: number } {
	const grown = [...residentMb()].map(([name, mb]) => ({ name, mb: mb - (before.get(name) ?? 0) }));
	return grown.reduce((most, one) => (one.mb > most.mb ? one : most));
}

const operations = declaredOperations().filter(({ streams }) => !streams);
const countOf = ({ path }: Operation, count: number) => (slow.test(path) ? Math.min(5, count) : count);

// A formatter of Intl per call cost events 140 KB a request that no garbage collection freed in time: 2.4 GB in a long run.
describeLong(process.env, 'the resident memory of every process', () => {
	beforeAll(async () => {
		system = await startSystem({
			contexts,
			services: { DEMO: 'on', ...boundedHeap },
			gateway: boundedHeap,
		});
		token = await system.signIn('officer@example.org', demoPassword);
		for (const operation of operations) await sendMany(operation, countOf(operation, warmUpEach), token);
		token = await system.signIn();
	}, 600_000);

	afterAll(async () => {
		agent.destroy();
		await system?.stop();
	});

	(process.platform === 'linux' ? test.each : test.skip.each)(
		operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
	)(
		'%s: stays as it is over thousands of requests',
		async (_title, operation) => {
			const caller = operation.path === '/auth/logout' ? await system.signIn() : token;
			const rounds: { name: string; mb: number }[] = [];
			// Heaps grow to their bound once; what is lost with each request is lost in each round.
			while (rounds.length < roundsMax && rounds.every(({ mb }) => mb >= growthMbMax)) {
				const before = residentMb();
				const statuses = await sendMany(operation, countOf(operation, requestsEach), caller);
				expect([...statuses.keys()].filter((status) => status === 0 || status === 500)).toEqual([]);
				rounds.push(growth(before));
			}
			const least = rounds.reduce((a, b) => (a.mb < b.mb ? a : b));
			if (least.mb >= growthMbMax)
				throw new Error(`${least.name} grew by ${least.mb.toFixed(0)} MB in each of ${roundsMax} rounds`);
		},
		600_000,
	);
});
