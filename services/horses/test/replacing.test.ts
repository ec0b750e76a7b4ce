import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Horse } from '../src/horses/schemas.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

function put<Data = TestFailure>(id: string, body: object, headers: Record<string, string> = {}) {
	return horses.call<Data>('PUT', `/api/horses/${id}`, { token: horses.officer, body, headers });
}

function writable({ name, sex, birthYear, microchip }: Horse) {
	return { name, sex, birthYear, microchip };
}

describe('PUT /api/horses/{id}', () => {
	test('changes the fields that the client names, clears those with null, and increments the version', async () => {
		const horse = await horses.register({ breed: 'Welsh', notes: 'Alt', heightCm: 150, sireName: 'Vater' });
		horses.clock.advance(60_000);
		const { status, data, headers } = await put<Horse>(horse.id, {
			...writable(horse),
			name: 'Neu',
			breed: null,
		});
		expect(status).toBe(200);
		expect(headers.get('etag')).toMatch(/^"2\./);
		expect(data).toEqual({
			...horse,
			name: 'Neu',
			breed: null,
			version: 2,
			updatedAt: horses.clock.now().toISOString(),
		});
		expect(await horses.stored(horse.id)).toMatchObject({
			name: 'Neu',
			breed: null,
			breedKey: null,
			version: 2,
		});
		const found = await horses.call<{ items: Horse[] }>('GET', '/api/horses/search?name=neu', {
			token: horses.officer,
		});
		expect(found.data.items.map(({ id }) => id)).toEqual([horse.id]);
	});

	test('accepts the record as it was read', async () => {
		const sire = await horses.register({ sex: 'STALLION', birthYear: 2000 });
		const horse = await horses.register({
			sireId: sire.id,
			dateOfBirth: '2016-02-29',
			birthYear: null,
			owners: [{ memberId: horses.peers.member(), sharePercent: 100 }],
		});
		const { status, data } = await put<Horse>(horse.id, horse);
		expect(status).toBe(200);
		expect(data).toEqual({ ...horse, version: 2, updatedAt: data.updatedAt });
		expect(await horses.stored(horse.id)).toMatchObject({ sireId: sire.id, sireName: null });
	});

	// The name of a linked dam's sire is read from her record: sent back, it must not be stored with the foal.
	test('stores no data that is read from a parent’s record', async () => {
		const dam = await horses.register({ birthYear: 2000, sireName: 'Vater der Mutter' });
		const given = await horses.register({ damId: dam.id, damSireName: 'Gehört' });
		const omitted = await horses.register({ damId: dam.id });
		expect([given.damSireName, omitted.damSireName]).toEqual(['Vater der Mutter', 'Vater der Mutter']);
		for (const horse of [given, omitted]) expect((await put(horse.id, horse)).status).toBe(200);
		expect((await horses.stored(given.id))?.damSireName).toBe('Gehört');
		expect((await horses.stored(omitted.id))?.damSireName).toBe(null);
		const { data } = await put<Horse>(omitted.id, {
			...writable(omitted),
			damId: dam.id,
			damSireName: 'Neu',
		});
		expect(data.damSireName).toBe('Vater der Mutter');
		expect((await horses.stored(omitted.id))?.damSireName).toBe('Neu');
	});

	test.each([
		['id', randomUUID()],
		['owners', [{ memberId: null, externalParty: { name: 'Dieb', countryCode: 'AT' }, sharePercent: null }]],
		['registeredOn', '2019-01-01'],
		['status', 'DECEASED'],
		['statusReason', 'darum'],
		['dateOfDeath', '2026-01-01'],
		['createdAt', '2020-01-01T00:00:00.000Z'],
		['version', 7],
	])('refuses another %s', async (field, value) => {
		const horse = await horses.register();
		const { status, data } = await put(horse.id, { ...writable(horse), [field]: value });
		expect(status).toBe(400);
		expect(data.errors).toMatchObject([{ field, code: 'UNKNOWN_FIELD' }]);
		expect((await horses.stored(horse.id))?.version).toBe(1);
	});

	test('refuses a stale If-Match, an unknown horse, a duplicate number, and the removal of the last identification', async () => {
		const other = await horses.register({ headNumber: 'P001' });
		const horse = await horses.register();
		expect((await put(horse.id, writable(horse), { 'If-Match': '"2"' })).status).toBe(412);
		expect((await put(randomUUID(), writable(horse))).data.code).toBe('NOT_FOUND');
		const taken = await put(horse.id, { ...writable(horse), headNumber: other.headNumber });
		expect(taken.data.code).toBe('HEAD_NUMBER_TAKEN');
		const nameless = await put(horse.id, { ...writable(horse), microchip: null });
		expect([nameless.status, nameless.data.code]).toEqual([422, 'INSUFFICIENT_IDENTIFICATION']);
		const removed = await horses.register();
		await horses.call('DELETE', `/api/horses/${removed.id}`, { token: horses.officer });
		expect((await put(removed.id, writable(removed))).data.code).toBe('HORSE_INACTIVE');
		expect((await horses.stored(horse.id))?.version).toBe(1);
	});

	test('refuses a birth after the first owner’s day, and accepts one before', async () => {
		const horse = await horses.register({ birthYear: 2016, registeredOn: '2018-06-01' });
		const born = (birth: object) =>
			put<TestFailure>(horse.id, { ...writable(horse), birthYear: null, ...birth });
		const late = await born({ dateOfBirth: '2018-06-02' });
		expect([late.status, late.data.code, late.data['ownedFrom']]).toEqual([
			409,
			'OWNERSHIP_BEFORE_BIRTH',
			'2018-06-01',
		]);
		expect((await born({ dateOfBirth: '2018-06-01' })).status).toBe(200);
		expect((await born({ birthYear: 1980 })).data.errors).toMatchObject([{ field: 'birthYear' }]);
	});

	test('a horse of 46 years can still be corrected', async () => {
		const horse = await horses.register({ birthYear: 1981 });
		await horses.db.updateTable('horses').set({ birthYear: 1979 }).where('id', '=', horse.id).execute();
		const old = { ...writable(horse), birthYear: 1979 };
		expect((await put(horse.id, { ...old, colour: 'Schimmel' })).status).toBe(200);
		expect((await put(horse.id, { ...old, birthYear: 1978 })).status).toBe(400);
	});

	test('of 50 changes at once with If-Match one is made per version, and none is lost', async () => {
		const horse = await horses.register({ name: 'Reihe 0' });
		let version = 1;
		let wins = 0;
		while (wins < 3) {
			const responses = await Promise.all(
				Array.from({ length: 50 }, (_, index) =>
					put<Horse & TestFailure>(
						horse.id,
						{ ...writable(horse), name: `Reihe ${version} ${index}` },
						{ 'If-Match': `"${version}"` },
					),
				),
			);
			const won = responses.filter(({ status }) => status === 200);
			expect(won).toHaveLength(1);
			expect(responses.filter(({ status }) => status === 412)).toHaveLength(49);
			version += 1;
			wins += 1;
			expect(await horses.stored(horse.id)).toMatchObject({ version, name: won[0]?.data.name });
		}
		const all = await Promise.all(
			Array.from({ length: 50 }, (_, index) => put(horse.id, { ...writable(horse), name: `Frei ${index}` })),
		);
		const made = all.filter(({ status }) => status === 200);
		const refused = all.filter(({ data }) => data.code === 'CONFLICT');
		expect([made.length > 0, made.length + refused.length]).toEqual([true, 50]);
		expect((await horses.stored(horse.id))?.version).toBe(version + made.length);
	});
});

describe('PATCH /api/horses/{id}', () => {
	const patch = <Data = TestFailure>(id: string, body: object, headers: Record<string, string> = {}) =>
		horses.call<Data>('PATCH', `/api/horses/${id}`, { token: horses.officer, body, headers });

	test.each(['application/merge-patch+json', 'application/json; charset=utf-8'])(
		'accepts %s',
		async (type) => {
			const horse = await horses.register({ breed: 'Welsh', notes: 'Alt' });
			const headers = { 'Content-Type': type, 'If-Match': '"1"' };
			const { status, data } = await patch<Horse>(horse.id, { notes: null }, headers);
			expect([status, data]).toEqual([200, { ...horse, notes: null, version: 2, updatedAt: data.updatedAt }]);
			expect((await patch(horse.id, { notes: 'x' }, headers)).status).toBe(412);
		},
	);

	test('names the accepted types for another one', async () => {
		const horse = await horses.register();
		const { status, headers } = await patch(horse.id, {}, { 'Content-Type': 'application/json-patch+json' });
		expect([status, headers.get('accept-patch')]).toEqual([
			415,
			'application/merge-patch+json, application/json',
		]);
	});

	// The year belongs to the day, and the sire of a dam to the dam: neither may outlive it.
	test('changes what follows from a changed field with it', async () => {
		const horse = await horses.register({
			dateOfBirth: '2016-04-21',
			birthYear: null,
			damName: 'Feder',
			damSireName: 'Nordlicht',
		});
		const born = await patch<Horse>(horse.id, { dateOfBirth: '2015-04-21' });
		expect([born.status, born.data.birthYear, born.data.damSireName]).toEqual([200, 2015, 'Nordlicht']);
		const yearOnly = await patch<Horse>(horse.id, { dateOfBirth: null });
		expect([yearOnly.data.dateOfBirth, yearOnly.data.birthYear]).toEqual([null, 2015]);
		const otherDam = await patch<Horse>(horse.id, { damName: 'Flocke' });
		expect([otherDam.data.damName, otherDam.data.damSireName]).toEqual(['Flocke', null]);
	});

	test('an officer’s change erases no number and no fee', async () => {
		const horse = await horses.register({ headNumber: 'Q701', feePaidForYear: 2026 });
		const { data } = await patch<Horse>(horse.id, { colour: 'Braun' });
		expect(data).toMatchObject({ headNumber: 'Q701', feePaidForYear: 2026, colour: 'Braun' });
	});
});
