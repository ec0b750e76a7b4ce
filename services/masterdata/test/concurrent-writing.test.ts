import { expect, test } from '@jest/globals';
import { eventually, waitingForLocks } from '@paddock/testing';
import { ageClasses, lockDefinitions } from '../src/age-classes/store.ts';
import type { State } from '../src/states/schemas.ts';
import type { Venue } from '../src/venues/schemas.ts';
import { venues } from '../src/venues/store.ts';
import { useMasterdata } from './running-masterdata.ts';

const path = '/api/masterdata';
const masterdata = useMasterdata();

async function create<Data>(where: string, body: object): Promise<Data> {
	const { status, data } = await masterdata.call<Data>('POST', `${path}/${where}`, {
		token: masterdata.officer,
		body,
	});
	expect(status).toBe(201);
	return data;
}

function vaulters() {
	return {
		code: 'VAULTERS',
		ruleset: 'FEI' as const,
		nameEn: 'Vaulters',
		nameDe: 'Voltigierer',
		category: 'RIDER' as const,
		discipline: 'VAULTING',
		minAge: null,
		maxAge: null,
		legalReference: 'none',
		validFrom: null,
		validTo: null,
	};
}

// Two that overlap and are written at once each waited for the other; the loser of that deadlock got 500.
test('the second of two concurrent overlapping age classes waits for the first, and is refused', async () => {
	const response = await masterdata.db.transaction().execute(async (transaction) => {
		await lockDefinitions(transaction);
		const body = vaulters();
		const late = masterdata.call('POST', `${path}/age-classes`, { token: masterdata.officer, body });
		await eventually(
			'the other one waits for the lock',
			async () => (await waitingForLocks(masterdata.db)) > 0,
		);
		await ageClasses.insert(transaction, vaulters(), {});
		return { late };
	});
	const { status, data } = await response.late;
	expect([status, data.code]).toEqual([409, 'AGE_CLASS_TAKEN']);
});

// The lock on the venue also blocked checks of foreign keys: two such requests could deadlock.
test('a state in use is refused to be deleted while a venue of it is being changed', async () => {
	const country = { countryCode: 'DE', iso3166_2: 'DE-QQ' };
	const state = await create<State>('states', { ...country, name: 'Q' });
	const venue = await create<Venue>('venues', { name: 'Q', countryCode: 'DE', stateCode: 'DE-QQ' });
	await masterdata.db.transaction().execute(async (transaction) => {
		await venues.lock(transaction, { id: venue.id });
		const deleted = await masterdata.call('DELETE', `${path}/states/${state.id}`, {
			token: masterdata.officer,
		});
		expect([deleted.status, deleted.data.code]).toEqual([409, 'STATE_IN_USE']);
	});
});
