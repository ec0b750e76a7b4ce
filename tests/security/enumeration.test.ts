import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type MailServer, openTestPool, startMailServer } from '@paddock/testing';
import { sql } from 'kysely';
import { usualHashes } from '../../services/auth/test/password-hashes.ts';
import { quantile, type TimedResponse, timedRequest } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';

const accountCount = 100;
const password = 'a canter around the meadow';
/** Of the median. On a machine with other load 200 attempts may be too few to show it, so more are added. */
const differenceMax = 0.05;
const roundsMax = 6;

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
	/** Whether each unknown address is used once, because the attempt makes it known. */
	readonly usesUp: boolean;
}

const trials: readonly Trial[] = [
	{
		name: 'sign-ins',
		status: 401,
		usesUp: false,
		attempt: (email, host) => post('/auth/login', { email, password: 'two bales and a bucket' }, host),
	},
	{
		name: 'registrations',
		status: 201,
		usesUp: true,
		attempt: (email, host) =>
			post('/auth/register', { email, password, firstName: 'Rosa', lastName: 'Weiss' }, host),
	},
	{
		name: 'forgotten passwords',
		status: 200,
		usesUp: false,
		attempt: (email, host) => post('/auth/forgot-password', { email }, host),
	},
];

describe('200 attempts, known and unknown accounts interleaved', () => {
	beforeAll(async () => {
		for (let index = 0; index < accountCount; index += 1) {
			const person = { email: known(index), password, firstName: 'Rosa', lastName: 'Weiss' };
			expect((await post('/auth/register', person, index)).status).toBe(201);
		}
		const db = openTestPool<never>(system.databaseUrls.get('auth') ?? '');
		await sql`update users set email_verified_at = now()`.execute(db);
		await db.destroy();
	}, 120_000);

	test.each(trials)(
		'$name: the same status, headers, body and time',
		async ({ status, attempt, usesUp, name }) => {
			const timesMs = { known: [] as number[], unknown: [] as number[] };
			const sayings = new Set<string>();
			const one = async (kind: 'known' | 'unknown', email: string, host: number): Promise<void> => {
				const response = await attempt(email, host);
				expect(response.status).toBe(status);
				// Both kinds of addresses have the same length, and a registration repeats the address.
				sayings.add(JSON.stringify(saying(response)).replaceAll(email, 'the address'));
				timesMs[kind].push(response.durationMs);
			};
			for (let round = 1; round <= roundsMax; round += 1) {
				for (let index = 0; index < accountCount; index += 1) {
					const other = unknown(usesUp ? index + round * accountCount : index);
					// Interleaved, so that other load of the machine affects both equally; the first of a pair alternates.
					const pair = [
						() => one('known', known(index), 2 * index),
						() => one('unknown', other, 2 * index + 1),
					];
					for (const each of index % 2 === 0 ? pair : pair.toReversed()) await each();
				}
				// Of pairs, as the load of the machine changes during the attempts.
				const { known: ofKnown, unknown: ofUnknown } = timesMs;
				const [a, b] = [quantile(ofKnown, 0.5), quantile(ofUnknown, 0.5)];
				const differences = ofKnown.map((duration, index) => duration - (ofUnknown[index] ?? 0));
				const difference = quantile(differences, 0.5) / Math.min(a, b);
				const medians = `${a.toFixed(1)} ms known, ${b.toFixed(1)} ms unknown, ${(difference * 100).toFixed(1)} %`;
				process.stdout.write(`${name}: medians ${medians} of ${ofKnown.length} pairs\n`);
				if (Math.abs(difference) < differenceMax) break;
				expect(round).toBeLessThan(roundsMax);
			}
			expect([...sayings]).toHaveLength(1);
		},
		300_000,
	);
});
