import type { Step } from './step.ts';

// 999 is the prefix for numbers that no chip has.
const pickMicrochip = [
	"pm.collectionVariables.set('microchip', '999' + String(Math.floor(Math.random() * 1e12)).padStart(12, '0'));",
];
const horse = {
	name: 'Federleicht {{run}}',
	ueln: null,
	microchip: '{{microchip}}',
	responsibleMemberId: '{{membersId}}',
};
const old = { ...horse, name: 'Altenfreund {{run}}', feePaidForYear: 2010, registeredOn: '2020-01-01' };
const oldHorse = { id: '{{oldHorseId}}' };
const becomes = (status: string) => [
	`pm.test('it is ${status}', () => pm.expect(answer.data.status).to.equal('${status}'));`,
];

/** A horse that stays to be entered in an event, and an old one that is led through its end. */
export const horsesSteps: readonly Step[] = [
	{
		operationId: 'registerHorse',
		name: 'Register an old horse',
		before: pickMicrochip,
		body: { ...old, owners: [{ memberId: '{{membersId}}' }] },
		keep: { oldHorseId: 'data.id' },
	},
	{
		operationId: 'transferHorse',
		path: oldHorse,
		headers: { 'Idempotency-Key': 'transfer-{{run}}' },
		before: [
			"pm.collectionVariables.set('today', new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Vienna' }));",
		],
		body: { from: '{{today}}' },
		keep: {},
	},
	{ operationId: 'lapseHorse', path: oldHorse, tests: becomes('LAPSED') },
	{ operationId: 'removeHorse', path: oldHorse, tests: becomes('INACTIVE') },
	{ operationId: 'restoreHorse', path: oldHorse, tests: becomes('LAPSED') },
	{
		operationId: 'deceaseHorse',
		path: oldHorse,
		body: { date: '{{today}}' },
		tests: becomes('DECEASED'),
	},
	{
		operationId: 'registerHorse',
		headers: { 'Idempotency-Key': 'horse-{{run}}' },
		before: pickMicrochip,
		body: { ...horse, owners: [{ memberId: '{{membersId}}' }] },
	},
	{ operationId: 'suspendHorse', tests: becomes('SUSPENDED') },
	{ operationId: 'reinstateHorse', tests: becomes('ACTIVE') },
	{ operationId: 'retireHorse', tests: becomes('RETIRED') },
	{ operationId: 'reinstateHorse', name: 'Bring a retired horse back', tests: becomes('ACTIVE') },
	{ operationId: 'listHorses', query: { sex: 'MARE', sort: 'name', page: '1', size: '50' } },
	{ operationId: 'listActiveHorses', query: { ownerId: '{{membersId}}' } },
	{
		operationId: 'searchHorses',
		query: { name: 'federleicht {{run}}' },
		tests: [
			"pm.test('the horse is found', () => pm.expect(answer.data.items[0].id).to.equal(pm.collectionVariables.get('horsesId')));",
		],
	},
	{ operationId: 'getHorseByNumber', path: { number: '{{microchip}}' } },
	{ operationId: 'getHorseStats' },
	{ operationId: 'getHorse' },
	{ operationId: 'replaceHorse', body: horse },
	{ operationId: 'getPedigree', query: { generations: '3' } },
	{ operationId: 'listOffspring' },
	{ operationId: 'getOwnership' },
];
