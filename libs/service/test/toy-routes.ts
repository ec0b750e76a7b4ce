import { setImmediate as nextTurn } from 'node:timers/promises';
import { apiError, errorFactory } from '@paddock/contract';
import {
	anyMediaType,
	id,
	idParameters,
	movedRoute,
	officersOnly,
	pageParameters,
	pageRequest,
	queryBoolean,
	queryInteger,
	type Route,
	requireVersion,
	routesWith,
	searchText,
	sortParameter,
	updatesWith,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { toy, toyBody } from './toy.ts';

/** The dependencies of the routes: the code that a test runs inside of a handler. */
export interface ToyDeps {
	readonly act: (signal: AbortSignal) => unknown;
}

const anything = z.any().meta({ id: 'Anything' });

export const toyId = '0b9c6c3e-6f0e-4a53-8f0a-0d2b1f1c7a11';
const storedToy = { id: toyId, name: 'Rocking horse', version: 3 };
const toyErrors = { TOY_BROKEN: { status: 409, message: 'The toy is broken.' } } as const;
const toyError = errorFactory(toyErrors);

const route = routesWith<ToyDeps>('toys');
const update = updatesWith<ToyDeps>('toys');
const shared = { method: 'get', summary: 'For tests', access: 'public', message: 'Done' } as const;

export const toyRoutes: readonly Route<ToyDeps>[] = [
	route({
		...shared,
		path: '/toys/{id}',
		operationId: 'getToy',
		params: idParameters,
		output: toy,
		etag: 'version',
		cacheControl: 'private, max-age=60',
		handler: ({ params }) => {
			if (params.id !== toyId) throw apiError('NOT_FOUND');
			return storedToy;
		},
	}),
	...update({
		summary: 'For tests',
		access: 'public',
		message: 'Done',
		path: '/toys/{id}',
		operationId: 'putToy',
		writers: 'anyone',
		params: idParameters,
		body: toyBody,
		output: toy,
		etag: 'version',
		handler: async ({ update, preconditions }) => {
			requireVersion(preconditions, storedToy.version);
			const { name } = update.onto(storedToy);
			return { ...storedToy, name, version: storedToy.version + 1 };
		},
	}),
	movedRoute({
		path: '/former-toys/{id}',
		to: '/toys/{id}',
		operationId: 'getFormerToy',
		tag: 'toys',
		access: 'public',
		params: idParameters,
		deprecated: { since: '2026-01-01', sunset: '2027-02-01' },
	}),
	route({
		...shared,
		path: '/toys/active',
		operationId: 'activeToys',
		output: z.array(toy),
		etag: 'content',
		handler: () => [storedToy],
	}),
	route({
		...shared,
		path: '/toys',
		operationId: 'listToys',
		query: z.strictObject({
			...pageParameters,
			q: searchText.optional(),
			size_min: queryInteger(-5, 5).optional(),
			active: queryBoolean.optional(),
			sort: sortParameter(['name', 'size']).optional(),
			colour: z.string().optional(),
		}),
		output: anything,
		handler: ({ query }) => ({ ...query, page: pageRequest(query) }),
	}),
	route({
		...shared,
		method: 'post',
		path: '/toys',
		operationId: 'createToy',
		writers: 'anyone',
		status: 201,
		body: toyBody,
		output: anything,
		location: (data: { name: string }) => `/toys/${encodeURIComponent(data.name)}`,
		handler: ({ body }) => body,
	}),
	route({
		...shared,
		method: 'post',
		path: '/echo',
		operationId: 'echo',
		writers: 'anyone',
		body: anything,
		output: anything,
		handler: ({ body }) => ({ got: body }),
	}),
	route({
		...shared,
		method: 'post',
		path: '/act',
		operationId: 'act',
		writers: 'anyone',
		output: z.strictObject({ fine: z.boolean() }),
		handler: async ({ signal }, { act }) => (await act(signal)) as { fine: boolean },
	}),
	route({
		...shared,
		path: '/document',
		operationId: 'getDocument',
		output: z.strictObject({ keys: z.array(z.string()) }),
		document: 'application/jwk-set+json',
		cacheControl: 'public, max-age=300',
		etag: 'content',
		handler: () => ({ keys: ['a'] }),
	}),
	route({
		...shared,
		path: '/manual',
		operationId: 'getManual',
		query: z.strictObject({ lines: queryInteger(0, 1_000) }),
		output: z.strictObject({ text: z.string(), version }),
		etag: 'version',
		handler: ({ query }) => ({ text: 'Oil the rockers.\n'.repeat(query.lines), version: 3 }),
	}),
	route({
		...shared,
		path: '/prices.csv',
		operationId: 'getPrices',
		output: z.string(),
		document: 'text/csv',
		fileName: 'prices.csv',
		etag: 'content',
		handler: () => 'Schaukelpferd;über 100\r\n'.repeat(100),
	}),
	route({
		...shared,
		path: '/whoami',
		operationId: 'whoAmI',
		readers: 'account',
		tokenOptional: true,
		output: anything,
		handler: ({ principal, requestId, address }) => ({
			userId: principal?.userId ?? null,
			requestId,
			address,
		}),
	}),
	route({
		...shared,
		path: '/whoami/always',
		operationId: 'whoAmIAlways',
		readers: 'account',
		tokenOptional: 'ifVerifiable',
		output: anything,
		handler: ({ principal }) => ({ userId: principal?.userId ?? null }),
	}),
	route({
		...shared,
		path: '/box',
		operationId: 'getBox',
		query: z.strictObject({ full: queryBoolean }),
		output: z.strictObject({ full: z.boolean() }),
		unavailableIf: ({ full }) => full,
		handler: ({ query }) => query,
	}),
	route({
		...shared,
		path: '/picture',
		operationId: 'getPicture',
		output: z.strictObject({ of: z.string() }),
		alternative: 'text/html',
		cacheControl: 'no-cache',
		handler: ({ accepted }) => {
			if (accepted !== 'text/html') return { of: 'a horse' };
			return async (res) => {
				await nextTurn();
				res.type('html').send('<p>a horse</p>');
			};
		},
	}),
	route({
		...shared,
		path: '/torn',
		operationId: 'getTorn',
		output: z.string(),
		document: anyMediaType,
		handler: () => async () => {
			await nextTurn();
			throw apiError('NOT_FOUND');
		},
	}),
	route({
		...shared,
		path: '/members',
		operationId: 'membersOnly',
		readers: 'account',
		access: 'signedIn',
		output: anything,
		handler: ({ principal }) => ({ userId: principal.userId }),
	}),
	route({
		...shared,
		method: 'post',
		path: '/office',
		operationId: 'office',
		writers: 'office',
		access: officersOnly,
		body: z.strictObject({ id }).meta({ id: 'OfficeBody' }),
		errors: toyErrors,
		output: anything,
		handler: () => {
			throw toyError('TOY_BROKEN', { context: { status: 'SOLD', part: 'wheel' } });
		},
	}),
	route({
		...shared,
		path: '/internal/toys',
		operationId: 'lookUpToy',
		readers: 'services',
		access: { scope: 'toys:lookup' },
		output: anything,
		handler: ({ principal, traceparent }) => ({ scopes: principal.scopes, traceparent }),
	}),
];
