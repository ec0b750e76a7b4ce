import { describe, expect, test } from '@jest/globals';
import { startDatabaseProxy } from '@paddock/testing';
import { revocationBench } from './revocation-bench.ts';
import { runAuth } from './running-auth.ts';

const bench = revocationBench();

describe('GET /internal/session', () => {
	const isLive = async (token?: string) =>
		(await bench.auth.call<{ live: boolean }>('GET', '/internal/session', { token })).data;

	test('says that a token shows the account as it is', async () => {
		const { accessToken } = await bench.auth.administrator();
		expect(await isLive(accessToken)).toEqual({
			live: true,
			isSteppedUp: true,
			name: expect.stringMatching(/^\S+ \S+$/),
		});
	});

	test('says so no longer once the session is over, the account closed or its roles changed', async () => {
		const [left, closed, demoted] = await Promise.all([
			bench.auth.member(),
			bench.auth.member(),
			bench.auth.administrator(),
		]);
		await bench.auth.call('POST', '/auth/logout', { token: left.accessToken });
		await bench.put(closed.id, 'status', { status: 'CLOSED' });
		await bench.auth.deps.db
			.updateTable('users')
			.set({ roles: ['MEMBER'] })
			.where('id', '=', demoted.id)
			.execute();
		for (const { accessToken } of [left, closed, demoted])
			expect(await isLive(accessToken)).toEqual({ live: false });
		const current = await bench.refresh(demoted.refreshToken);
		expect(await isLive(current.data.accessToken)).toMatchObject({ live: true });
	});

	test('says so of no token and of none that is not valid', async () => {
		expect(await isLive()).toEqual({ live: false });
		expect(await isLive('x.y.z')).toEqual({ live: false });
	});

	// An administrator whom it reports as signed out would sign in again; a caller that gets 503 calls another instance.
	test('responds 503, and not that the session is over, if the key of the token can not be read', async () => {
		const databaseProxy = await startDatabaseProxy(bench.auth.databaseUrl);
		const cutOff = await runAuth({ beside: bench.auth, settings: { DATABASE_URL: databaseProxy.url } });
		await databaseProxy.stop();
		await bench.auth.deps.signingKeys.rotate();
		bench.auth.clock.advance(3 * 60_000);
		const { accessToken: token } = await bench.auth.administrator();
		expect(await isLive(token)).toMatchObject({ live: true });
		const { status, data } = await cutOff.call('GET', '/internal/session', { token });
		expect([status, data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
		await databaseProxy.restart();
		bench.auth.clock.advance(2_000);
		const restored = await cutOff.call('GET', '/internal/session', { token });
		expect([restored.status, restored.data]).toMatchObject([200, { live: true }]);
		await cutOff.close();
		await databaseProxy.stop();
	});
});
