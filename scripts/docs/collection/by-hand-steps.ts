import type { CollectionStep } from '@paddock/contract';
import { demoClubs, demoHorses, demoMembers, demoPassword, demoSignIns, demoVenues } from '@paddock/demo';
import { onlyByHand } from './sign-in-script.ts';

const [member] = demoSignIns.filter(({ roles }) => roles.length === 1);
const eva = { id: demoMembers.eva.id };
const lärchenglut = { id: demoHorses.shared.id };
const kieselstein = { id: demoHorses.transferred.id };
const auwiesen = { id: demoVenues.auwiesen.id };
const openEvent = { id: 'd4000000-0000-4000-8000-000000000002' };

/** Requests for the demo data that need no other request before them and change no record. */
export const byHandSteps: readonly CollectionStep[] = [
	{ operationId: 'getProfile', name: 'My account' },
	{
		operationId: 'login',
		name: 'Sign in as a member',
		body: { email: member?.email ?? '', password: demoPassword },
		keep: {},
	},
	{ operationId: 'searchMembers', name: 'Search members by name', query: { q: 'zügel' } },
	{ operationId: 'getMember', name: 'A member', path: eva },
	{ operationId: 'listClubs', name: 'Clubs, page by page', query: { page: '1', size: '2', sort: 'name' } },
	{ operationId: 'getClub', name: 'A club', path: { id: demoClubs.auwiesen.id } },
	{ operationId: 'getCountryByCode', name: 'A country by its code', path: { code: 'AT' } },
	{ operationId: 'listVenues', name: 'Venues of Austria', query: { countryCode: 'AT' } },
	{ operationId: 'getVenue', name: 'A venue', path: auwiesen },
	{ operationId: 'listArenas', name: 'The arenas of a venue', path: auwiesen },
	{ operationId: 'searchHorses', name: 'Search horses by name', query: { name: 'lärchen' } },
	{ operationId: 'listHorses', name: 'The horses of a member', query: { ownerId: eva.id } },
	{ operationId: 'getHorse', name: 'A horse', path: lärchenglut },
	{ operationId: 'getPedigree', name: 'The pedigree of a horse', path: { id: demoHorses.four.id } },
	{ operationId: 'getOwnership', name: 'The former owners of a horse', path: kieselstein },
	{ operationId: 'listEvents', name: 'Events open for entry', query: { openForEntry: 'true' } },
	{ operationId: 'getEvent', name: 'An event', path: openEvent },
	{ operationId: 'listCompetitions', name: 'The competitions of an event', path: openEvent },
	{ operationId: 'listEventEntries', name: 'The entries of an event', path: openEvent },
	{ operationId: 'checkEntry', name: 'Check an entry without making it', path: openEvent },
	{ operationId: 'downloadEntries', name: 'The entries of an event as CSV', path: openEvent },
	{ operationId: 'ping' },
	{ operationId: 'health' },
	// As large as the process: not part of a run.
	{ operationId: 'heapDump', name: 'Heap snapshot of the gateway', before: onlyByHand },
];

const context = { context: '{{someContext}}' };
const override = { reason: 'test by the collection, {{run}}', expiresInSeconds: 60 };

const noJob = { context: 'auth', id: '00000000-0000-4000-8000-000000000000' };

/** Reads the pages for operators and overrides a breaker. */
export const operationsSteps: readonly CollectionStep[] = [
	{ operationId: 'componentHealth', path: { component: '{{someContext}}' } },
	{ operationId: 'healthStream', query: { events: '1' } },
	{ operationId: 'heapDump', before: onlyByHand },
	{ operationId: 'cpuProfile', query: { seconds: '1' } },
	{ operationId: 'metric', path: { name: 'gateway_requests_total' } },
	{ operationId: 'openBreakers', path: context, body: override },
	{ operationId: 'closeBreakers', path: context, body: override },
	{ operationId: 'autoBreakers', path: context, body: { reason: 'done' } },
	// A fresh system has no job that has failed for good.
	{ operationId: 'retryJob', path: noJob, status: 404 },
	{ operationId: 'dropJob', path: noJob, status: 404 },
	{ operationId: 'changeLogLevel', path: { name: 'gateway' }, body: { level: 'info', expiresInSeconds: 1 } },
];

/** Reads the landing page and stores the name of a context of this deployment. */
export const portalSteps: readonly CollectionStep[] = [
	{
		operationId: 'portalIndex',
		tests: ["pm.collectionVariables.set('someContext', response.data.contexts.at(-1).name);"],
	},
	{ operationId: 'contextOpenapi', path: { context: '{{someContext}}' } },
];
