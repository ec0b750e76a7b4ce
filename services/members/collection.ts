import { becomes, type CollectionStep, type ContextCollection } from '@paddock/contract';

// Each run has a club number of its own.
const pickClubNumber = [
	"pm.collectionVariables.set('clubNumber', String(1000 + Math.floor(Math.random() * 9000)));",
];
const club = {
	clubNumber: '{{clubNumber}}',
	name: 'Riding club {{run}}',
	shortName: 'RC {{run}}',
	email: 'club.{{run}}@example.org',
};
const rider = {
	firstName: 'Anna',
	lastName: 'Huberin {{run}}',
	email: 'anna.{{run}}@example.org',
	homeClubId: '{{clubsId}}',
};

/** A club, and a member who passes through every state and is later entered in an event. */
const steps: readonly CollectionStep[] = [
	{
		operationId: 'createClub',
		name: 'Add a club by mistake',
		before: pickClubNumber,
		body: { ...club, name: 'Mistaken club {{run}}' },
		keep: { mistakenClubId: 'data.id' },
	},
	{ operationId: 'deleteClub', path: { id: '{{mistakenClubId}}' } },
	{
		operationId: 'createClub',
		headers: { 'Idempotency-Key': 'club-{{run}}' },
		before: pickClubNumber,
		body: club,
	},
	{ operationId: 'listClubs', query: { q: '{{run}}', sort: 'name', page: '1', size: '20' } },
	{ operationId: 'getClub' },
	{ operationId: 'patchClub', body: { name: 'Riding and driving club {{run}}' } },
	{
		operationId: 'createMember',
		headers: { 'Idempotency-Key': 'member-{{run}}' },
		body: rider,
		tests: becomes('PENDING'),
	},
	{ operationId: 'approveMember', tests: becomes('ACTIVE') },
	{ operationId: 'suspendMember', tests: becomes('SUSPENDED') },
	{ operationId: 'reinstateMember', tests: becomes('ACTIVE') },
	{ operationId: 'listMembers', query: { clubId: '{{clubsId}}', sort: 'lastName', page: '1', size: '50' } },
	{
		operationId: 'searchMembers',
		query: { q: 'huberin {{run}}' },
		tests: [
			"pm.test('the member is found', () => pm.expect(response.data.items[0].id).to.equal(pm.collectionVariables.get('membersId')));",
		],
	},
	{ operationId: 'getMemberStats' },
	{ operationId: 'getMember' },
	{ operationId: 'patchMember', body: { phoneNumber: '+43 660 7654321' } },
	{ operationId: 'listConsents' },
	{ operationId: 'deleteMember', tests: becomes('INACTIVE') },
	{ operationId: 'restoreMember', tests: becomes('ACTIVE') },
];

export const collection: ContextCollection = {
	steps,
	inOrder: true,
	leaving: [{ operationId: 'deleteMember', name: 'Delete the member' }],
};
