import { beforeAll, describe, expect, test } from '@jest/globals';
import { fillTestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { goodPassword, type Person, type Tokens, useAuth } from './running-auth.ts';

/** More than a PostgreSQL statement has parameters. */
const sessionCount = 66_000;

const auth = useAuth();
let owner: Person & Tokens;

beforeAll(async () => {
	owner = await auth.member();
	const at = `timestamptz '${auth.clock.now().toISOString()}'`;
	await fillTestDatabase(
		auth.databaseUrl,
		// Space for the new versions in the same pages: a slow disk would otherwise meet the time limit of a statement.
		'alter table sessions set (fillfactor = 40)',
		`insert into sessions (user_id, created_at, expires_at)
			select '${owner.id}', ${at}, ${at} + interval '1 day' from generate_series(1, ${sessionCount})`,
	);
}, 60_000);

describe('an account with more sessions than a statement has parameters', () => {
	test('is released', async () => {
		const { accessToken: token } = await auth.administrator();
		const { status } = await auth.call('POST', `/auth/users/${owner.id}/release`, { token });
		expect(status).toBe(200);
	});

	test('changes its password, and each ended session is revoked at a position of its own', async () => {
		const body = { currentPassword: goodPassword, newPassword: 'a quiet box in the shade' };
		const response = await auth.call('POST', '/auth/change-password', { token: owner.accessToken, body });
		expect([response.status, response.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
		const { rows } = await sql`
			select count(*)::int as count, count(distinct subject)::int as subjects, min(position)::int as first,
				max(position)::int as last, (select last::int from revocation_feed) as feed
			from revocations`.execute(auth.deps.db);
		const count = sessionCount;
		expect(rows).toEqual([{ count, subjects: count, first: 1, last: count, feed: count }]);
	});
});
