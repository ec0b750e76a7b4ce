import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Horse } from '../src/horses/schemas.ts';
import { horseBody, useHorses } from './running-horses.ts';

const horses = useHorses();

const everything = (memberId: string, clubId: string) => ({
	name: 'Größe 🐴 Ä'.normalize('NFD'),
	sex: 'GELDING',
	dateOfBirth: '2016-02-29',
	birthYear: 2016,
	breed: 'Welsh',
	studbook: 'AWÖ',
	colour: 'Fuchs',
	heightCm: 148,
	isPony: true,
	countryOfBirth: 'AT',
	ueln: '040 dem-00.00:09001',
	microchip: '999000000009001',
	federationHorseNumber: '0000009001',
	headNumber: 'Ö901',
	feiId: '104AB90',
	passportNumber: '12-34 x',
	passportIssuer: 'AWÖ',
	sireName: 'Vater',
	damName: 'Mutter',
	damSireName: 'Großvater',
	clubId,
	breederName: 'Gestüt Probe',
	responsibleMemberId: memberId,
	feePaidForYear: 2026,
	notes: 'Zeile 1\nZeile 2',
	registeredOn: '2020-01-01',
	owners: [
		{ memberId, sharePercent: 33.33 },
		{ externalParty: { name: 'Stall Probe', countryCode: 'DE' }, sharePercent: 66.67 },
	],
});

const twice = randomUUID();

describe('POST /api/horses', () => {
	test('stores every field, cleans the UELN, and says where', async () => {
		const [memberId, clubId] = [horses.peers.member(), horses.peers.club()];
		const sent = everything(memberId, clubId);
		const { status, data, headers } = await horses.call<Horse>('POST', '/api/horses', {
			token: horses.officer,
			body: sent,
		});
		expect(status).toBe(201);
		expect(headers.get('location')).toBe(`/api/horses/${data.id}`);
		expect(headers.get('etag')).toMatch(/^"1\./);
		const { owners, ...rest } = sent;
		expect(data).toEqual({
			...rest,
			name: 'Größe 🐴 Ä',
			ueln: '040DEM000009001',
			id: data.id,
			sireId: null,
			damId: null,
			owners: [
				{ memberId, externalParty: null, sharePercent: 33.33 },
				{ memberId: null, ...owners[1] },
			],
			status: 'ACTIVE',
			statusReason: null,
			dateOfDeath: null,
			deathReport: null,
			createdAt: '2026-05-01T10:00:00.000Z',
			updatedAt: '2026-05-01T10:00:00.000Z',
			version: 1,
			view: 'FULL',
		});
		expect(await horses.stored(data.id)).toMatchObject({
			name: 'Größe 🐴 Ä',
			ueln: '040DEM000009001',
			federationHorseNumber: '0000009001',
			passportKey: '1234X',
			birthYear: 2016,
			registeredOn: '2020-01-01',
			isDemo: false,
		});
		const shares = await horses.db
			.selectFrom('ownershipShares as share')
			.innerJoin('ownershipPeriods as period', 'period.id', 'share.periodId')
			.select(['validFrom', 'shareHundredths'])
			.where('horseId', '=', data.id)
			.orderBy('position')
			.execute();
		expect(shares).toEqual([
			{ validFrom: '2020-01-01', shareHundredths: 3_333 },
			{ validFrom: '2020-01-01', shareHundredths: 6_667 },
		]);
	});

	test('fills omitted fields; the registration and the first ownership begin today in Vienna', async () => {
		horses.clock.advance(12 * 3_600_000 + 30 * 60_000); // 22:30 UTC, half past midnight in Vienna
		const horse = await horses.register({ name: 'x'.repeat(60), microchip: null, passportNumber: 'A 1' });
		horses.clock.advance(-(12 * 3_600_000 + 30 * 60_000));
		expect(horse).toMatchObject({
			dateOfBirth: null,
			birthYear: 2016,
			isPony: false,
			heightCm: null,
			sireName: null,
			registeredOn: '2026-05-02',
			owners: [
				{ memberId: null, externalParty: { name: 'Stall Probe', countryCode: 'AT' }, sharePercent: null },
			],
		});
	});

	test('reports all bad fields at once', async () => {
		const { status, data } = await horses.tryToRegister({
			name: '',
			sex: 'HORSE',
			birthYear: null,
			heightCm: 59,
			countryOfBirth: 'Austria',
			ueln: '040',
			microchip: '99900000000001',
			federationHorseNumber: '123456789',
			headNumber: 'ab+d',
			feiId: '1045678',
			sireId: 'Vater',
			feePaidForYear: 26,
			status: 'RETIRED',
			owners: [
				{ memberId: randomUUID(), externalParty: { name: 'Beides', countryCode: 'AT' } },
				{ externalParty: { name: 'Fern', countryCode: 'at' }, sharePercent: 0 },
				{ externalParty: { name: 'Drittel', countryCode: 'AT' }, sharePercent: 33.333 },
			],
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'countryOfBirth INVALID_FORMAT',
			'dateOfBirth REQUIRED',
			'federationHorseNumber INVALID_FORMAT',
			'feePaidForYear INVALID_RANGE',
			'feiId INVALID_FORMAT',
			'headNumber INVALID_FORMAT',
			'heightCm INVALID_RANGE',
			'microchip INVALID_FORMAT',
			'name INVALID_LENGTH',
			'owners[0].memberId REQUIRED',
			'owners[0].sharePercent REQUIRED',
			'owners[1].externalParty.countryCode INVALID_FORMAT',
			'owners[1].sharePercent INVALID_RANGE',
			'owners[2].sharePercent INVALID_RANGE',
			'sex INVALID_FORMAT',
			'sireId INVALID_FORMAT',
			'status UNKNOWN_FIELD',
			'ueln INVALID_FORMAT',
		]);
	});

	test.each([
		['a birth tomorrow', { dateOfBirth: '2026-05-02', birthYear: null }, 'dateOfBirth INVALID_RANGE'],
		['a birth next year', { birthYear: 2027 }, 'birthYear INVALID_RANGE'],
		['a birth 46 years ago', { birthYear: 1980 }, 'birthYear INVALID_RANGE'],
		[
			'a year that is not that of the day',
			{ dateOfBirth: '2016-01-01', birthYear: 2015 },
			'birthYear INVALID_RANGE',
		],
		[
			'29 February in a common year',
			{ dateOfBirth: '2015-02-29', birthYear: null },
			'dateOfBirth INVALID_FORMAT',
		],
		['no birth', { birthYear: null }, 'dateOfBirth REQUIRED'],
		['a pony of 149 cm', { isPony: true, heightCm: 149 }, 'heightCm INVALID_RANGE'],
		['a pony without a height', { isPony: true }, 'heightCm REQUIRED'],
		['a registration tomorrow', { registeredOn: '2026-05-02' }, 'registeredOn INVALID_RANGE'],
		['a registration before the birth', { registeredOn: '2015-12-31' }, 'registeredOn INVALID_RANGE'],
		['no owner', { owners: [] }, 'owners INVALID_LENGTH'],
		['a name of 61 characters', { name: 'Ä'.repeat(61) }, 'name INVALID_LENGTH'],
		[
			'a member as owner twice',
			{ owners: [{ memberId: twice }, { memberId: twice }] },
			'owners[1].memberId INVALID_FORMAT',
		],
		['shares of 99.99', { owners: [owner('A', 50), owner('B', 49.99)] }, 'owners INVALID_RANGE'],
		['shares of some', { owners: [owner('A', 50), owner('B', null)] }, 'owners[1].sharePercent REQUIRED'],
	])('refuses %s', async (_what, changes, expected) => {
		const { status, data } = await horses.tryToRegister(changes);
		expect([status, data.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`)).toEqual([expected]);
	});

	test('accepts a birth today, one 45 years ago, and shares in thirds', async () => {
		await horses.register({ dateOfBirth: '2026-05-01', birthYear: null });
		await horses.register({ birthYear: 1981 });
		const { owners } = await horses.register({
			owners: [owner('A', 33.33), owner('B', 33.33), owner('C', 33.34)],
		});
		expect(owners.map(({ sharePercent }) => sharePercent)).toEqual([33.33, 33.33, 33.34]);
	});

	// The second was refused as named twice.
	test('accepts two external owners of one name, such as father and son', async () => {
		const owners = [owner('Hans Huber', 50), owner('Hans Huber', 50)];
		expect((await horses.register({ owners })).owners).toMatchObject(owners);
	});

	test.each([
		['microchip', '999 000 000-012/345', '999000000012345'],
		['microchip', '999\u00a0000\u202f000.012_346', '999000000012346'],
		['ueln', '040/dem/000.012345', '040DEM000012345'],
		['federationHorseNumber', '0000.012-345', '0000012345'],
		['headNumber', ' ö 12-a', 'Ö12A'],
		['feiId', '104 ab-12', '104AB12'],
	])('takes %s as people write it: %j', async (field, written, stored) => {
		const horse = await horses.register({ [field]: written });
		expect(horse).toMatchObject({ [field]: stored });
		const found = await horses.call<Horse>('GET', `/api/horses/by-number/${encodeURIComponent(written)}`, {
			token: horses.officer,
		});
		expect(found.data.id).toBe(horse.id);
		const again = await horses.tryToRegister({ [field]: stored });
		expect(again.status).toBe(409);
	});

	test('an ancestor of long ago is recorded as deceased, by the office, and is a parent', async () => {
		const ancestor = { sex: 'STALLION', birthYear: 1975, dateOfDeath: '2001-12-31' };
		const person = horses.person();
		const owners = [{ memberId: person.memberId }];
		const refused = await horses.tryToRegister({ ...ancestor, owners }, person.token);
		expect([refused.status, refused.data.errors?.map(({ field }) => field)]).toEqual([403, ['dateOfDeath']]);
		const horse = await horses.register(ancestor);
		expect(horse).toMatchObject({ status: 'DECEASED', dateOfDeath: '2001-12-31', birthYear: 1975 });
		const periods = await horses.call<{ periods: { from: string }[] }>(
			'GET',
			`/api/horses/${horse.id}/ownership`,
			{ token: horses.officer },
		);
		expect(periods.data.periods.map(({ from }) => from)).toEqual(['2001-12-31']);
		const foal = await horses.register({ birthYear: 1990, sireId: horse.id });
		expect(foal.sireId).toBe(horse.id);
		const { owners: _owners, ...body } = horseBody({
			...ancestor,
			microchip: horse.microchip,
			birthYear: 1974,
		});
		const corrected = await horses.call<Horse>('PUT', `/api/horses/${horse.id}`, {
			token: horses.officer,
			body,
		});
		expect([corrected.status, corrected.data.birthYear]).toEqual([200, 1974]);
		const revived = await horses.call('POST', `/api/horses/${horse.id}/undo-death`, {
			token: horses.officer,
			body: { reason: 'Irrtum' },
		});
		expect(revived.data.code).toBe('TOO_OLD_TO_LIVE');
	});

	test.each([
		['in the future', { dateOfDeath: '2026-05-02' }, 'dateOfDeath'],
		['before the birth', { birthYear: 1975, dateOfDeath: '1974-12-31' }, 'dateOfDeath'],
		['46 years after the birth', { birthYear: 1955, dateOfDeath: '2001-01-01' }, 'birthYear'],
	])('refuses a death %s', async (_what, changes, field) => {
		const { data } = await horses.tryToRegister(changes);
		expect(data.errors?.map((error) => error.field)).toEqual([field]);
	});

	test('refuses a horse without identification', async () => {
		const { status, data } = await horses.tryToRegister({ microchip: null, headNumber: 'X001' });
		expect([status, data.code]).toEqual([422, 'INSUFFICIENT_IDENTIFICATION']);
	});

	test.each([
		['ueln', '040DEM000009100', '040.dem.000009100', 'UELN_TAKEN'],
		['microchip', '999000000009100', '999000000009100', 'MICROCHIP_TAKEN'],
		['federationHorseNumber', '9000009100', '9000009100', 'FEDERATION_HORSE_NUMBER_TAKEN'],
		['headNumber', 'A910', 'A910', 'HEAD_NUMBER_TAKEN'],
		['feiId', '104AB91', '104AB91', 'FEI_ID_TAKEN'],
	])('refuses a %s that a horse has, even a removed one', async (field, first, second, code) => {
		const { id } = await horses.register({ [field]: first });
		await horses.call('DELETE', `/api/horses/${id}`, { token: horses.officer });
		const { status, data, text } = await horses.tryToRegister({ [field]: second });
		expect([status, data.code]).toEqual([409, code]);
		expect(text).toContain('a deleted horse keeps its numbers');
		expect(data).not.toHaveProperty('cause');
	});

	test('concurrent requests with one Idempotency-Key register one horse; another body is refused', async () => {
		const body = horseBody({ name: 'Einzig' });
		const headers = { 'Idempotency-Key': randomUUID() };
		const post = (sent: object) =>
			horses.call<Horse>('POST', '/api/horses', { token: horses.officer, headers, body: sent });
		const responses = await Promise.all(Array.from({ length: 50 }, () => post(body)));
		expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
		expect(new Set(responses.map(({ data }) => JSON.stringify(data))).size).toBe(1);
		const rows = await horses.db.selectFrom('horses').select('id').where('name', '=', 'Einzig').execute();
		expect(rows).toHaveLength(1);
		const other = await horses.call('POST', '/api/horses', {
			token: horses.officer,
			headers,
			body: { ...body, name: 'Anders' },
		});
		expect([other.status, other.data.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
	});
});

function owner(name: string, sharePercent: number | null) {
	return { externalParty: { name, countryCode: 'AT' }, sharePercent };
}
