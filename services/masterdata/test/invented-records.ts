import { expect } from '@jest/globals';
import { inventedCountry } from './invented-country.ts';
import type { RunningMasterdata } from './running-masterdata.ts';

export interface CreatedRecord {
	readonly id: string;
	readonly [field: string]: unknown;
}

/** Sends as an officer. */
export function send(masterdata: RunningMasterdata, method: string, to: string, body?: object) {
	const sent = body === undefined ? {} : { body };
	return masterdata.call<CreatedRecord & { code?: string }>(method, `/api/masterdata${to}`, {
		token: masterdata.officer,
		...sent,
	});
}

async function post(masterdata: RunningMasterdata, to: string, body: object): Promise<CreatedRecord> {
	const { status, data } = await send(masterdata, 'POST', to, body);
	expect([status, data]).toEqual([201, data]);
	return data;
}

const letters = [...'FGHIJKLMNOPQRSTUVWXYZ'];
let created = 0;

/** Each time another country. */
function newCountry(masterdata: RunningMasterdata): Promise<CreatedRecord> {
	return post(masterdata, '/countries', inventedCountry(letters.shift() ?? 'A'));
}

async function newState(masterdata: RunningMasterdata): Promise<CreatedRecord> {
	created += 1;
	const { isoAlpha2 } = await newCountry(masterdata);
	return post(masterdata, '/states', {
		countryCode: isoAlpha2,
		iso3166_2: `${isoAlpha2}-${created}`,
		federationCode: String(10 + created),
		name: `Staat ${created}`,
		abbreviation: `S${created}`,
	});
}

function newAgeClass(masterdata: RunningMasterdata): Promise<CreatedRecord> {
	created += 1;
	return post(masterdata, '/age-classes', {
		code: `PROBE_${created}`,
		ruleset: 'OETO',
		nameEn: 'Probe',
		nameDe: 'Probe',
		category: 'RIDER',
		minAge: 10,
		maxAge: 12,
		legalReference: 'Probe §1',
	});
}

export function newVenue(masterdata: RunningMasterdata): Promise<CreatedRecord> {
	created += 1;
	return post(masterdata, '/venues', { name: `Platz ${created}`, countryCode: 'AT' });
}

/** A new record, its address, and the query of the call that counts references to it. */
interface Referable {
	readonly to: string;
	readonly query: string;
	readonly record: CreatedRecord;
}

/** One kind of record that other contexts refer to. */
interface Kind {
	/** The error code of a record in use. */
	readonly code: string;
	create(masterdata: RunningMasterdata): Promise<Referable>;
}

export const kinds = {
	country: {
		code: 'COUNTRY_IN_USE',
		create: async (masterdata) => {
			const record = await newCountry(masterdata);
			const { id, isoAlpha2, isoNumeric } = record;
			const query = `type=COUNTRY&id=${id}&codes=${isoAlpha2}%2C${isoNumeric}`;
			return { to: `/countries/${id}`, query, record };
		},
	},
	state: {
		code: 'STATE_IN_USE',
		create: async (masterdata) => {
			const record = await newState(masterdata);
			const { id, iso3166_2 } = record;
			return { to: `/states/${id}`, query: `type=STATE&id=${id}&codes=${iso3166_2}`, record };
		},
	},
	venue: {
		code: 'VENUE_IN_USE',
		create: async (masterdata) => {
			const record = await newVenue(masterdata);
			return { to: `/venues/${record.id}`, query: `type=VENUE&id=${record.id}`, record };
		},
	},
	arena: {
		code: 'ARENA_IN_USE',
		create: async (masterdata) => {
			const arenas = `/venues/${(await newVenue(masterdata)).id}/arenas`;
			const body = { type: 'COMPETITION', surface: 'SAND', name: 'Halle' };
			const record = await post(masterdata, arenas, body);
			return { to: `${arenas}/${record.id}`, query: `type=ARENA&id=${record.id}`, record };
		},
	},
	'age class': {
		code: 'AGE_CLASS_IN_USE',
		create: async (masterdata) => {
			const record = await newAgeClass(masterdata);
			const { id, code } = record;
			return { to: `/age-classes/${id}`, query: `type=AGE_CLASS&id=${id}&codes=OETO%3A${code}`, record };
		},
	},
} as const satisfies Record<string, Kind>;
