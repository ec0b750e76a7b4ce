import { accountSteps, becomes, type CollectionStep, type ContextCollection } from '@paddock/contract';

// 999 is the prefix for test numbers.
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

const clubHorse = { id: '{{clubHorseId}}' };
const clubTransfer = { ...clubHorse, transferId: '{{transferId}}' };
const buyer = [{ externalParty: { name: 'Hof Wiesengrund', countryCode: 'AT' } }];

/** An official of the club, and a horse of the club that a member owns. */
const officialSteps: readonly CollectionStep[] = [
	...accountSteps('official', 'CLUB_OFFICIAL', {
		email: 'official.{{run}}@example.org',
		password: 'a bridle behind the door',
		firstName: 'Olga',
		lastName: 'Striegelhofer',
	}),
	{
		operationId: 'registerHorse',
		name: 'Register a horse of the club',
		before: pickMicrochip,
		body: {
			...horse,
			name: 'Vereinsmeier {{run}}',
			registeredOn: '2020-01-01',
			clubId: '{{clubsId}}',
			owners: [{ memberId: '{{membersId}}' }],
		},
		keep: { clubHorseId: 'data.id' },
	},
];

/** The official requests transfers: one is declined, one is confirmed and corrected by the office. */
const transferSteps: readonly CollectionStep[] = [
	{
		operationId: 'transferHorse',
		name: 'Request a transfer as the official',
		path: clubHorse,
		token: 'officialToken',
		body: { from: '{{today}}', owners: buyer },
		keep: { transferId: 'data.transferId' },
		tests: becomes('PENDING'),
	},
	{ operationId: 'getTransfer', path: clubTransfer, keep: { transferVersion: 'data.version' } },
	{
		operationId: 'declineTransfer',
		path: clubTransfer,
		token: 'officialToken',
		headers: { 'If-Match': '"{{transferVersion}}"' },
		tests: becomes('DECLINED'),
	},
	{
		operationId: 'transferHorse',
		name: 'Request it again',
		path: clubHorse,
		token: 'officialToken',
		headers: { 'Idempotency-Key': 'request-{{run}}' },
		body: { from: '{{today}}', owners: buyer },
		keep: { transferId: 'data.transferId' },
	},
	{ operationId: 'listTransfers', query: { status: 'PENDING', page: '1', size: '20' }, keep: {} },
	{ operationId: 'listHorseTransfers', path: clubHorse, keep: {} },
	{ operationId: 'confirmTransfer', path: clubTransfer, keep: {}, tests: becomes('COMPLETED') },
	{
		operationId: 'getHorse',
		name: 'Read the horse to correct its owners',
		path: clubHorse,
		keep: { clubHorseVersion: 'data.version' },
	},
	{
		operationId: 'correctOwnership',
		path: clubHorse,
		headers: { 'If-Match': '"{{clubHorseVersion}}"', 'Idempotency-Key': 'correction-{{run}}' },
		keep: {},
	},
	{ operationId: 'listOwnershipCorrections', path: clubHorse, keep: {} },
];

/** The death of a horse, reported by the official of its club and decided by the office. */
const deathSteps: readonly CollectionStep[] = [
	{
		operationId: 'deceaseHorse',
		name: 'Report a death as the official',
		path: clubHorse,
		token: 'officialToken',
		body: { date: '{{today}}' },
		tests: becomes('ACTIVE'),
		keep: {},
	},
	{ operationId: 'rejectHorseDeath', path: clubHorse, keep: {}, tests: becomes('ACTIVE') },
	{
		operationId: 'deceaseHorse',
		name: 'Report the death again',
		path: clubHorse,
		token: 'officialToken',
		body: { date: '{{today}}' },
		keep: {},
	},
	{ operationId: 'confirmHorseDeath', path: clubHorse, keep: {}, tests: becomes('DECEASED') },
	{ operationId: 'undoHorseDeath', path: clubHorse, keep: {}, tests: becomes('ACTIVE') },
	{ operationId: 'listDeathDecisions', path: clubHorse, keep: {} },
];

/** A horse that is later entered in an event, and an old one up to its death. */
const steps: readonly CollectionStep[] = [
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
	{ operationId: 'deleteHorse', path: oldHorse, tests: becomes('INACTIVE') },
	{ operationId: 'restoreHorse', path: oldHorse, tests: becomes('LAPSED') },
	{
		operationId: 'deleteHorses',
		body: { horseIds: ['{{oldHorseId}}'] },
		tests: ["pm.test('it is deleted', () => pm.expect(response.data.refused).to.eql([]));"],
	},
	{ operationId: 'restoreHorse', name: 'Bring it back again', path: oldHorse, tests: becomes('LAPSED') },
	{ operationId: 'deceaseHorse', path: oldHorse, body: { date: '{{today}}' }, tests: becomes('DECEASED') },
	...officialSteps,
	...deathSteps,
	...transferSteps,
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
	{
		operationId: 'listHorses',
		query: { sex: 'MARE', feiRegistered: 'false', sort: 'name', page: '1', size: '50' },
	},
	{ operationId: 'listHorsesOfOwner', path: { id: '{{membersId}}' } },
	{ operationId: 'listActiveHorses', query: { ownerId: '{{membersId}}' } },
	{
		operationId: 'searchHorses',
		query: { name: 'federleicht {{run}}' },
		tests: [
			"pm.test('the horse is found', () => pm.expect(response.data.items[0].id).to.equal(pm.collectionVariables.get('horsesId')));",
		],
	},
	{ operationId: 'getHorseByNumber', path: { number: '{{microchip}}' } },
	{ operationId: 'getHorseStats' },
	{ operationId: 'getHorse' },
	{ operationId: 'patchHorse', body: { colour: 'Braun', notes: null } },
	{ operationId: 'getPedigree', query: { generations: '3' } },
	{ operationId: 'listOffspring' },
	{ operationId: 'getOwnership' },
];

export const collection: ContextCollection = {
	steps,
	inOrder: true,
	leaving: [{ operationId: 'deleteHorse', name: 'Delete the horse' }],
};
