import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { type TestFailure, timesOf } from '@paddock/testing';
import type { Club } from '../src/clubs/schemas.ts';
import { useMembers } from './running-members.ts';
import { clubsPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
const { call } = members;
const records = recordsOf(() => members);

function clubBody(clubNumber: string, changes: object = {}) {
	return {
		clubNumber,
		name: `Reitclub Ährenfeld ${clubNumber}`,
		shortName: 'RC Ährenfeld',
		stateCode: 'AT-3',
		address: { street: null, postalCode: '0999', city: 'Furt', countryCode: 'AT' },
		email: 'office@example.org',
		website: 'https://example.org/verein',
		status: 'ACTIVE',
		...changes,
	};
}

function storedRow(id: string) {
	return members.db.selectFrom('clubs').selectAll().where('id', '=', id).executeTakeFirst();
}

describe('POST /clubs', () => {
	test('creates, says where, and stores', async () => {
		const body = clubBody('1001');
		const { status, data, headers } = await call<Club>('POST', path, { token: members.officer, body });
		expect([status, headers.get('location'), headers.get('etag')]).toEqual([
			201,
			`${path}/${data.id}`,
			'"1"',
		]);
		expect(data).toEqual({ ...body, id: data.id, ...timesOf(data), version: 1 });
		expect((await call<Club>('GET', `${path}/${data.id}`, { token: members.officer })).data).toEqual(data);
		expect(await storedRow(data.id)).toMatchObject({
			clubNumber: '1001',
			postalCode: '0999',
			isDemo: false,
		});
	});

	test('fills omitted fields with their defaults', async () => {
		const club = await records.createClub('1002');
		expect(club).toMatchObject({
			shortName: null,
			stateCode: null,
			address: null,
			website: null,
			status: 'ACTIVE',
		});
	});

	test('reports all bad fields at once', async () => {
		const { status, data } = await call('POST', path, {
			token: members.officer,
			body: {
				clubNumber: '0123',
				name: '',
				shortName: 'x'.repeat(41),
				stateCode: '3',
				address: { city: 'X', stateCode: 'AT-3' },
				email: 'nobody',
				website: 'javascript:alert(1)',
				status: 'CLOSED',
				isDemo: true,
			},
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'address.stateCode UNKNOWN_FIELD',
			'clubNumber INVALID_FORMAT',
			'email INVALID_FORMAT',
			'isDemo UNKNOWN_FIELD',
			'name INVALID_LENGTH',
			'shortName INVALID_LENGTH',
			'stateCode INVALID_FORMAT',
			'status INVALID_FORMAT',
			'website INVALID_FORMAT',
		]);
	});

	test('refuses unknown codes of places, and a duplicate number', async () => {
		const body = clubBody('1003', { stateCode: 'AT-9', address: { city: 'X', countryCode: 'XX' } });
		const unknown = await call('POST', path, { token: members.officer, body });
		expect(unknown.data.errors?.map(({ field, code }) => `${field} ${code}`)).toEqual([
			'address.countryCode INVALID_REFERENCE',
			'stateCode INVALID_REFERENCE',
		]);
		await records.createClub('1004');
		const taken = await call('POST', path, { token: members.officer, body: clubBody('1004') });
		expect([taken.status, taken.data.code]).toEqual([409, 'CLUB_NUMBER_TAKEN']);
	});

	test('with an Idempotency-Key makes one club', async () => {
		const headers = { 'Idempotency-Key': randomUUID() };
		const post = (body: object) => call<Club>('POST', path, { token: members.officer, body, headers });
		const [first, again] = [await post(clubBody('1005')), await post(clubBody('1005'))];
		expect([again.status, again.data]).toEqual([201, first.data]);
		const other = await call('POST', path, { token: members.officer, body: clubBody('1006'), headers });
		expect([other.status, other.data.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
	});
});

test('GET /clubs filters, searches and sorts', async () => {
	await records.createClub('2003', { name: 'Öd am Gießbach', stateCode: 'DE-BY' });
	await records.createClub('2001', { name: 'Zur Oed', stateCode: 'DE-BY' });
	await records.createClub('2002', { name: 'Anger', stateCode: 'DE-BY', status: 'INACTIVE' });
	const numbers = async (query: string) => {
		const { data } = await call<Page<Club>>('GET', `${path}?stateCode=DE-BY&${query}`, {
			token: members.officer,
		});
		return data.items.map(({ clubNumber }) => clubNumber);
	};
	expect(await numbers('')).toEqual(['2002', '2003', '2001']);
	expect(await numbers('status=ACTIVE')).toEqual(['2003', '2001']);
	expect(await numbers('q=oed')).toEqual(['2003', '2001']);
	expect(await numbers('q=giessb')).toEqual(['2003']);
	expect(await numbers('q=2001')).toEqual(['2001']);
	expect(await numbers('sort=-clubNumber')).toEqual(['2003', '2002', '2001']);
	const refused = await call('GET', `${path}?stateCode=3&q=&near=1`, { token: members.officer });
	expect(refused.data.errors?.map(({ field }) => field).sort()).toEqual(['near', 'q', 'stateCode']);
});

describe('PUT and DELETE /clubs/{id}', () => {
	test('replace, and refuse a stale version, a duplicate number and an unknown club', async () => {
		const club = await records.createClub('3001', clubBody('3001'));
		const put = <Data = TestFailure>(id: string, body: object, headers = {}) =>
			call<Data>('PUT', `${path}/${id}`, { token: members.officer, body, headers });
		const changed = await put<Club>(club.id, { name: 'Umbenannt', address: null }, { 'If-Match': '"1"' });
		expect([changed.status, changed.data]).toEqual([
			200,
			{ ...club, ...timesOf(changed.data), name: 'Umbenannt', address: null, version: 2 },
		]);
		expect(await storedRow(club.id)).toMatchObject({ name: 'Umbenannt', city: null, version: 2 });
		expect((await put(club.id, clubBody('3001'), { 'If-Match': '"1"' })).status).toBe(412);
		await records.createClub('3002');
		expect((await put(club.id, clubBody('3002'))).data.code).toBe('CLUB_NUMBER_TAKEN');
		expect((await put(club.id, clubBody('9000'))).data.code).toBe('CLUB_NUMBER_TAKEN');
		expect((await put(club.id, { ...clubBody('3001'), id: randomUUID() })).status).toBe(400);
		expect((await put(randomUUID(), clubBody('3003'))).status).toBe(404);
		expect((await call('GET', `${path}/${randomUUID()}`, { token: members.officer })).status).toBe(404);
		expect((await storedRow(club.id))?.version).toBe(2);
	});

	test('of a club with members, deleted ones too, is refused; status INACTIVE is the other way', async () => {
		const club = await records.createClub('3004');
		const member = await records.activeMember({ homeClubId: club.id });
		const remove = (headers = {}) =>
			call<Club>('DELETE', `${path}/${club.id}`, { token: members.officer, headers });
		expect((await remove()).data).toMatchObject({ code: 'CLUB_IN_USE' });
		await call('DELETE', `/api/members/${member.id}`, { token: members.officer });
		expect((await remove()).status).toBe(409);
		const closed = await call<Club>('PUT', `${path}/${club.id}`, {
			token: members.officer,
			body: { clubNumber: '3004', name: 'Zu', status: 'INACTIVE' },
		});
		expect(closed.data.status).toBe('INACTIVE');
		await members.db.deleteFrom('members').where('id', '=', member.id).execute();
		expect((await remove({ 'If-Match': '"1"' })).status).toBe(412);
		const removed = await remove({ 'If-Match': '"2"' });
		expect([removed.status, removed.data]).toEqual([200, closed.data]);
		expect(await storedRow(club.id)).toBeUndefined();
		expect((await remove()).status).toBe(404);
	});
});
