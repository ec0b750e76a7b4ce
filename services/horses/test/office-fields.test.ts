import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Horse } from '../src/horses/schemas.ts';
import { type Callers, callersOf } from './callers.ts';
import { horseBody, useHorses } from './running-horses.ts';

const horses = useHorses();
let callers: Callers;

beforeAll(() => {
	callers = callersOf(horses);
});

const issued = {
	federationHorseNumber: '9990000777',
	headNumber: 'Q777',
	feiId: '104QQ77',
	feePaidForYear: 2025,
};
const others = {
	federationHorseNumber: '9990000778',
	headNumber: 'Q778',
	feiId: '104QQ78',
	feePaidForYear: 2026,
};
const fields = Object.keys(issued) as (keyof typeof issued)[];
const nobodys = Object.fromEntries(fields.map((field) => [field, null]));
const byOthers = ['owner', 'responsible', 'official'] as const;

function put(horse: Horse, changes: object, token: string) {
	const { owners: _owners, ...body } = horseBody({
		...callers.tied(),
		microchip: horse.microchip,
		...changes,
	});
	return horses.call<Horse & TestFailure>('PUT', `/api/horses/${horse.id}`, { token, body });
}

// A member could give a horse any number that the federation or the FEI issues, and record a fee as paid.
describe.each(byOthers)('federation-issued fields and fees, written by the %s', (who) => {
	test('are refused on POST, each by its name', async () => {
		const refused = await horses.tryToRegister(callers.tied(others), callers.tokenOf(who));
		expect([refused.status, refused.data.code, refused.data['fields']]).toEqual([403, 'FORBIDDEN', fields]);
		expect(refused.data.errors?.map(({ field, code }) => [field, code])).toEqual(
			fields.map((field) => [field, 'UNKNOWN_FIELD']),
		);
		const empty = await horses.tryToRegister<Horse>(callers.tied(nobodys), callers.tokenOf(who));
		expect([empty.status, empty.data]).toEqual([201, expect.objectContaining(nobodys)]);
	});

	test('are refused on PUT if they differ from the stored value; equal or omitted they do not change', async () => {
		const horse = await horses.register(callers.tied(issued));
		const token = callers.tokenOf(who);
		for (const field of fields) {
			for (const value of [others[field], null]) {
				const { status, data } = await put(horse, { [field]: value }, token);
				expect([field, status, data.code]).toEqual([field, 403, 'FORBIDDEN']);
				expect(data.errors).toMatchObject([{ field, code: 'UNKNOWN_FIELD' }]);
			}
		}
		expect((await horses.stored(horse.id))?.version).toBe(1);
		const equal = await put(horse, { ...issued, colour: 'Rappe' }, token);
		expect([equal.status, equal.data]).toEqual([200, expect.objectContaining({ ...issued, version: 2 })]);
		const leftOut = await put(horse, { colour: 'Fuchs' }, token);
		expect([leftOut.status, leftOut.data]).toEqual([200, expect.objectContaining({ ...issued, version: 3 })]);
		await put(horse, nobodys, horses.officer);
	});
});

test('a number that another horse has is refused to a member like any other number', async () => {
	const taken = await horses.register({ headNumber: 'Q001' });
	const refused = await horses.tryToRegister(
		callers.tied({ headNumber: taken.headNumber }),
		callers.owner.token,
	);
	expect([refused.status, refused.data.code]).toEqual([403, 'FORBIDDEN']);
});

test('the office writes them; omitted they stay, and null clears them', async () => {
	const horse = await horses.register(callers.tied());
	const written = await put(horse, issued, horses.officer);
	expect([written.status, written.data]).toEqual([200, expect.objectContaining(issued)]);
	const kept = await put(horse, {}, horses.officer);
	expect([kept.status, kept.data]).toEqual([200, expect.objectContaining(issued)]);
	const cleared = await put(horse, nobodys, horses.officer);
	expect([cleared.status, cleared.data]).toEqual([200, expect.objectContaining(nobodys)]);
});
