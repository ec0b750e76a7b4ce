import { ageInYear, ageOnDate, dayInVienna } from '@paddock/calendar';
import { type FieldError, fail } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import {
	idParameters,
	officersOnly,
	type Route,
	refuseServerOwnedChanges,
	requireVersion,
} from '@paddock/service';
import { isApplicable } from '../age-class.ts';
import { createOnce } from '../create-once.ts';
import { type MasterdataDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { ageClassReference, lostCodes, requireUnusedElsewhere } from '../references-elsewhere.ts';
import {
	deleteAgeClass,
	getAgeClass,
	insertAgeClass,
	listAgeClasses,
	listAgeClassesOf,
	lockAgeClass,
	lockDefinitions,
	updateAgeClass,
} from '../repository/age-classes.ts';
import {
	ageClass,
	ageClassBody,
	ageClassPage,
	ageClassQuery,
	applicableAgeClasses,
	applicableQuery,
} from '../schemas/age-class.ts';
import { listCacheControl, recordCacheControl } from './cache-control.ts';

const tag = 'masterdata';
const path = '/api/masterdata/age-classes';

const bornLater: FieldError = {
	field: 'birthDate',
	code: 'INVALID_RANGE',
	message: 'must not be after the date',
};

const codeInUse = {
	code: 'AGE_CLASS_IN_USE',
	message: 'Competitions refer to the age class by ruleset and code, so they cannot change.',
} as const;

const reading: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listAgeClasses',
		tag,
		summary: 'List age classes',
		access: 'public',
		query: ageClassQuery,
		output: ageClassPage,
		message: 'Age classes',
		etag: 'content',
		cacheControl: listCacheControl,
		handler: ({ query }, { db }) => listAgeClasses(db, query),
	}),
	route({
		method: 'get',
		path: `${path}/applicable`,
		operationId: 'listApplicableAgeClasses',
		tag,
		summary: 'Find the age classes in which somebody may start',
		description:
			'What counts is the age by calendar year: the year of the date minus the year of birth (OeTO §12(2); FEI General Regulations, Appendix A). Classes overlap.',
		access: 'public',
		query: applicableQuery,
		output: applicableAgeClasses,
		message: 'Applicable age classes',
		etag: 'content',
		// Without a date the answer is that of today.
		cacheControl: recordCacheControl,
		handler: async ({ query, now }, { db }) => {
			const { birthDate, date = dayInVienna(now), ruleset, category = 'RIDER' } = query;
			if (birthDate > date) throw fail('INVALID_QUERY_PARAMETER', { errors: [bornLater] });
			const age = ageInYear(birthDate, date);
			const candidates = await listAgeClassesOf(db, category, ruleset);
			return {
				ageInYear: age,
				ageOnDate: ageOnDate(birthDate, date),
				ageClasses: candidates.filter((candidate) => isApplicable(candidate, age, date)),
			};
		},
	}),
	route({
		method: 'get',
		path: `${path}/{id}`,
		operationId: 'getAgeClass',
		tag,
		summary: 'Get an age class',
		access: 'public',
		params: idParameters,
		output: ageClass,
		message: 'Age class',
		etag: 'version',
		cacheControl: recordCacheControl,
		handler: ({ params }, { db }) => getAgeClass(db, params.id),
	}),
];

const writing: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'post',
		path,
		operationId: 'createAgeClass',
		tag,
		summary: 'Add an age class',
		access: officersOnly,
		body: ageClassBody,
		idempotent: true,
		output: ageClass,
		status: 201,
		message: 'Age class created',
		location: ({ id }) => `${path}/${id}`,
		etag: 'version',
		errors: errorsNamed('AGE_CLASS_TAKEN'),
		handler: (request, deps) =>
			createOnce(deps, 'createAgeClass', request, async (transaction) => {
				await lockDefinitions(transaction);
				return insertAgeClass(transaction, request.body);
			}),
	}),
	route({
		method: 'put',
		path: `${path}/{id}`,
		operationId: 'replaceAgeClass',
		tag,
		summary: 'Replace an age class',
		description: 'A field that is left out gets its default. Ruleset and code of an age class in use stay.',
		access: officersOnly,
		params: idParameters,
		body: ageClassBody,
		serverOwned: ['id', 'version'],
		output: ageClass,
		message: 'Age class updated',
		etag: 'version',
		precondition: true,
		errors: errorsNamed('AGE_CLASS_TAKEN', 'AGE_CLASS_IN_USE'),
		handler: async (request, deps) => {
			const { params, body, ifMatch, serverOwned } = request;
			const seen = await getAgeClass(deps.db, params.id);
			requireVersion(ifMatch, seen.version);
			const lost = lostCodes(ageClassReference(seen), ageClassReference({ ...seen, ...body }));
			if (lost !== undefined) await requireUnusedElsewhere(deps, lost, codeInUse, request);
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockAgeClass(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				refuseServerOwnedChanges(serverOwned, stored);
				await lockDefinitions(transaction);
				return updateAgeClass(transaction, params.id, body);
			});
		},
	}),
	route({
		method: 'delete',
		path: `${path}/{id}`,
		operationId: 'deleteAgeClass',
		tag,
		summary: 'Delete an age class',
		description:
			'One that competitions are open to is ended by a `validTo`, so that past competitions can still be judged.',
		access: officersOnly,
		params: idParameters,
		output: ageClass,
		message: 'Age class deleted',
		precondition: true,
		errors: errorsNamed('AGE_CLASS_IN_USE'),
		handler: async (request, deps) => {
			const { params, ifMatch } = request;
			const seen = await getAgeClass(deps.db, params.id);
			requireVersion(ifMatch, seen.version);
			await requireUnusedElsewhere(deps, ageClassReference(seen), { code: 'AGE_CLASS_IN_USE' }, request);
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockAgeClass(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				await deleteAgeClass(transaction, params.id);
				return stored;
			});
		},
	}),
];

export const ageClassRoutes: readonly Route<MasterdataDeps>[] = [...reading, ...writing];
