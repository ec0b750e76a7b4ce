import { beforeAll, expect, test } from '@jest/globals';
import type { Horse } from '../src/horses/schemas.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();
let guest: string;
let member: string;
let horse: Horse;
let sire: Horse;

const name = 'Gastpferd';

beforeAll(async () => {
	guest = horses.sign({});
	member = horses.person().token;
	sire = await horses.register({ sex: 'STALLION', birthYear: 2000, ueln: '040DEM000000550' });
	horse = await horses.register({
		name,
		ueln: '040DEM000000551',
		microchip: '999040000000552',
		passportNumber: 'PASS-553',
		passportIssuer: 'Verband',
		federationHorseNumber: '9990000554',
		headNumber: 'Ö555',
		feiId: '104GG55',
		sireId: sire.id,
	});
});

const ids = (token: string, path: string) =>
	horses.call<{ items: Horse[] }>('GET', path, { token }).then(({ data }) => data.items.map(({ id }) => id));
const hidden = () => [horse.ueln, horse.microchip, horse.passportNumber, sire.ueln].map(String);

// Anyone may register an account, and read the numbers of every horse's papers with it.
test('an account without a member is shown no UELN, microchip or passport number, wherever it looks', async () => {
	for (const path of [
		`/api/horses/${horse.id}`,
		`/api/horses?sort=name`,
		`/api/horses/active`,
		`/api/horses/search?name=${name}`,
		`/api/horses/search?q=${name}`,
		`/api/horses/by-number/${horse.headNumber}`,
		`/api/horses/${sire.id}/offspring`,
		`/api/horses/${horse.id}/pedigree`,
	]) {
		const seen = await horses.call('GET', path, { token: guest });
		expect([path, seen.status, seen.text.includes(horse.id)]).toEqual([path, 200, true]);
		for (const number of hidden())
			expect([path, number, seen.text.includes(number)]).toEqual([path, number, false]);
		if (!path.includes('pedigree'))
			for (const field of ['"ueln"', '"microchip"', '"passportNumber"'])
				expect([path, field, seen.text.includes(field)]).toEqual([path, field, false]);
	}
	const { data } = await horses.call<Horse>('GET', `/api/horses/${horse.id}`, { token: guest });
	expect(data).toMatchObject({ name, headNumber: 'Ö555', feiId: '104GG55', birthYear: 2016 });
});

test('members, organisers and officials see them in the sport view', async () => {
	const tokens = [
		member,
		...(['ORGANISER', 'CLUB_OFFICIAL'] as const).map((role) => horses.sign({ roles: [role] })),
	];
	for (const token of tokens) {
		const { data } = await horses.call<Horse>('GET', `/api/horses/${horse.id}`, { token });
		expect([data.ueln, data.microchip, data.passportNumber]).toEqual(hidden().slice(0, 3));
		expect(data).not.toHaveProperty('owners');
	}
});

// A search by a hidden number would disclose it digit by digit.
test('an account without a member finds no horse by a number that it is not shown', async () => {
	for (const number of hidden()) {
		for (const part of [number, number.slice(0, -1), number.slice(3)]) {
			expect(await ids(guest, `/api/horses/search?q=${part}`)).toEqual([]);
			expect((await ids(member, `/api/horses/search?q=${part}`)).length).toBeGreaterThan(0);
		}
		const found = (token: string) => horses.call('GET', `/api/horses/by-number/${number}`, { token });
		const unknown = await horses.call('GET', '/api/horses/by-number/040DEM999999999', { token: guest });
		const refused = await found(guest);
		expect([refused.status, refused.data.code, refused.message]).toEqual([
			404,
			unknown.data.code,
			unknown.message,
		]);
		expect((await found(member)).status).toBe(200);
	}
});

test('it finds horses by head, federation and FEI number', async () => {
	for (const number of [horse.headNumber, horse.federationHorseNumber, horse.feiId]) {
		const path = encodeURIComponent(String(number));
		expect(await ids(guest, `/api/horses/search?q=${path}`)).toEqual([horse.id]);
		expect(
			await ids(guest, `/api/horses/search?q=${encodeURIComponent(String(number).slice(0, 3))}`),
		).toContain(horse.id);
		expect((await horses.call('GET', `/api/horses/by-number/${path}`, { token: guest })).status).toBe(200);
	}
});
