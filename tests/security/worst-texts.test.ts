import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeUnless } from '../../libs/testing/src/describe-with-programs.ts';
import { declaredOperations, type Operation, withField } from '../declared-operations.ts';
import { type TimedCall, type TimedResponse, timedRequest } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';

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
	readonly name: string;
	readonly call: (text: string) => Pick<TimedCall, 'path' | 'body'>;
}

const nowhere = '00000000-0000-4000-8000-000000000000';

function textFields({ path, parameters, body, bodyTexts }: Operation): readonly TextField[] {
	const pathWith = (name: string, value: string) =>
		path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
			parameter === name ? value : otherValue(parameter),
		);
	const otherValue = (parameter: string) => (parameter === 'context' ? 'ping' : nowhere);
	const encoded = (text: string) =>
		encodeURIComponent(text.slice(0, parameterBytes / 3))
			.slice(0, parameterBytes)
			.replace(/(?:%[0-9A-F]?|%[C-F][0-9A-F](?:%[89AB][0-9A-F])*(?:%[89AB]?)?)$/, '');
	const unchanged = body === undefined ? {} : { body: JSON.stringify(body) };
	return [
		...bodyTexts.map((field) => ({
			name: `body ${field.join('.')}`,
			call: (text: string) => ({
				path: pathWith('', ''),
				body: JSON.stringify(withField(body, field, text)),
			}),
		})),
		...parameters
			.filter((parameter) => parameter.in === 'query')
			.map(({ name }) => ({
				name: `query ${name}`,
				call: (text: string) => ({ ...unchanged, path: `${pathWith('', '')}?${name}=${encoded(text)}` }),
			})),
		...parameters
			.filter((parameter) => parameter.in === 'path')
			.map(({ name }) => ({
				name: `path ${name}`,
				call: (text: string) => ({ ...unchanged, path: pathWith(name, encoded(text)) }),
			})),
	];
}

const operations = declaredOperations().filter(
	(operation) => !operation.streams && textFields(operation).length > 0,
);

test('there are texts to try in bodies, queries and paths of every context', () => {
	const names = operations.flatMap((operation) => textFields(operation).map(({ name }) => name));
	for (const where of ['body', 'query', 'path'])
		expect(names.filter((name) => name.startsWith(where)).length).toBeGreaterThan(30);
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
			const slow: string[] = [];
			for (const { name, call } of textFields(operation)) {
				for (const [kind, text] of Object.entries(worstTexts)) {
					const { ms, status } = await eventLoopMs(pids, {
						port: system.gateway.port,
						agent,
						method: operation.method,
						headers: { Authorization: `Bearer ${token}` },
						...call(text),
					});
					if (ms >= eventLoopMsMax || status === 0 || (status ?? 500) >= 500)
						slow.push(`${name} = ${kind}: ${status} after ${ms.toFixed(0)} ms`);
				}
			}
			expect(slow).toEqual([]);
		},
		120_000,
	);
});
