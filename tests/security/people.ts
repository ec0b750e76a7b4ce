import type { System } from '../system.ts';
import { exampleBody, titleOf, triedRoutes } from './declared-calls.ts';

export interface People {
	/** Access tokens. */
	readonly admin: string;
	readonly member: string;
}

const member = {
	email: 'rosa.weiss@example.org',
	password: 'a canter around the meadow',
	firstName: 'Rosa',
	lastName: 'Weiss',
};

/** Signs in the administrator and a new member, and creates a record for each list. */
export async function signInPeople(system: System): Promise<People> {
	const admin = await system.signIn();
	const post = async (path: string, body: unknown): Promise<{ id: string }> => {
		const response = await fetch(system.gateway.url + path, {
			method: 'POST',
			headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
		return ((await response.json()) as { data: { id: string } }).data;
	};
	await post('/auth/register', member);
	const claim = triedRoutes.find((route) => titleOf(route) === 'POST /auth/member-links');
	if (claim !== undefined) await post('/auth/member-links', exampleBody(claim));
	const venue = { name: 'Reitanlage Seeblick', countryCode: 'AT', timeZone: 'Europe/Vienna' };
	const { id } = await post('/api/masterdata/venues', venue);
	const arena = triedRoutes.find((route) => titleOf(route) === 'POST /api/masterdata/venues/{id}/arenas');
	if (arena !== undefined) await post(`/api/masterdata/venues/${id}/arenas`, exampleBody(arena));
	return { admin, member: await system.signIn(member.email, member.password) };
}
