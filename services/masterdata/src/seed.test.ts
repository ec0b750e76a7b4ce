import { describe, expect, test } from '@jest/globals';
import { iso31662 } from 'iso-3166';
import { ageClassBody } from './age-classes/schemas.ts';
import { countryBody } from './countries/schemas.ts';
import { countries, eeaMembers } from './seed/countries.ts';
import { ageClasses, disciplineAgeClasses, states } from './seed.ts';
import { stateBody } from './states/schemas.ts';

const byCode = new Map(countries.map((country) => [country.isoAlpha2, country]));

describe('the countries', () => {
	test('are the 249 of ISO 3166-1, each code once', () => {
		expect(countries).toHaveLength(249);
		for (const field of ['isoAlpha2', 'isoAlpha3', 'isoNumeric', 'nameEn', 'nameDe'] as const) {
			expect([field, new Set(countries.map((country) => country[field])).size]).toEqual([field, 249]);
		}
	});

	test('are all what an officer could write, too', () => {
		for (const country of countries) expect(countryBody.parse(country)).toEqual(country);
	});

	test('have 205 Olympic committees, each code once, and are active with one', () => {
		const withCode = countries.filter((country) => country.iocCode !== null);
		expect(withCode).toHaveLength(205);
		expect(new Set(withCode.map((country) => country.iocCode)).size).toBe(205);
		expect(countries.filter((country) => country.isActive)).toEqual(withCode);
	});

	test('are 27 in the EU and 30 in the EEA', () => {
		expect(countries.filter((country) => country.isEuMember)).toHaveLength(27);
		expect(countries.filter((country) => country.isEeaMember)).toHaveLength(30);
		expect([...eeaMembers].filter((code) => !byCode.get(code)?.isEuMember).sort()).toEqual([
			'IS',
			'LI',
			'NO',
		]);
	});

	test.each(
		'AT:AUT DE:GER CH:SUI NL:NED DK:DEN GR:GRE HR:CRO SI:SLO PT:POR BG:BUL LV:LAT ZA:RSA DZ:ALG SA:KSA AE:UAE ID:INA MY:MAS PH:PHI CL:CHI UY:URU PY:PAR HT:HAI TW:TPE IR:IRI LB:LBN BH:BRN BN:BRU SG:SGP TT:TTO MN:MGL MM:MYA VN:VIE PS:PLE RO:ROU GB:GBR'
			.split(' ')
			.map((pair) => pair.split(':')),
	)('the IOC code of %s is %j', (alpha2 = '', ioc = '') => {
		expect(byCode.get(alpha2)?.iocCode ?? '').toBe(ioc);
	});

	test('share letters between ISO and the IOC only where the documentation says so: BRN', () => {
		const owners = new Map(countries.map((country) => [country.isoAlpha3, country.isoAlpha2]));
		const shared = countries.filter(
			({ iocCode, isoAlpha2 }) => iocCode !== null && (owners.get(iocCode) ?? isoAlpha2) !== isoAlpha2,
		);
		expect(shared.map(({ iocCode, isoAlpha2 }) => [iocCode, isoAlpha2])).toEqual([['BRN', 'BH']]);
	});

	test('are named in both languages', () => {
		expect(byCode.get('AT')).toMatchObject({ nameEn: 'Austria', nameDe: 'Österreich', isoNumeric: '040' });
		expect(byCode.get('CD')).toMatchObject({ nameDe: 'Demokratische Republik Kongo' });
		expect(byCode.get('GB')).toMatchObject({ nameEn: 'United Kingdom', nameDe: 'Vereinigtes Königreich' });
	});

	test('begin with Austria and its eight neighbours', () => {
		const inFront = countries.filter(({ sortOrder }) => sortOrder < 1_000);
		const inOrder = inFront.sort((a, b) => a.sortOrder - b.sortOrder).map(({ isoAlpha2 }) => isoAlpha2);
		expect(inOrder).toEqual(['AT', 'DE', 'CH', 'LI', 'IT', 'SI', 'HU', 'SK', 'CZ']);
	});
});

describe('the states', () => {
	test('are the nine of ISO 3166-2:AT under their names', () => {
		const iso = iso31662.filter(({ parent }) => parent === 'AT').map(({ code, name }) => [code, name]);
		expect(iso).toHaveLength(9);
		expect(states.map(({ iso3166_2, name }) => [iso3166_2, name]).sort()).toEqual(iso.sort());
		for (const state of states) expect(stateBody.parse(state)).toEqual(state);
	});

	test('carry the numbers of the federation', () => {
		expect(states.map(({ federationCode, name }) => `${federationCode} ${name}`)).toEqual([
			'01 Wien',
			'02 Niederösterreich',
			'03 Burgenland',
			'04 Steiermark',
			'05 Kärnten',
			'06 Oberösterreich',
			'07 Salzburg',
			'08 Tirol',
			'09 Vorarlberg',
		]);
	});
});

test('the age classes are nine of OeTO, four of them in a discipline of their own, and six of the FEI', () => {
	const ofOeto = ageClasses.filter(({ ruleset }) => ruleset === 'OETO');
	expect([ofOeto.length, ageClasses.length - ofOeto.length]).toEqual([9, 6]);
	expect(disciplineAgeClasses).toHaveLength(4);
	for (const ageClass of [...ageClasses, ...disciplineAgeClasses])
		expect(ageClassBody.parse(ageClass)).toEqual(ageClass);
});
