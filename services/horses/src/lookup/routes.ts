import { id, lookupQuery, type Route } from '@paddock/service';
import { sql } from 'kysely';
import { z } from 'zod';
import type { HorsesQueryable } from '../database-schema.ts';
import { type HorsesDeps, route } from '../deps.ts';
import { ownedBy } from '../horses/list-store.ts';
import { type Horse, horse } from '../horses/schemas.ts';
import { completeHorses } from '../horses/store.ts';
import { picked } from '../horses/view.ts';

const shared = horse.pick({
	id: true,
	name: true,
	sex: true,
	birthYear: true,
	dateOfBirth: true,
	isPony: true,
	heightCm: true,
	headNumber: true,
	feiId: true,
	sireName: true,
	clubId: true,
	responsibleMemberId: true,
	status: true,
	feePaidForYear: true,
});

const sharedFields = Object.keys(shared.shape) as (keyof z.output<typeof shared>)[];

const foundHorse = shared.extend({ ownerMemberIds: z.array(id) });

export type FoundHorse = z.output<typeof foundHorse>;

const lookupResponse = z.strictObject({ items: z.array(foundHorse) });

const ownedQuery = z.strictObject({ memberId: id });

const ownedResponse = z.strictObject({
	count: z.int().min(0).describe('Horses that the member owns or is responsible for today.'),
});

const keptResponse = z.strictObject({
	horseIds: z
		.array(id)
		.describe('Horses that the member owns or is responsible for today, deleted ones too.'),
});

const lookup = { method: 'get', access: { scope: 'horses:lookup' }, readers: 'services' } as const;

export const internalRoutes: readonly Route<HorsesDeps>[] = [
	route({
		...lookup,
		path: '/internal/horses/lookup',
		operationId: 'lookUpHorses',
		summary: 'Look up horses by their ids',
		description: 'Unknown ids are left out; deleted horses are not.',
		query: lookupQuery,
		output: lookupResponse,
		message: 'Horses',
		handler: async ({ query }, { db }) => ({
			items: (await lookUpHorses(db, query.ids)).map(sharedViewOf),
		}),
	}),
	route({
		...lookup,
		path: '/internal/horses/owned',
		operationId: 'countOwnedHorses',
		summary: 'Count the horses that a member owns or is responsible for',
		description: 'Deleted and deceased horses do not count; an unknown member has none.',
		query: ownedQuery,
		output: ownedResponse,
		message: 'Horses owned',
		handler: async ({ query }, { db }) => ({ count: await countOwnedHorses(db, query.memberId) }),
	}),
	route({
		...lookup,
		path: '/internal/horses/kept',
		operationId: 'listKeptHorses',
		summary: 'List the horses that a member owns or is responsible for',
		description: 'Deleted and deceased horses too: their entries stay the owner’s to read.',
		query: ownedQuery,
		output: keptResponse,
		message: 'Horses kept',
		handler: async ({ query }, { db }) => ({ horseIds: await listKeptHorseIds(db, query.memberId) }),
	}),
];

/** The view of a horse for other services. */
function sharedViewOf(horse: Horse): FoundHorse {
	const ownerMemberIds = horse.owners.map(({ memberId }) => memberId).filter((memberId) => memberId !== null);
	return { ...picked(horse, sharedFields), ownerMemberIds };
}

async function lookUpHorses(db: HorsesQueryable, ids: readonly string[]): Promise<Horse[]> {
	const rows = await db
		.selectFrom('horses')
		.selectAll()
		.where('id', 'in', [...ids])
		.orderBy('id')
		.execute();
	return await completeHorses(db, rows);
}

/** Without deleted and deceased horses, which do not block the deletion of the member. */
async function countOwnedHorses(db: HorsesQueryable, memberId: string): Promise<number> {
	const { horses } = await db
		.selectFrom(selectKept(db, memberId).as('kept'))
		.select(sql<number>`count(*)`.as('horses'))
		.where('status', 'not in', ['DECEASED', 'INACTIVE'])
		.executeTakeFirstOrThrow();
	return horses;
}

async function listKeptHorseIds(db: HorsesQueryable, memberId: string): Promise<string[]> {
	const rows = await selectKept(db, memberId).orderBy('id').execute();
	return rows.map(({ id }) => id);
}

/** A union, so that each condition uses its index; `or` would scan the whole table. */
function selectKept(db: HorsesQueryable, memberId: string) {
	const kept = db.selectFrom('horses').select(['id', 'status']);
	return kept
		.where('responsibleMemberId', '=', memberId)
		.union(kept.where((where) => ownedBy(where, [memberId])));
}
