import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoHorses, demoVenues } from '@paddock/demo';
import { type ApiClient, type ApiResponse, createApiClient } from '@paddock/testing';
import { exampleOf } from '../../scripts/docs/example-of.ts';
import { openapiDocument } from '../../scripts/docs/openapi-text.ts';
import { type System, startSystem, systemServices } from '../system.ts';

/** The example body that the explorer shows must work with the demo data. */
interface Step {
	readonly operationId: string;
	/** Values of path parameters: an id, or the operation whose response has the id. */
	readonly path?: Readonly<Record<string, string>>;
	/** Signs in as the account of the registration example; the administrator by default. */
	readonly asRegistered?: true;
	/** The code with which a correct system refuses the example, and why no example can work. */
	readonly refused?: readonly [code: string, reason: string];
	/** Sends an operation without a body before. */
	readonly after?: string;
}

// A browser module, without types; the explorer fills in examples with it.
const script = new URL('../../gateway/src/portal/public/fresh-examples.js', import.meta.url).href;
const { freshBody } = (await import(script)) as { freshBody: (body: object, templates: object) => object };

const openEvent = 'd4000000-0000-4000-8000-000000000002';
const record = (operationId: string) => ({ id: operationId });

const declared: readonly Step[] = [
	{ operationId: 'register' },
	{ operationId: 'login' },
	{
		operationId: 'refreshTokens',
		refused: ['INVALID_TOKEN', 'a refresh token is secret and for one use'],
	},
	{ operationId: 'resendVerification' },
	...(['verifyEmail', 'resetPassword', 'confirmEmailChange'] as const).map((operationId) => ({
		operationId,
		refused: ['ACCOUNT_TOKEN_INVALID', 'the token of a mail is secret'] as const,
	})),
	{ operationId: 'forgotPassword' },
	...(
		[
			'completeSignIn',
			'getSignInPasskeyOptions',
			'completeSignInWithPasskey',
			'beginSignInEnrolment',
			'completeSignInEnrolment',
		] as const
	).map((operationId) => ({
		operationId,
		refused: ['SIGN_IN_CHALLENGE_INVALID', 'the token of a sign-in is secret'] as const,
	})),
	{ operationId: 'inviteUser' },
	...(['exchangeOidcCode', 'linkOidcIdentity', 'requestOidcLinkMail', 'confirmOidcLink'] as const).map(
		(operationId) => ({
			operationId,
			refused: ['OIDC_NOT_CONFIGURED', 'the system has no identity provider'] as const,
		}),
	),
	{ operationId: 'stepUpWithPassword', asRegistered: true },
	...(['stepUp', 'stepUpWithPasskey', 'confirmTotpEnrolment'] as const).map((operationId) => ({
		operationId,
		asRegistered: true as const,
		refused: ['SECOND_FACTOR_WRONG', 'codes are for one use'] as const,
	})),
	{
		operationId: 'enrolPasskey',
		asRegistered: true,
		refused: ['PASSKEY_REFUSED', 'a passkey answers one challenge'],
	},
	{ operationId: 'changeEmail', asRegistered: true },
	{ operationId: 'updateProfile', asRegistered: true },
	{ operationId: 'changePassword', asRegistered: true },
	{ operationId: 'claimMember', asRegistered: true },
	{ operationId: 'declineMemberLink', path: record('claimMember') },
	{ operationId: 'endMemberLink', path: record('claimMember') },
	{
		operationId: 'downloadDataExport',
		refused: ['ACCOUNT_TOKEN_INVALID', 'the token of a mail is secret'],
	},
	{
		operationId: 'requestErasure',
		refused: ['VALIDATION_ERROR', 'the address is that of the caller, as a confirmation'],
	},
	{ operationId: 'setUserRoles', path: record('login') },
	{ operationId: 'resetSecondFactors', path: record('login') },
	{ operationId: 'suspendUser', path: record('login') },
	{ operationId: 'setUserStatus', path: record('login') },
	{ operationId: 'closeUser', path: record('login') },
	{ operationId: 'createClub' },
	{ operationId: 'replaceClub', path: record('createClub') },
	{ operationId: 'createMember' },
	{ operationId: 'replaceMember', path: record('createMember') },
	{ operationId: 'suspendMember', path: record('createMember'), after: 'approveMember' },
	{ operationId: 'createCountry' },
	{ operationId: 'replaceCountry', path: record('createCountry') },
	{ operationId: 'createState' },
	{ operationId: 'replaceState', path: record('createState') },
	{ operationId: 'createAgeClass' },
	{ operationId: 'replaceAgeClass', path: record('createAgeClass') },
	{ operationId: 'createVenue' },
	{ operationId: 'replaceVenue', path: record('createVenue') },
	{ operationId: 'createArena', path: record(demoVenues.auwiesen.id) },
	{ operationId: 'replaceArena', path: { ...record(demoVenues.auwiesen.id), arenaId: 'createArena' } },
	{ operationId: 'registerHorse' },
	{ operationId: 'replaceHorse', path: record('registerHorse') },
	{ operationId: 'transferHorse', path: record(demoHorses.secondPony.id) },
	{ operationId: 'correctOwnership', path: record(demoHorses.secondPony.id) },
	{ operationId: 'suspendHorse', path: record(demoHorses.four.id) },
	{ operationId: 'deceaseHorse', path: record(demoHorses.retired.id) },
	{ operationId: 'undoHorseDeath', path: record(demoHorses.retired.id) },
	{
		operationId: 'rejectHorseDeath',
		path: record(demoHorses.retired.id),
		refused: ['NO_DEATH_REPORTED', 'the demo data have no reported death'],
	},
	{ operationId: 'deleteHorses' },
	{ operationId: 'createEvent' },
	{ operationId: 'replaceEvent', path: record('createEvent') },
	{ operationId: 'createCompetition', path: record('createEvent') },
	{
		operationId: 'replaceCompetition',
		path: { ...record('createEvent'), competitionId: 'createCompetition' },
	},
	{ operationId: 'rescheduleEvent', path: record('createEvent') },
	{ operationId: 'returnEvent', path: record('createEvent'), after: 'submitEvent' },
	{ operationId: 'cancelEvent', path: record('createEvent'), after: 'publishEvent' },
	{ operationId: 'renumberCompetitions', path: record(openEvent) },
	{ operationId: 'checkEntry', path: record(openEvent) },
	{ operationId: 'createEntry', path: record(openEvent) },
	{ operationId: 'changeEntry', path: { ...record(openEvent), entryId: 'createEntry' } },
	{ operationId: 'confirmEntry', path: { ...record(openEvent), entryId: 'createEntry' } },
	{ operationId: 'swapEntry', path: { ...record(openEvent), entryId: 'createEntry' } },
	{ operationId: 'rejectEntry', path: { ...record(openEvent), entryId: 'createEntry' } },
	{ operationId: 'openBreakers', path: { context: 'ping' } },
	{ operationId: 'closeBreakers', path: { context: 'ping' } },
	{ operationId: 'autoBreakers', path: { context: 'ping' } },
	{ operationId: 'changeLogLevel', path: { name: 'gateway' } },
];

const document = openapiDocument();
const operations = new Map(
	Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, operation]) => [
			operation.operationId,
			{
				method: method.toUpperCase(),
				path,
				body: bodyOf(operation),
				templates: templatesOf(operation),
				isCreation: operation.responses['201'] !== undefined,
			},
		]),
	),
);

/** Each PUT of a record is followed by its PATCH. */
const steps = declared.flatMap((step) => {
	const patch = `patch${step.operationId.replace(/^[a-z]+/, '')}`;
	return operations.get(step.operationId)?.method === 'PUT'
		? [step, { ...step, operationId: patch }]
		: [step];
});

let system: System;
let api: ApiClient;
beforeAll(async () => {
	system = await startSystem({ contexts: systemServices, services: { DEMO: 'on' } });
	api = createApiClient(system.gateway.url);
}, 120_000);
afterAll(() => system?.stop(), 60_000);

test('every operation with a body has a step', () => {
	const withBody = [...operations].filter(([, { body }]) => body !== undefined).map(([id]) => id);
	expect(withBody.length).toBeGreaterThan(40);
	expect(steps.map(({ operationId }) => operationId).sort()).toEqual(withBody.sort());
});

test('every example of a body works with the demo data', async () => {
	const administrator = await system.signIn();
	let registered = '';
	const ids = new Map<string, string>();
	const outcomes: string[] = [];
	for (const { operationId, path = {}, asRegistered, refused, after } of steps) {
		const token = asRegistered === true ? registered : administrator;
		const values = Object.fromEntries(
			Object.entries(path).map(([name, value]) => [name, ids.get(value) ?? value]),
		);
		if (after !== undefined) await send(after, values, token);
		const response = await send(operationId, values, token);
		if (response.data['id'] !== undefined) ids.set(operationId, String(response.data['id']));
		if (operationId === 'login') {
			registered = String(response.data['accessToken']);
			ids.set(operationId, String(Reflect.get(Object(response.data['user']), 'id')));
		}
		const code = response.success ? 'accepted' : String(response.data['code']);
		if (code !== (refused?.[0] ?? 'accepted')) outcomes.push(`${operationId}: ${response.text}`);
	}
	expect(outcomes).toEqual([]);
}, 120_000);

/** Creations that a rule allows once, and the code of the second. */
const once: Readonly<Record<string, string>> = {
	// A transfer is later than the previous one.
	transferHorse: 'OWNERSHIP_NOT_AFTER_PREVIOUS',
	// A horse has one open entry per event.
	createEntry: 'ENTRY_NOT_ALLOWED',
	// The address is that of the caller, as a confirmation.
	requestErasure: 'VALIDATION_ERROR',
};

test('every example of a creation can be sent again, in any order', async () => {
	const administrator = await system.signIn();
	const created = steps.filter(({ operationId }) => operations.get(operationId)?.isCreation === true);
	expect(created.length).toBeGreaterThan(10);
	const event = await send('createEvent', {}, administrator);
	const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
		createCompetition: record(String(event.data['id'])),
	};
	const outcomes: string[] = [];
	for (const { operationId, path } of [...created.toReversed(), ...created.toReversed()]) {
		const sendFresh = () => send(operationId, places[operationId] ?? path ?? {}, administrator, true);
		let response = await sendFresh();
		// There are 26 free codes of countries, of which one is drawn.
		for (let left = 5; left > 0 && /_TAKEN$/.test(String(response.data['code'])); left -= 1)
			response = await sendFresh();
		const code = response.success ? undefined : String(response.data['code']);
		if (code !== undefined && code !== once[operationId]) outcomes.push(`${operationId}: ${response.text}`);
	}
	expect(outcomes).toEqual([]);
}, 120_000);

function send(
	operationId: string,
	values: Readonly<Record<string, string>>,
	token: string,
	isFresh = false,
): Promise<ApiResponse<Record<string, unknown>>> {
	const { method = '', path = '', body: example, templates } = operations.get(operationId) ?? {};
	const body = isFresh && templates !== undefined ? freshBody(example as object, templates) : example;
	const address = path.replaceAll(/\{(\w+)\}/g, (_text, name: string) => values[name] ?? name);
	return api(method, address, { token, body });
}

function bodyOf({ requestBody }: (typeof document.paths)[string][string]): unknown {
	const schema = requestBody?.content?.['application/json']?.schema;
	return schema === undefined ? undefined : exampleOf(schema, document.components.schemas);
}

/** The fields that must be new for each record. */
function templatesOf({ requestBody }: (typeof document.paths)[string][string]): object | undefined {
	const reference = requestBody?.content?.['application/json']?.schema.$ref;
	const schema = document.components.schemas[reference?.split('/').at(-1) ?? ''];
	return schema?.['x-fresh-example'] as object | undefined;
}
