import { isOfficer, type Principal } from '@paddock/identity';
import { id, instant, type Route, withInstants } from '@paddock/service';
import { z } from 'zod';
import type { MembersQueryable } from '../database-schema.ts';
import { type MembersDeps, route } from '../deps.ts';
import { viewerFor } from './caller.ts';
import { requireVisible } from './rules.ts';
import type { MemberFields } from './schemas.ts';
import { findMember } from './store.ts';

const consentNames = ['publishResults', 'newsletter'] as const;
const capacities = ['MEMBER', 'GUARDIAN', 'OFFICE', 'UNKNOWN'] as const;

const consentEvent = z
	.strictObject({
		consent: z.enum(consentNames).meta({ id: 'ConsentName', description: 'What the consent is about.' }),
		given: z.boolean().describe('Whether it was given or withdrawn.'),
		actingAs: z.enum(capacities).meta({
			id: 'ConsentCapacity',
			description:
				'Who gave or withdrew it. OFFICE: the federation’s, from a form on paper. UNKNOWN: before the history began.',
		}),
		changedAt: instant.describe('When, in UTC.'),
		changedBy: id.optional().nullable().describe('UUID of the account; only for the federation’s office.'),
	})
	.meta({ id: 'ConsentEvent', description: 'A consent that was given or withdrawn.' });

export type ConsentEvent = z.output<typeof consentEvent>;

const consentHistory = z
	.strictObject({ items: z.array(consentEvent).describe('Latest first, the last 500.') })
	.meta({ id: 'ConsentHistory', description: 'Consents of a member over time.' });

const eventsMax = 500;

type Consents = MemberFields['consents'];

/** Records the changes of consents in the transaction that changes the member. Undefined: a new member. */
export async function recordConsents(
	db: MembersQueryable,
	member: { readonly id: string; readonly consents: Consents },
	before: Consents | undefined,
	{ principal, now }: { readonly principal: Principal; readonly now: Date },
): Promise<void> {
	const changed = consentNames.filter((name) => member.consents[name].at !== (before?.[name].at ?? null));
	if (changed.length === 0) return;
	const actingAs = capacityOf(principal, member.id);
	const rows = changed.map((name) => ({
		memberId: member.id,
		consent: name,
		given: member.consents[name].given,
		actingAs,
		changedBy: principal.userId,
		changedAt: now,
	}));
	await db.insertInto('consentEvents').values(rows).execute();
}

/** Only the member, a guardian and the office may change consents. */
function capacityOf(principal: Principal, memberId: string): (typeof capacities)[number] {
	if (principal.memberId === memberId) return 'MEMBER';
	return isOfficer(principal) ? 'OFFICE' : 'GUARDIAN';
}

export const consentRoutes: readonly Route<MembersDeps>[] = [
	route({
		method: 'get',
		path: '/api/members/{id}/consents',
		operationId: 'listConsents',
		summary: 'List the consents that a member gave and withdrew',
		description: 'For the member, a guardian, officials of the home club and the federation’s office.',
		access: 'signedIn',
		output: consentHistory,
		message: 'Consents',
		cacheControl: 'private, no-cache',
		readers: viewerFor,
		handler: async ({ params, viewer, now }, { db }) => {
			const { member, rights } = requireVisible(await findMember(db, params.id, now), viewer);
			const rows = await db
				.selectFrom('consentEvents')
				.select(['consent', 'given', 'actingAs', 'changedAt', 'changedBy'])
				.where('memberId', '=', member.id)
				.orderBy('changedAt', 'desc')
				.orderBy('id', 'desc')
				.limit(eventsMax)
				.execute();
			const items = rows.map(({ changedBy, ...event }) => ({
				...withInstants(event),
				...(rights === 'office' ? { changedBy } : {}),
			}));
			return { items };
		},
	}),
];
