import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withClient } from '@paddock/database';
import { certainPart, createApiClient } from '@paddock/testing';
import { quantile, type TimedResponse, timedRequest } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';

/** Each makes ten claims, 200 of each kind in total. */
const accountCount = 80;
/** Of the median, against claims of unknown numbers, as far as the pairs prove it. */
const differenceMax = 0.05;
const password = 'a canter around the meadow';
const born = '2014-05-02';

const letters = 'abcdefghijklmnopqrstuvwxyz';

let system: System;
const tokens: string[] = [];
const children: string[] = [];
/** An account has one. */
let claimed = '';

beforeAll(async () => {
	system = await startSystem({ contexts: ['auth', 'members'] });
	const api = createApiClient(system.gateway.url);
	const admin = await system.signIn();
	const register = async (index: number): Promise<string> => {
		const person = { email: `parent-${index}@example.org`, password, firstName: 'Rosa', lastName: 'Weiss' };
		expect((await api('POST', '/auth/register', { body: person })).status).toBe(201);
		await withClient(system.databaseUrls.get('auth') ?? '', (client) =>
			client.query('update users set email_verified_at = now() where email_verified_at is null'),
		);
		return system.signIn(person.email, password);
	};
	const child = async (index: number): Promise<string> => {
		const body = {
			firstName: `Mia${letters.charAt(index % 26)}${letters.charAt(Math.floor(index / 26))}`,
			lastName: 'Weiss',
			dateOfBirth: born,
			guardian: { name: 'Rosa Weiss', relationship: 'mother' },
		};
		const made = await api<{ membershipNumber: string }>('POST', '/api/members', { token: admin, body });
		expect(made.status).toBe(201);
		return made.data.membershipNumber;
	};
	for (let index = 0; index < accountCount; index += 1) {
		tokens.push(await register(index));
		children.push(await child(index));
	}
	claimed = await child(accountCount);
	const owner = await register(accountCount);
	const body = { relationship: 'SELF', membershipNumber: claimed, dateOfBirth: born };
	const link = await api<{ id: string }>('POST', '/auth/member-links', { token: owner, body });
	const confirmed = await api('POST', `/auth/member-links/${link.data.id}/confirm`, { token: admin });
	expect(confirmed.status).toBe(200);
}, 120_000);

afterAll(async () => {
	await system?.stop();
});

const claim = (token: string, membershipNumber: string, dateOfBirth: string): Promise<TimedResponse> =>
	timedRequest({
		port: system.gateway.port,
		path: '/auth/member-links',
		method: 'POST',
		headers: { Authorization: `Bearer ${token}` },
		body: JSON.stringify({ relationship: 'SELF', membershipNumber, dateOfBirth }),
	});

/** A response without ids, times and what the request itself said. */
function saying({ status, headers, body }: TimedResponse): string {
	const { data, message, success } = JSON.parse(body) as Record<string, Record<string, unknown>>;
	const {
		id: _id,
		createdAt: _at,
		updatedAt: _too,
		membershipNumber: _number,
		dateOfBirth: _born,
		...rest
	} = data ?? {};
	return JSON.stringify({
		status,
		headers: Object.keys(headers).sort(),
		length: headers['content-length'],
		message,
		success,
		rest,
	});
}

test('200 claims each of members, claimed members, wrong dates and unknown numbers, interleaved: one response and time', async () => {
	const kinds = {
		// Another one for each claim of an account.
		member: (index: number) => [children[index % accountCount] ?? '', born],
		claimed: () => [claimed, born],
		wrongDate: (index: number) => [children[index % accountCount] ?? '', '2013-06-03'],
		unknown: (index: number) => [String(90_000_000 + index), born],
	} as const;
	const names = Object.keys(kinds) as (keyof typeof kinds)[];
	const timesMs = { member: [], claimed: [], wrongDate: [], unknown: [] } as Record<
		keyof typeof kinds,
		number[]
	>;
	const sayings = new Set<string>();
	for (const [index, token] of tokens.entries())
		for (let round = 0; round < 10; round += 1) {
			const claimNumber = index * 10 + round;
			// Each four claims are one of each kind, in changing order.
			const kind = names[(claimNumber + Math.floor(claimNumber / 4)) % 4] ?? 'member';
			const [number = '', date = ''] = kinds[kind](index + round);
			const response = await claim(token, number, date);
			sayings.add(saying(response));
			timesMs[kind].push(response.durationMs);
		}
	expect([...sayings]).toHaveLength(1);
	expect(JSON.parse([...sayings][0] ?? '{}')).toMatchObject({
		status: 201,
		rest: { status: 'REQUESTED', memberId: null },
	});
	const unknown = timesMs.unknown;
	const median = quantile(unknown, 0.5);
	for (const [kind, times] of Object.entries(timesMs)) {
		const limit = { of: median, limit: differenceMax };
		const { difference, report } = certainPart(times, unknown, limit);
		const figures = `${quantile(times, 0.5).toFixed(1)} ms of ${times.length}`;
		process.stdout.write(`claims, ${kind}: median ${figures}, from unknown ${report}\n`);
		expect(Math.abs(difference)).toBeLessThan(differenceMax);
	}
}, 120_000);
