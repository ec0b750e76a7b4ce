import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '@paddock/identity';
import { isInternalRoute } from '@paddock/service';
import type { Entry } from '../src/entries/view-schemas.ts';
import { officersOnly } from '../src/events/access.ts';
import { eventsRoutes } from '../src/routes.ts';
import { useEvents } from './use-events.ts';

const { events, stage } = useEvents();

let eventId: string;

beforeAll(async () => {
	eventId = await stage.event();
});

/** Of an account that runs the event, linked to that member. */
function tokenOf(memberId: string | undefined, ...roles: Role[]): string {
	const scope = { clubIds: [stage.clubId] };
	return events.sign({
		roles: roles.length === 0 ? ['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER'] : roles,
		roleScopes: { CLUB_OFFICIAL: scope, ORGANISER: scope },
		...(memberId === undefined ? {} : { memberId }),
	});
}

// The right of the office does not come from a membership.
const writes = eventsRoutes
	.filter((route) => route.method !== 'get' && route.access !== officersOnly && !isInternalRoute(route))
	.map(({ method, path, body, operationId }) => {
		const sent = Reflect.get(body?.meta() ?? {}, 'example') as object | undefined;
		return { operationId, method: method.toUpperCase(), path, sent };
	});

test('there are such routes', () => {
	expect(writes.length).toBeGreaterThan(12);
});

describe.each(writes)('$operationId', ({ operationId, method, path, sent }) => {
	const send = (token: string) => {
		const route = path.replace('{id}', eventId).replaceAll(/\{\w+\}/g, () => randomUUID());
		const own = operationId === 'createEvent' ? { organiserClubId: stage.clubId } : {};
		return events.call(method, route, {
			token,
			...(sent === undefined ? {} : { body: { ...sent, ...own } }),
		});
	};

	test.each([
		['suspended', 'SUSPENDED'],
		['not approved yet', 'PENDING'],
		['deleted', 'INACTIVE'],
	])('is refused to a member who is %s', async (_name, status) => {
		const { id } = stage.member({ status });
		const refused = await send(tokenOf(id));
		expect([refused.status, refused.data.code]).toEqual([403, 'MEMBER_NOT_ACTIVE']);
	});

	test('is refused to an account whose member is unknown', async () => {
		expect((await send(tokenOf(randomUUID()))).data.code).toBe('MEMBER_NOT_ACTIVE');
	});

	test('is not refused for that to active members, the office, and accounts without a member', async () => {
		const suspended = stage.member({ status: 'SUSPENDED' }).id;
		const tokens = [
			tokenOf(stage.member().id),
			tokenOf(undefined),
			tokenOf(suspended, 'FEDERATION_OFFICER'),
			tokenOf(suspended, 'ADMIN'),
		];
		for (const token of tokens) expect((await send(token)).data.code).not.toBe('MEMBER_NOT_ACTIVE');
	});
});

test('a suspension takes effect with the next request, and does not change stored entries', async () => {
	const event = await stage.event();
	const path = `/api/events/${event}/entries`;
	const rider = stage.member();
	const token = events.sign({ memberId: rider.id });
	const starts = [{ competitionId: await stage.competition(event) }];
	const horseId = stage.horse({ ownerMemberIds: [rider.id] }).id;
	const body = { riderMemberId: rider.id, horseId, starts };
	const made = await events.call<Entry>('POST', path, { token, body });
	expect(made.status).toBe(201);
	stage.member({ ...rider, status: 'SUSPENDED' });
	const withdraw = () =>
		events.call<Entry & { code?: string }>('POST', `${path}/${made.data.id}/withdraw`, { token });
	expect((await withdraw()).data.code).toBe('MEMBER_NOT_ACTIVE');
	const read = await events.call<Entry>('GET', `${path}/${made.data.id}`, { token });
	expect([read.status, read.data.status]).toEqual([200, 'ACCEPTED']);
	stage.member(rider);
	expect((await withdraw()).data.status).toBe('WITHDRAWN');
});
