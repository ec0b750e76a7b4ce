/**
 * One request of the Postman collection, with its differences from the default: the operation's example as body, the
 * documented success as expected status, `{{<resource>Id}}` for ids in the path. Every text may contain
 * `{{variables}}`.
 */
export interface CollectionStep {
	readonly operationId: string;
	/** Defaults to the operation's summary. */
	readonly name?: string;
	readonly path?: Readonly<Record<string, string>>;
	/** Query parameters that are sent; all others are listed but disabled. */
	readonly query?: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	/** Replaces the example; fields of an object replace those of the example. */
	readonly body?: Readonly<Record<string, unknown>>;
	/** The variable that contains the token; by default the collection's, which is the administrator's. */
	readonly token?: string;
	/** Defaults to the documented success status. */
	readonly status?: number;
	/** Variables that are stored from the response: name → path such as `data.id`. */
	readonly keep?: Readonly<Record<string, string>>;
	/** Lines of JavaScript that run before the request. */
	readonly before?: readonly string[];
	/** Further lines of tests; the variable `response` holds the parsed body of the response. */
	readonly tests?: readonly string[];
}

/** The folder of one context in the Postman collection: `services/<name>/collection.ts`. */
export interface ContextCollection {
	readonly steps: readonly CollectionStep[];
	/** True if the steps form a sequence; otherwise each only overrides the defaults of its operation. */
	readonly inOrder?: true;
	/** Steps that run after the folders of all contexts, because later contexts need the records. */
	readonly leaving?: readonly CollectionStep[];
}

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
			keep: {},
		},
		{
			operationId: 'login',
			name: `Sign in once for the id of the ${name}`,
			body: { email, password },
			keep: { [`${name}UserId`]: 'data.user.id', [`${name}Version`]: 'data.user.version' },
		},
		{
			operationId: 'patchUserRoles',
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
