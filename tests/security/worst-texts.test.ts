import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Route } from '@paddock/service';
import { describeUnless } from '../../libs/testing/src/describe-with-programs.ts';
import { declaredRoutes } from '../../scripts/contexts/context-routes.ts';
import { declaredOperations, type Operation, withField } from '../declared-operations.ts';
import { type TimedCall, type TimedResponse, timedRequest } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';
import { type RouteInput, refusalOf } from './declared-calls.ts';

const contexts = ['auth', 'members', 'masterdata', 'horses', 'events', 'ping'] as const;
const eventLoopMsMax = 50;
const triesMax = 6;
/** Too slow to be due to other work of the process: one attempt suffices. */
const conclusiveMs = 500;
/** Below BODY_BYTES_MAX, with room for the other fields. */
const textBytes = 96_000;
/** Percent-encoded, below the header bytes that a server reads. */
const parameterBytes = 10_000;

const filled = (part: string, bytes = textBytes): string =>
	part.repeat(Math.floor(bytes / Buffer.byteLength(part)));

/** Texts that some transform needs the longest time for: normalisation, trimming, folding, regular expressions. */
const worstTexts: Readonly<Record<string, string>> = {
	'reversed marks': `a${filled('\u0301', textBytes / 2)}${filled('\u0323', textBytes / 2)}`,
	'marks of alternating classes': `a${filled('\u0301\u0323')}`,
	'allowed runs of reversed marks': filled(`a${'\u0301'.repeat(15)}${'\u0323'.repeat(15)}`),
	'letters that become marks': `a${filled('\u0301\uff9e')}`,
	'zero width joiners': `a${filled('\u200d')}`,
	'joiners behind viramas': filled('\u0915\u094d\u200d'),
	'right-to-left overrides': `a${filled('\u202e')}`,
	'Arabic with marks': filled('\u0645\u0651\u064e'),
	'ligatures that expand': filled('\ufdfa'),
	blanks: `a${filled(' ')}a`,
	'one letter': filled('x'),
	'beginnings of tokens': filled('-eyJ'),
	'parts of an address': filled('a.'),
	commas: filled(','),
};

/** A connection of its own would cost each of ten thousand requests as much as the text. */
const agent = new Agent({ keepAlive: true });
let system: System;
let token: string;

beforeAll(async () => {
	system = await startSystem({ contexts });
	token = await system.signIn();
}, 90_000);

afterAll(async () => {
	agent.destroy();
	await system?.stop();
});

/** The milliseconds that the main thread of the process has run, to the nanosecond. Linux only. */
function threadMs(pid: number | undefined): number {
	const [runNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
	return Number(runNs) / 1e6;
}

function pidsFor(operation: Operation): (number | undefined)[] {
	const context = contexts.find((name) => new RegExp(`^(/api)?/${name}(/|$)`).test(operation.path));
	const services = context === undefined ? [] : system.services[context];
	return [system.gateway, ...services].map(({ pid }) => pid);
}

/** The longest run of one event loop that the request cost; of several tries the shortest, as the process does other work. */
async function eventLoopMs(pids: readonly (number | undefined)[], call: TimedCall) {
	let shortest = Number.POSITIVE_INFINITY;
	let response: TimedResponse | undefined;
	for (let attempt = 0; attempt < triesMax && shortest >= eventLoopMsMax; attempt += 1) {
		if (attempt > 0 && shortest > conclusiveMs) break;
		const before = pids.map(threadMs);
		response = await timedRequest(call);
		shortest = Math.min(shortest, Math.max(...pids.map((pid, at) => threadMs(pid) - (before[at] ?? 0))));
	}
	return { ms: shortest, status: response?.status };
}

interface TextField {
	readonly place: 'body' | 'query' | 'path';
	readonly name: string;
	readonly input: (text: string) => RouteInput;
}

const nowhere = '00000000-0000-4000-8000-000000000000';

const encoded = (text: string): string =>
	encodeURIComponent(text.slice(0, parameterBytes / 3))
		.slice(0, parameterBytes)
		.replace(/(?:%[0-9A-F]?|%[C-F][0-9A-F](?:%[89AB][0-9A-F])*(?:%[89AB]?)?)$/, '');

function textFields({ parameters, body, bodyTexts }: Operation): readonly TextField[] {
	const ofPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
	const params = Object.fromEntries(ofPath.map((name) => [name, name === 'context' ? 'ping' : nowhere]));
	const input = { params, search: '', ...(body === undefined ? {} : { body }) };
	return [
		...bodyTexts.map((field) => ({
			place: 'body' as const,
			name: field.join('.'),
			input: (text: string) => ({ ...input, body: withField(body, field, text) }),
		})),
		...parameters
			.filter((parameter) => parameter.in === 'query')
			.map(({ name }) => ({
				place: 'query' as const,
				name,
				input: (text: string) => ({ ...input, search: `${name}=${encoded(text)}` }),
			})),
		...ofPath.map((name) => ({
			place: 'path' as const,
			name,
			input: (text: string) => ({
				...input,
				params: { ...params, [name]: decodeURIComponent(encoded(text)) },
			}),
		})),
	];
}

const routes: readonly Route<never>[] = Object.values(declaredRoutes).flat();

/** The route that carries out the operation; undefined if it is the gateway's own. */
function routeOf({ method, path }: Operation): Route<never> | undefined {
	return routes.find((route) => route.path === path && route.method.toUpperCase() === method);
}

/** The processor time in which a route refuses the input, of several tries the shortest; undefined if it accepts the input. */
function refusalMs(route: Route<never>, input: RouteInput): number | undefined {
	let shortest = Number.POSITIVE_INFINITY;
	for (let attempt = 0; attempt < triesMax && shortest >= eventLoopMsMax; attempt += 1) {
		const before = process.threadCpuUsage();
		if (refusalOf(route, input) === undefined) return undefined;
		const { user, system } = process.threadCpuUsage(before);
		shortest = Math.min(shortest, (user + system) / 1_000);
	}
	return shortest;
}

function requestOf({ method, path }: Operation, { params, search, body }: RouteInput): TimedCall {
	const filledIn = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
	return {
		port: system.gateway.port,
		agent,
		method,
		path: search === '' ? filledIn : `${filledIn}?${search}`,
		headers: { Authorization: `Bearer ${token}` },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	};
}

const operations = declaredOperations().filter(
	(operation) => !operation.streams && textFields(operation).length > 0,
);

test('there are texts to try in bodies, queries and paths of every context', () => {
	const names = operations.flatMap((operation) =>
		textFields(operation).map(({ place, name }) => `${place} ${name}`),
	);
	for (const place of ['body', 'query', 'path'])
		expect(names.filter((name) => name.startsWith(place)).length).toBeGreaterThan(30);
	expect(operations.filter((operation) => routeOf(operation) !== undefined).length).toBeGreaterThan(100);
	for (const name of [
		'auth/register',
		'api/members',
		'api/horses',
		'api/events',
		'api/masterdata/venues',
		'actuator',
	])
		expect(operations.some(({ path }) => path.startsWith(`/${name}`))).toBe(true);
	expect(names).toContain('body owners.0.externalParty.name');
});

// Anonymous clients could block a service for seconds: text was normalised before its length was checked.
describeUnless(process.platform === 'linux' ? undefined : 'needs Linux', 'each route', () => {
	test.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
		'%s: no text costs an event loop 50 ms',
		async (_title, operation) => {
			const pids = pidsFor(operation);
			const route = routeOf(operation);
			const sentPlaces = new Set<string>();
			const slow: string[] = [];
			for (const { place, name, input } of textFields(operation)) {
				// To read a text from a request costs the same in each field of a place, so the first one is sent. What the schema
				// of a field costs is seen without a request; a text that it accepts is sent, as the handler gets it.
				const isSent = route === undefined || !sentPlaces.has(place);
				sentPlaces.add(place);
				for (const [kind, text] of Object.entries(worstTexts)) {
					const refused = isSent ? undefined : refusalMs(route, input(text));
					const { ms, status = 500 } =
						refused === undefined
							? await eventLoopMs(pids, requestOf(operation, input(text)))
							: { ms: refused, status: 400 };
					if (ms >= eventLoopMsMax || status === 0 || status >= 500)
						slow.push(`${place} ${name} = ${kind}: ${status} after ${ms.toFixed(0)} ms`);
				}
			}
			expect(slow).toEqual([]);
		},
		120_000,
	);
});
