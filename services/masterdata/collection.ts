import type { CollectionStep, ContextCollection } from '@paddock/contract';

// User-assigned codes of ISO 3166 (XA to XZ, XAA to XZZ, 900 to 999) never collide with a country.
const pickCodes = [
	'const pick = (text) => text[Math.floor(Math.random() * text.length)];',
	"const letters = 'ABCDEFGHIJLMNOPQRSTUVWYZ';",
	"pm.collectionVariables.set('letter', pick(letters));",
	"pm.collectionVariables.set('letter2', pick(letters));",
	"pm.collectionVariables.set('digits', String(Math.floor(Math.random() * 100)).padStart(2, '0'));",
];
const country = {
	isoAlpha2: 'X{{letter}}',
	isoAlpha3: 'X{{letter}}{{letter2}}',
	isoNumeric: '9{{digits}}',
	iocCode: null,
	nameEn: 'Nowhere {{run}}',
	nameDe: 'Nirgendwo {{run}}',
	isActive: false,
};
const ageClass = { code: 'RUN_{{run}}', legalReference: 'House rules' };

/** Unused codes instead of those of the examples, so that the collection can be repeated. */
const steps: readonly CollectionStep[] = [
	{ operationId: 'createCountry', before: pickCodes, body: country },
	{ operationId: 'patchCountry', body: { nameEn: 'Somewhere {{run}}' } },
	{ operationId: 'getCountryByCode', path: { code: 'AUT' } },
	{ operationId: 'listCountries', query: { isEuMember: 'true', sort: 'nameEn', page: '1', size: '50' } },
	{
		operationId: 'listCountries',
		name: 'List all countries: the first page',
		query: { sort: 'isoAlpha2', size: '150' },
		keep: { countriesCursor: 'data.pagination.nextCursor', countriesTotal: 'data.pagination.totalElements' },
	},
	{
		operationId: 'listCountries',
		name: 'List all countries: the next page',
		query: { sort: 'isoAlpha2', size: '150', cursor: '{{countriesCursor}}' },
		tests: [
			"pm.test('both pages have all countries', () => pm.expect(150 + response.data.items.length).to.equal(pm.collectionVariables.get('countriesTotal')));",
			"pm.test('no page follows', () => pm.expect(response.data.pagination.nextCursor).to.equal(null));",
		],
	},
	{ operationId: 'listActiveCountries', query: { q: 'land', limit: '10', offset: '0' } },
	{
		operationId: 'createState',
		body: {
			countryCode: 'X{{letter}}',
			iso3166_2: 'X{{letter}}-1',
			federationCode: null,
			name: 'State {{run}}',
		},
	},
	{
		operationId: 'patchState',
		body: { name: 'Province {{run}}' },
	},
	{ operationId: 'listStates', query: { countryCode: 'AT' } },
	{
		operationId: 'countStates',
		query: { countryCode: 'AT' },
		tests: ["pm.test('counts nine', () => pm.expect(response.data.count).to.equal(9));"],
	},
	{ operationId: 'getCountryByIsoCode', path: { code: 'AUT' } },
	{
		operationId: 'createAgeClass',
		before: ["pm.collectionVariables.set('runCode', pm.collectionVariables.get('run').toUpperCase());"],
		body: { ...ageClass, code: 'RUN_{{runCode}}' },
	},
	{
		operationId: 'patchAgeClass',
		body: { nameEn: 'Juniors of {{run}}' },
	},
	{
		operationId: 'listApplicableAgeClasses',
		query: { birthDate: '2010-12-31', date: '2026-01-01', ruleset: 'OETO' },
	},
	{ operationId: 'createVenue', body: { name: 'Riding centre {{run}}' } },
	{ operationId: 'getVenue' },
	{ operationId: 'patchVenue', body: { name: 'Riding centre {{run}}', stableBoxes: 80 } },
	{ operationId: 'listVenues', query: { q: '{{run}}' } },
];

export const collection: ContextCollection = { steps };
