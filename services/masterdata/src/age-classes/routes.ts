import { ageInYear, ageOnDate, dayInVienna } from '@paddock/calendar';
import { apiError, type FieldError } from '@paddock/contract';
import type { Route } from '@paddock/service';
import { cacheControl, crudRoutes, type MasterdataDeps, route } from '../deps.ts';
import {
	ageClass,
	ageClassBody,
	applicableAgeClasses,
	applicableQuery,
	inDiscipline,
	isApplicable,
	isValidOn,
} from './schemas.ts';
import { ageClasses, listAgeClassesOf } from './store.ts';

const path = '/api/masterdata/age-classes';

const bornLater: FieldError = {
	field: 'dateOfBirth',
	code: 'INVALID_RANGE',
	message: 'must not be after the date',
};

export const ageClassRoutes: readonly Route<MasterdataDeps>[] = [
	...crudRoutes({
		path,
		plural: 'age classes',
		table: ageClasses,
		record: ageClass,
		body: ageClassBody,
		replacing: 'Ruleset and code of an age class in use stay.',
		deleting:
			'An age class of competitions is ended by a `validTo`, so that past competitions can still be judged.',
		// Competitions store the code; its meaning depends on the event's ruleset.
		referencedAs: ({ id, ruleset, code }) => ({ type: 'AGE_CLASS', id, codes: [`${ruleset}:${code}`] }),
	}),
	route({
		method: 'get',
		path: `${path}/applicable`,
		operationId: 'listApplicableAgeClasses',
		summary: 'Find the age classes that a birth date permits',
		description:
			'The age by calendar year counts: the year of the date minus the year of birth (OeTO §12(2); FEI General Regulations, Appendix A). Classes overlap.',
		access: 'public',
		query: applicableQuery,
		output: applicableAgeClasses,
		message: 'Applicable age classes',
		etag: 'content',
		// Without a date the response depends on the current day.
		cacheControl: cacheControl.ofToday,
		handler: async ({ query, now }, { db }) => {
			const { dateOfBirth, date = dayInVienna(now), ruleset, category = 'RIDER', discipline } = query;
			if (dateOfBirth > date) throw apiError('INVALID_QUERY_PARAMETER', { errors: [bornLater] });
			const age = ageInYear(dateOfBirth, date);
			const valid = (await listAgeClassesOf(db, category, ruleset)).filter((each) => isValidOn(each, date));
			return {
				ageInYear: age,
				ageOnDate: ageOnDate(dateOfBirth, date),
				ageClasses: inDiscipline(valid, discipline).filter((each) => isApplicable(each, age, date)),
			};
		},
	}),
];
