import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningAuth, runAuth } from './running-auth.ts';

const secrets = {
	members: 'the-members-own-secret-for-this-test',
	horses: 'the-horses-own-secret-for-this-test',
};
let auth: RunningAuth;

beforeAll(async () => {
	const list = Object.entries(secrets).map(([name, secret]) => `${name}-service=${secret}`);
	auth = await runAuth({ settings: { SERVICE_SECRETS: list.join(',') } });
});
afterAll(() => auth.close());

async function count(type: string, id: string, client: keyof typeof secrets = 'members') {
	const credentials = { client: `${client}-service`, secret: secrets[client] };
	const issued = await auth.call<{ accessToken: string }>('POST', '/internal/service-tokens', {
		body: credentials,
	});
	const token = issued.data.accessToken;
	const to = `/internal/references?type=${type}&id=${id}`;
	const { status, data } = await auth.call<{ count?: number; code?: string }>('GET', to, { token });
	return [status, data.count ?? data.code];
}

test('a club is counted once for each account with a role for it, closed accounts included', async () => {
	const [clubId, otherId] = [randomUUID(), randomUUID()];
	const scopes = [
		{ CLUB_OFFICIAL: { clubIds: [otherId, clubId] }, ORGANISER: { clubIds: [clubId] } },
		{ ORGANISER: { clubIds: [clubId] } },
		{ ORGANISER: { clubIds: [otherId] } },
		{},
	];
	for (const [index, roleScopes] of scopes.entries()) {
		const { id } = await auth.register();
		const status = index === 1 ? ('CLOSED' as const) : ('ACTIVE' as const);
		await auth.deps.db.updateTable('users').set({ roleScopes, status }).where('id', '=', id).execute();
	}
	expect(await count('CLUB', clubId)).toEqual([200, 2]);
	expect(await count('CLUB', clubId.toUpperCase())).toEqual([200, 2]);
	expect(await count('CLUB', randomUUID())).toEqual([200, 0]);
	expect(await count('COUNTRY', clubId)).toEqual([200, 0]);
});

test('the count needs its own scope', async () => {
	expect(await count('CLUB', randomUUID(), 'horses')).toEqual([403, 'FORBIDDEN']);
	const admin = await auth.administrator();
	const to = `/internal/references?type=CLUB&id=${randomUUID()}`;
	const refused = await auth.call('GET', to, { token: admin.accessToken });
	expect([refused.status, refused.data.code]).toEqual([401, 'INVALID_TOKEN']);
	expect((await auth.call('GET', to)).status).toBe(401);
});

test('an unknown type, a missing id and codes of another shape are refused', async () => {
	expect(await count('STABLE', randomUUID())).toEqual([400, 'INVALID_QUERY_PARAMETER']);
	expect(await count('CLUB', 'x')).toEqual([400, 'INVALID_QUERY_PARAMETER']);
	expect(await count('CLUB', `${randomUUID()}&codes=A,,B`)).toEqual([400, 'INVALID_QUERY_PARAMETER']);
});
