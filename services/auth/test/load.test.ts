import { beforeAll, describe, expect, test } from '@jest/globals';
import { certainPart, eventually, patient } from '@paddock/testing';
import { goodPassword, ownAddress, type Person, runAuth, type Tokens, useAuth } from './running-auth.ts';

const auth = useAuth({ realHashes: true });
let member: Person & Tokens;

beforeAll(async () => {
	member = await auth.member();
});

const login = (email: string, password: string) =>
	auth.call('POST', '/auth/login', { body: { email, password }, headers: ownAddress() });

async function timedMs(work: () => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	await work();
	return performance.now() - startedAt;
}

function quantile(values: readonly number[], part: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

describe('password hashing', () => {
	test('takes the same time for an unknown user, a wrong password and a closed account', async () => {
		const closed = await auth.register();
		await auth.deps.db.updateTable('users').set({ status: 'CLOSED' }).where('id', '=', closed.id).execute();
		const kinds = {
			unknown: () => login(`nobody-${Math.random()}@example.org`, goodPassword),
			wrong: () => login(member.email, 'four bales and a bucket'),
			closed: () => login(closed.email, goodPassword),
		};
		const times = { unknown: [] as number[], wrong: [] as number[], closed: [] as number[] };
		for (let round = 1; round <= 25; round++) {
			// Interleaved, so that whatever else the machine does hits all kinds alike.
			for (const kind of ['unknown', 'wrong', 'closed'] as const)
				times[kind].push(await timedMs(async () => expect((await kinds[kind]()).status).toBe(401)));
			auth.clock.advance(20 * 60_000);
		}
		// Without the hash an unknown user takes less than a third.
		for (const others of [times.unknown, times.closed]) {
			const limit = { of: quantile(others, 0.5), limit: 0.5 };
			const { difference, report } = certainPart(times.wrong, others, limit);
			process.stdout.write(`password hashing: ${report}\n`);
			expect(Math.abs(difference)).toBeLessThan(0.5);
		}
	});

	test('leaves the other routes quick while a hundred sign in at once', async () => {
		member = { ...member, ...(await auth.signIn(member)) };
		const people = await Promise.all(Array.from({ length: 20 }, () => auth.register()));
		let over = false;
		const logins = Promise.all(
			Array.from({ length: 100 }, (_, index) => login(people[index % 20]?.email ?? '', goodPassword)),
		).finally(() => {
			over = true;
		});
		const times: number[] = [];
		while (!over) {
			times.push(
				await timedMs(async () => {
					const { status } = await auth.call('GET', '/auth/profile', { token: member.accessToken });
					expect(status).toBe(200);
				}),
			);
		}
		const statuses = (await logins).map((response) => response.status);
		expect(statuses.filter((status) => status === 200)).toHaveLength(100);
		expect(times.length).toBeGreaterThan(5);
		expect(quantile(times, 0.9)).toBeLessThan(patient(400));
	});

	test('is refused with 503 and a Retry-After beyond the queue, and those in the queue are served', async () => {
		const busy = await runAuth({
			realHashes: true,
			settings: { PASSWORD_HASHES_AT_ONCE: '1', PASSWORD_HASHES_WAITING_MAX: '4' },
		});
		try {
			const { email } = await busy.register();
			const responses = await Promise.all(
				Array.from({ length: 30 }, () =>
					busy.call('POST', '/auth/login', {
						body: { email, password: goodPassword },
						headers: ownAddress(),
					}),
				),
			);
			const refused = responses.filter((response) => response.status === 503);
			const served = responses.filter((response) => response.status === 200);
			expect(refused.length + served.length).toBe(30);
			expect(served.length).toBeGreaterThanOrEqual(5);
			expect(refused.length).toBeGreaterThan(0);
			for (const response of refused)
				expect([response.data.code, response.headers.get('Retry-After')]).toEqual(['OVERLOADED', '2']);
			// Refused ones were no failures of the account.
			expect(await busy.deps.db.selectFrom('signInFailures').select('id').execute()).toEqual([]);
		} finally {
			await busy.close();
		}
	});

	test('is fair between addresses: one that floods the queue delays another by no more than its share', async () => {
		const busy = await runAuth({
			realHashes: true,
			settings: {
				PASSWORD_HASHES_AT_ONCE: '1',
				PASSWORD_HASHES_WAITING_MAX: '20',
				SIGN_IN_ADDRESS_FAILURES_MAX: '100000',
			},
		});
		try {
			const owner = await busy.member();
			const flooder = ownAddress();
			let flooding = true;
			let judged = 0;
			const flood = async (index: number): Promise<void> => {
				while (flooding) {
					const body = { email: `nobody-${index}-${Math.random()}@example.org`, password: 'x' };
					const { status } = await busy.call('POST', '/auth/login', { body, headers: flooder });
					expect([401, 503]).toContain(status);
					if (status === 401) judged += 1;
				}
			};
			// One is hashed and 20 wait: the queue is full when the owner signs in.
			const floods = Array.from({ length: 21 }, (_, index) => flood(index));
			try {
				for (const deviceToken of [undefined, undefined, undefined, owner.deviceToken, owner.deviceToken]) {
					const judgedBefore = judged;
					await busy.signIn(owner, deviceToken);
					// Few of the 20 in the other sub-queue are served before the owner; the bound allows for calls that
					// end while the owner's request travels to the queue and back.
					expect(judged - judgedBefore).toBeLessThan(12);
				}
			} finally {
				flooding = false;
				await Promise.all(floods);
			}
			expect(judged).toBeGreaterThan(0);
		} finally {
			await busy.close();
		}
	});

	test('is fair to sign-ins from other addresses while many sessions of one address change the password', async () => {
		const busy = await runAuth({
			settings: { PASSWORD_HASHES_AT_ONCE: '1', PASSWORD_HASHES_WAITING_MAX: '4' },
		});
		const hash = Promise.withResolvers<void>();
		const { passwordQueue } = busy.deps;
		try {
			const [person, other] = [await busy.register(), await busy.register()];
			const sessions = await Promise.all(Array.from({ length: 4 }, () => busy.signIn(person)));
			const headers = ownAddress();
			const running = passwordQueue.run(
				{ key: 'busy', signal: AbortSignal.timeout(60_000) },
				() => hash.promise,
			);
			const body = { currentPassword: 'wrong', newPassword: 'a quiet box in the shade' };
			const changes = sessions.map(({ accessToken: token }) =>
				busy.call('POST', '/auth/change-password', { token, body, headers }),
			);
			await eventually('the queue is full', () => passwordQueue.waiting() === 4);
			const signedIn = busy.signIn(other);
			// The newest change is dropped for the sign-in; in separate sub-queues the changes would refuse it.
			await Promise.race([signedIn, ...changes]);
			hash.resolve();
			await running;
			expect((await signedIn).user.id).toBe(other.id);
			const statuses = (await Promise.all(changes)).map(({ status }) => status);
			expect(statuses.sort()).toEqual([400, 400, 400, 503]);
		} finally {
			hash.resolve();
			await busy.close();
		}
	});

	test('at another cost than the stored hash renews that at the next sign-in', async () => {
		const cheap = await runAuth();
		const dear = await runAuth({ beside: cheap, realHashes: true });
		try {
			const person = await cheap.register();
			const hash = async () =>
				(
					await cheap.deps.db
						.selectFrom('users')
						.select('passwordHash')
						.where('id', '=', person.id)
						.executeTakeFirstOrThrow()
				).passwordHash;
			expect(await hash()).toContain('m=64,t=1');
			await dear.signIn(person);
			const renewed = await hash();
			expect(renewed).toContain('m=19456,t=2,p=1');
			await dear.signIn(person);
			expect(await hash()).toBe(renewed);
		} finally {
			await dear.close();
			await cheap.close();
		}
	});
});
