import { accountSteps, becomes, type CollectionStep, type ContextCollection } from '@paddock/contract';

const dates = [
	'const days = (count) => new Date(Date.now() + count * 86400000);',
	"const day = (count) => days(count).toLocaleDateString('sv-SE', { timeZone: 'Europe/Vienna' });",
	'const set = (name, value) => pm.collectionVariables.set(name, value);',
	"set('yesterday', days(-1).toISOString());",
	"set('inAnHour', days(1 / 24).toISOString());",
	"set('deadline', days(20).toISOString());",
	"set('lateUntil', days(25).toISOString());",
	"set('today', day(0));",
	"set('tomorrow', day(1));",
	"set('firstDay', day(30));",
	"set('lastDay', day(31));",
	"set('laterDay', day(37));",
];
const event = {
	name: 'Tournament {{run}}',
	startDate: '{{firstDay}}',
	endDate: '{{lastDay}}',
	venueId: '{{venuesId}}',
	organiserClubId: '{{clubsId}}',
	entriesOpenAt: '{{yesterday}}',
	entryDeadline: '{{deadline}}',
	lateEntryUntil: '{{lateUntil}}',
};
const running = {
	...event,
	name: 'Running tournament {{run}}',
	startDate: '{{today}}',
	endDate: '{{tomorrow}}',
	entryDeadline: '{{inAnHour}}',
	lateEntryUntil: null,
};
const competition = { date: '{{firstDay}}', ageClasses: [] };
const entry = {
	riderMemberId: '{{membersId}}',
	horseId: '{{horsesId}}',
	starts: [{ competitionId: '{{competitionsId}}' }],
};
const second = { id: '{{secondEventId}}' };
const secondCompetition = { ...second, competitionId: '{{secondCompetitionId}}' };

const organiserEnters = {
	operationId: 'createEntry',
	token: 'organiserToken',
	body: entry,
	tests: becomes('PENDING_CONFIRMATION'),
};

/** The organiser enters a rider; the office, on the rider's behalf, confirms one entry and declines another. */
const confirmationSteps: readonly CollectionStep[] = [
	{
		...organiserEnters,
		name: 'Enter a rider as the organiser',
		headers: { 'Idempotency-Key': 'pending-{{run}}' },
	},
	{ operationId: 'confirmEntry', tests: becomes('ACCEPTED') },
	{ operationId: 'withdrawEntry', name: 'Withdraw the confirmed entry', tests: becomes('WITHDRAWN') },
	{
		...organiserEnters,
		name: 'Enter the rider once more as the organiser',
		headers: { 'Idempotency-Key': 'declined-{{run}}' },
	},
	{ operationId: 'declineEntry', tests: becomes('DECLINED') },
];

const organiser = { token: 'organiserToken' } as const;

/** The organiser submits the event; the office returns it once and then publishes it. */
const approvalSteps: readonly CollectionStep[] = [
	...accountSteps('organiser', 'ORGANISER', {
		email: 'organiser.{{run}}@example.org',
		password: 'a gate that never sticks',
		firstName: 'Otto',
		lastName: 'Meldestellner',
	}),
	{ operationId: 'submitEvent', ...organiser, tests: becomes('SUBMITTED') },
	{ operationId: 'recallEvent', ...organiser, tests: becomes('DRAFT') },
	{ operationId: 'submitEvent', name: 'Submit it again', ...organiser, tests: becomes('SUBMITTED') },
	{
		operationId: 'listEvents',
		name: 'List the events that wait for the office',
		query: { status: 'SUBMITTED', sort: 'startDate' },
	},
	{ operationId: 'returnEvent', tests: becomes('RETURNED') },
	{
		operationId: 'submitEvent',
		name: 'Submit the returned event',
		...organiser,
		tests: becomes('SUBMITTED'),
	},
	{ operationId: 'publishEvent', tests: becomes('REGISTRATION_OPEN') },
];

/** Another horse; the lines of it and of the boxes are in the ledger. */
const deskSteps: readonly CollectionStep[] = [
	{
		operationId: 'swapEntry',
		headers: { 'Idempotency-Key': 'swap-{{run}}' },
		body: { horseId: '{{clubHorseId}}', reason: 'Lahmheit' },
		tests: [
			"pm.test('the change is in the ledger', () => pm.expect(response.data.ledger.map(({ kind }) => kind)).to.include.members(['BOX', 'SWAP']));",
		],
	},
];

/** A horse that is too young for a competition is refused, and passed by the office with a reason. */
const overrideSteps: readonly CollectionStep[] = [
	{ operationId: 'getCompetition', name: 'Read the competition as it is now' },
	{
		operationId: 'patchCompetition',
		name: 'Require older horses',
		body: { horseMinAge: 25 },
	},
	{
		operationId: 'createEntry',
		name: 'Enter a horse that is too young',
		headers: { 'Idempotency-Key': 'young-{{run}}' },
		body: entry,
		status: 422,
		keep: {},
		tests: [
			"pm.test('the finding is overridable', () => pm.expect(response.data.checks.find(({ code }) => code === 'HORSE_TOO_YOUNG')).to.include({ overridable: true }));",
		],
	},
	{
		operationId: 'createEntry',
		name: 'Enter it with an override',
		headers: { 'Idempotency-Key': 'passed-{{run}}' },
		body: {
			...entry,
			overrides: [{ code: 'HORSE_TOO_YOUNG', reason: 'Ausnahme des Verbandes' }],
		},
		tests: [
			...becomes('ACCEPTED'),
			"pm.test('the reason is stored', () => pm.expect(response.data.overrides[0].reason).to.equal('Ausnahme des Verbandes'));",
		],
	},
	{ operationId: 'withdrawEntry', name: 'Withdraw it', tests: becomes('WITHDRAWN') },
	{ operationId: 'patchCompetition', name: 'Admit younger horses again', body: { horseMinAge: 4 } },
];

const guardian = { token: 'guardianToken' } as const;

/** A guardian enters a child with the child’s horse, and withdraws. */
const guardianSteps: readonly CollectionStep[] = [
	{
		operationId: 'registerHorse',
		name: 'Register a horse of the child',
		headers: { 'Idempotency-Key': 'childs-horse-{{run}}' },
		before: [
			"pm.collectionVariables.set('microchip', '999' + String(Math.floor(Math.random() * 1e12)).padStart(12, '0'));",
		],
		body: {
			name: 'Kinderglück {{run}}',
			ueln: null,
			microchip: '{{microchip}}',
			responsibleMemberId: null,
			owners: [{ memberId: '{{childId}}' }],
		},
		keep: { childHorseId: 'data.id' },
	},
	{
		operationId: 'createEntry',
		name: 'Enter the child as the guardian',
		...guardian,
		headers: { 'Idempotency-Key': 'child-{{run}}' },
		body: { ...entry, riderMemberId: '{{childId}}', horseId: '{{childHorseId}}' },
		keep: { childEntryId: 'data.id' },
		tests: [
			...becomes('ACCEPTED'),
			"pm.test('it records who acted for whom', () => pm.expect(response.data.acts[0]).to.include({ actingAs: 'GUARDIAN', forMemberId: pm.collectionVariables.get('childId') }));",
		],
	},
	{
		operationId: 'listEntries',
		name: 'List the child’s entries as the guardian',
		...guardian,
		query: { memberId: '{{childId}}', open: 'true' },
		tests: ["pm.test('it is one', () => pm.expect(response.data.items).to.have.length(1));"],
	},
	{
		operationId: 'withdrawEntry',
		name: 'Withdraw the child as the guardian',
		...guardian,
		path: { entryId: '{{childEntryId}}' },
		tests: becomes('WITHDRAWN'),
	},
];

const paragraphs = 'response.data.items.map(({ rule }) => rule.paragraph)';

/** Prizes and divisions; the findings name the paragraph of the rule that asks for them. */
const announcementSteps: readonly CollectionStep[] = [
	{
		operationId: 'patchCompetition',
		name: 'Announce prizes below the start fee',
		body: { prizes: [2_000, 1_000] },
		status: 422,
		keep: {},
		tests: [
			"pm.test('the paragraph is named', () => pm.expect(response.data.rule).to.eql({ source: 'OETO', paragraph: '36.2' }));",
		],
	},
	{
		operationId: 'patchCompetition',
		name: 'Announce prizes',
		body: { prizes: [10_000, 8_000, 6_000, 4_000], divisions: 1, dividedBy: [] },
	},
	{
		operationId: 'listEventFindings',
		tests: [`pm.test('a division is missing', () => pm.expect(${paragraphs}).to.include('39.1'));`],
	},
	{
		operationId: 'patchCompetition',
		name: 'Announce divisions',
		body: { divisions: 2, dividedBy: ['LICENCE'] },
	},
	{
		operationId: 'listEventFindings',
		name: 'List what the rules do not allow any more',
		tests: [`pm.test('no division is missing', () => pm.expect(${paragraphs}).not.to.include('39.1'));`],
	},
];

/** A tournament with an entry, from draft to cancellation; a completed one; a deleted draft. */
const steps: readonly CollectionStep[] = [
	{
		operationId: 'createVenue',
		name: 'Add a venue for the events',
		before: dates,
		body: { name: 'Show ground {{run}}' },
	},
	{
		operationId: 'createEvent',
		headers: { 'Idempotency-Key': 'event-{{run}}' },
		body: event,
		tests: becomes('DRAFT'),
	},
	{ operationId: 'createCompetition', body: competition },
	{ operationId: 'getCompetition' },
	{ operationId: 'patchCompetition', body: { maxStarters: 30 } },
	...announcementSteps,
	{
		operationId: 'renumberCompetitions',
		body: { numbers: [{ competitionId: '{{competitionsId}}', number: 8 }] },
	},
	{ operationId: 'listCompetitions', query: { sort: 'number' } },
	{ operationId: 'getEvent' },
	{ operationId: 'patchEvent', body: { name: 'Grand tournament {{run}}' } },
	...approvalSteps,
	{
		operationId: 'rescheduleEvent',
		headers: { 'Idempotency-Key': 'later-{{run}}' },
		body: { startDate: '{{laterDay}}' },
		tests: becomes('REGISTRATION_OPEN'),
	},
	{ operationId: 'checkEntry', body: entry },
	{
		operationId: 'createEntry',
		headers: { 'Idempotency-Key': 'entry-{{run}}' },
		body: entry,
		tests: becomes('ACCEPTED'),
	},
	{ operationId: 'getEntry' },
	{ operationId: 'patchEntry', body: { starts: entry.starts, boxes: 2 } },
	...deskSteps,
	{ operationId: 'listEventEntries', query: { status: 'ACCEPTED' } },
	{
		operationId: 'listEventEntries',
		name: 'List the entries that need attention',
		query: { needsAttention: 'true' },
	},
	{ operationId: 'listEntries', query: { riderMemberId: '{{membersId}}', open: 'true' } },
	{ operationId: 'downloadEntries' },
	{
		operationId: 'withdrawEntry',
		tests: [
			...becomes('WITHDRAWN'),
			"pm.test('the fees are refunded', () => pm.expect([response.data.amountDue, response.data.ledger.at(-1).kind]).to.eql([0, 'REFUND']));",
		],
	},
	{
		operationId: 'createEntry',
		name: 'Enter again',
		headers: { 'Idempotency-Key': 'again-{{run}}' },
		body: entry,
	},
	{ operationId: 'rejectEntry', tests: becomes('REJECTED') },
	...overrideSteps,
	...guardianSteps,
	...confirmationSteps,
	{ operationId: 'listRules', query: { discipline: 'JUMPING' } },
	{ operationId: 'listEvents', query: { openForEntry: 'true', sort: 'startDate' } },
	{ operationId: 'searchEvents', query: { q: '{{run}}' } },
	{ operationId: 'countEvents' },
	{ operationId: 'getEventCalendar' },
	{ operationId: 'cancelCompetition' },
	{ operationId: 'cancelEvent', tests: becomes('CANCELLED') },
	{
		operationId: 'createEvent',
		name: 'Add an event that is on today',
		headers: { 'Idempotency-Key': 'running-{{run}}' },
		body: running,
		keep: { secondEventId: 'data.id' },
	},
	{
		operationId: 'createCompetition',
		name: 'Add a competition of today',
		path: second,
		body: { date: '{{today}}', ageClasses: [] },
		keep: { secondCompetitionId: 'data.id' },
	},
	{
		operationId: 'publishEvent',
		name: 'Publish what is on today',
		path: second,
		tests: becomes('IN_PROGRESS'),
	},
	{ operationId: 'completeEvent', path: second, tests: becomes('COMPLETED') },
	{
		operationId: 'createEvent',
		name: 'Add an event that will not be',
		headers: { 'Idempotency-Key': 'draft-{{run}}' },
		body: { ...event, name: 'Tournament that never was {{run}}' },
		keep: { secondEventId: 'data.id' },
	},
	{
		operationId: 'createCompetition',
		name: 'Add a competition to it',
		path: second,
		body: competition,
		keep: { secondCompetitionId: 'data.id' },
	},
	{ operationId: 'deleteCompetition', path: secondCompetition },
	{ operationId: 'deleteEvent', path: second },
	{
		operationId: 'createVenue',
		name: 'Add a venue by mistake',
		body: { name: 'Mistaken venue {{run}}' },
		keep: { mistakenVenueId: 'data.id' },
	},
	{ operationId: 'deleteVenue', path: { id: '{{mistakenVenueId}}' } },
];

export const collection: ContextCollection = {
	steps,
	inOrder: true,
	leaving: [
		{ operationId: 'deleteHorse', name: 'Delete the child’s horse', path: { id: '{{childHorseId}}' } },
	],
};
