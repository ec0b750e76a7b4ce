import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { certainPart, type MailServer, openTestPool, startMailServer } from '@paddock/testing';
import { sql } from 'kysely';
import { usualHashes } from '../../services/auth/test/password-hashes.ts';
import { quantile, type TimedResponse, timedRequest } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';

const password = 'a canter around the meadow';
/** Pairs of a known and an unknown address; each address is used once by a trial, as mails are sent once a minute. */
const pairCount = 300;
/** Of the median, as far as the pairs prove it. */
const differenceMax = 0.05;

let system: System;
let mails: MailServer;

beforeAll(async () => {
	// So that each attempt has its own client address and is not delayed for another one.
	const trusted = { TRUSTED_PROXIES: '127.0.0.1' };
	mails = await startMailServer();
	const services = { ...usualHashes, SMTP_URL: mails.url, EMAIL_VERIFICATION: 'on' };
	system = await startSystem({ contexts: ['auth'], services, gateway: trusted });
}, 60_000);

afterAll(async () => {
	await system?.stop();
	await mails?.stop();
});

// Of equal length, as the responses repeat some of them.
const known = (index: number) => `known-${String(index).padStart(4, '0')}@example.org`;
const unknown = (index: number) => `other-${String(index).padStart(4, '0')}@example.org`;
const post = (path: string, body: unknown, host: number): Promise<TimedResponse> =>
	timedRequest({
		port: system.gateway.port,
		path,
		method: 'POST',
		headers: { 'X-Forwarded-For': `198.51.100.${host}` },
		body: JSON.stringify(body),
	});

/** A response without its time and request id. */
function saying({ status, headers, body }: TimedResponse): unknown {
	const {
		timestamp: _timestamp,
		data,
		...rest
	} = JSON.parse(body) as {
		timestamp: string;
		data: { requestId: string };
	};
	const { requestId: _requestId, ...details } = data;
	return { status, headers: Object.keys(headers).sort(), length: headers['content-length'], details, rest };
}

type Attempt = (email: string, host: number) => Promise<TimedResponse>;

interface Trial {
	readonly name: string;
	readonly status: number;
	readonly attempt: Attempt;
}

const trials: readonly Trial[] = [
	{
		name: 'sign-ins',
		status: 401,
		attempt: (email, host) => post('/auth/login', { email, password: 'two bales and a bucket' }, host),
	},
	{
		name: 'forgotten passwords',
		status: 200,
		attempt: (email, host) => post('/auth/forgot-password', { email }, host),
	},
	// The last: it makes the unknown addresses known.
	{
		name: 'registrations',
		status: 201,
		attempt: (email, host) =>
			post('/auth/register', { email, password, firstName: 'Rosa', lastName: 'Weiss' }, host),
	},
];

describe(`${pairCount} pairs of attempts, known and unknown accounts interleaved`, () => {
	beforeAll(async () => {
		const person = { email: known(0), password, firstName: 'Rosa', lastName: 'Weiss' };
		expect((await post('/auth/register', person, 0)).status).toBe(201);
		const db = openTestPool<never>(system.databaseUrls.get('auth') ?? '');
		await sql`
			insert into users select (jsonb_populate_record(users, jsonb_build_object(
				'id', gen_random_uuid(), 'email', 'known-' || lpad(number::text, 4, '0') || '@example.org'
			))).* from users, generate_series(1, ${pairCount - 1}::integer) as number where email = ${known(0)}`.execute(
			db,
		);
		await sql`update users set email_verified_at = now()`.execute(db);
		await db.destroy();
	}, 120_000);

	test.each(trials)(
		'$name: the same status, headers, body and time',
		async ({ status, attempt, name }) => {
			const timesMs = { known: [] as number[], unknown: [] as number[] };
			const sayings = new Set<string>();
			const one = async (kind: 'known' | 'unknown', email: string, host: number): Promise<void> => {
				const response = await attempt(email, host);
				expect(response.status).toBe(status);
				// Both kinds of addresses have the same length, and a registration repeats the address.
				sayings.add(JSON.stringify(saying(response)).replaceAll(email, 'the address'));
				timesMs[kind].push(response.durationMs);
			};
			for (let index = 0; index < pairCount; index += 1) {
				// Interleaved, so that other load of the machine affects both equally; the first of a pair alternates.
				const pair = [
					() => one('known', known(index), 2 * (index % 100)),
					() => one('unknown', unknown(index), 2 * (index % 100) + 1),
				];
				for (const each of index % 2 === 0 ? pair : pair.toReversed()) await each();
			}
			const [a, b] = [quantile(timesMs.known, 0.5), quantile(timesMs.unknown, 0.5)];
			const limit = { of: Math.min(a, b), limit: differenceMax };
			const { difference, report } = certainPart(timesMs.known, timesMs.unknown, limit);
			const medians = `${a.toFixed(1)} ms known, ${b.toFixed(1)} ms unknown`;
			process.stdout.write(`${name}: medians ${medians} of ${pairCount} pairs, ${report}\n`);
			expect(Math.abs(difference)).toBeLessThan(differenceMax);
			expect([...sayings]).toHaveLength(1);
		},
		300_000,
	);
});
