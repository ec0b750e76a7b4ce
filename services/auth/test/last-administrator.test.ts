import { describe, expect, test } from '@jest/globals';
import { eventually, waitingForLocks } from '@paddock/testing';
import { lockAdministrators } from '../src/users/rules.ts';
import { runAuth } from './running-auth.ts';

describe('the last administrator', () => {
	/** Its own system, in which there is no other administrator. */
	async function alone() {
		const lonely = await runAuth();
		return { lonely, one: await lonely.administrator() };
	}

	test('can neither lose the role nor be locked out unless there is another one', async () => {
		const { lonely, one } = await alone();
		try {
			const as = { token: one.accessToken };
			const roles = () =>
				lonely.call('PUT', `/auth/users/${one.id}/roles`, { ...as, body: { roles: ['MEMBER'] } });
			for (const status of ['LOCKED', 'SUSPENDED', 'CLOSED']) {
				const response = await lonely.call('PUT', `/auth/users/${one.id}/status`, {
					...as,
					body: { status },
				});
				expect([response.status, response.data.code]).toEqual([409, 'LAST_ADMINISTRATOR']);
			}
			expect((await roles()).data.code).toBe('LAST_ADMINISTRATOR');
			const another = await lonely.administrator();
			await lonely.call('PUT', `/auth/users/${another.id}/status`, { ...as, body: { status: 'SUSPENDED' } });
			expect((await roles()).data.code).toBe('LAST_ADMINISTRATOR');
			await lonely.call('PUT', `/auth/users/${another.id}/status`, { ...as, body: { status: 'ACTIVE' } });
			expect((await roles()).status).toBe(200);
		} finally {
			await lonely.close();
		}
	});

	test('stays, when two dismiss each other at the same moment', async () => {
		const { lonely, one } = await alone();
		const beside = await runAuth({ beside: lonely });
		try {
			for (let round = 1; round <= 10; round++) {
				const other = await lonely.administrator();
				const responses = await Promise.all([
					lonely.call('PUT', `/auth/users/${other.id}/roles`, {
						token: one.accessToken,
						body: { roles: ['MEMBER'] },
					}),
					beside.call('PUT', `/auth/users/${one.id}/status`, {
						token: other.accessToken,
						body: { status: 'SUSPENDED' },
					}),
				]);
				expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
				// The second change is refused: it would remove the last administrator, or the caller is no longer one.
				expect([409, 403, 401]).toContain(responses.find((response) => response.status !== 200)?.status);
				if (responses[1]?.status === 200) break;
			}
			const all = await lonely.deps.db.selectFrom('users').selectAll().execute();
			const left = all.filter((user) => user.status === 'ACTIVE' && user.roles.includes('ADMIN'));
			expect(left).toHaveLength(1);
		} finally {
			await beside.close();
			await lonely.close();
		}
	});
});

// The role was checked before the change waited for the lock.
test('an administrator who is dismissed while a change waits for the lock changes nothing', async () => {
	const auth = await runAuth();
	try {
		const { db } = auth.deps;
		const [dismissed, member] = [await auth.administrator(), await auth.register()];
		await auth.administrator();
		const late = await db.transaction().execute(async (transaction) => {
			await lockAdministrators(transaction);
			const response = auth.call('PUT', `/auth/users/${member.id}/roles`, {
				token: dismissed.accessToken,
				body: { roles: ['ADMIN'] },
			});
			await eventually('the change waits', async () => (await waitingForLocks(db)) > 0);
			await transaction
				.updateTable('users')
				.set({ roles: ['MEMBER'] })
				.where('id', '=', dismissed.id)
				.execute();
			return { response };
		});
		expect((await late.response).data.code).toBe('FORBIDDEN');
		const stored = await db.selectFrom('users').select('roles').where('id', '=', member.id).execute();
		expect(stored).toEqual([{ roles: ['MEMBER'] }]);
	} finally {
		await auth.close();
	}
});
