import type { CollectionStep } from './collection-step.ts';

/** Tests of a step whose response is a record in this status. */
export function becomes(status: string): readonly string[] {
	return [`pm.test('it is ${status}', () => pm.expect(response.data.status).to.equal('${status}'));`];
}

/** Steps that make an account with a role for the club of the collection and sign it in; they keep `<name>Token`. */
export function accountSteps(
	name: string,
	role: 'CLUB_OFFICIAL' | 'ORGANISER',
	account: Readonly<Record<'email' | 'password' | 'firstName' | 'lastName', string>>,
): readonly CollectionStep[] {
	const { email, password } = account;
	return [
		{
			operationId: 'register',
			name: `Register an account for an ${name}`,
			body: account,
			keep: { [`${name}UserId`]: 'data.id', [`${name}Version`]: 'data.version' },
		},
		{
			operationId: 'setUserRoles',
			name: `Make it an ${name} of the club`,
			path: { id: `{{${name}UserId}}` },
			headers: { 'If-Match': `"{{${name}Version}}"` },
			body: { roles: ['MEMBER', role], roleScopes: { [role]: { clubIds: ['{{clubsId}}'] } } },
			keep: {},
		},
		{
			operationId: 'login',
			name: `Sign in as the ${name}`,
			body: { email, password },
			keep: { [`${name}Token`]: 'data.accessToken' },
		},
	];
}
