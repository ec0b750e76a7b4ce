import { dayInVienna } from '@paddock/calendar';
import { type FieldError, refuseInvalid } from '@paddock/contract';
import { once } from '@paddock/database';
import { requireActingMember } from '@paddock/identity';
import type { Call } from '@paddock/service';
import { type Birth, birthErrors, birthOf, firstDayOf } from './birth.ts';
import { checkParents, parentageOf } from './check-parentage.ts';
import type { HorsesQueryable } from './database-schema.ts';
import type { HorsesDeps } from './deps.ts';
import { officeValues, requireEntrusted, requireIdentification } from './horse-rules.ts';
import { requireReferences } from './references/references.ts';
import { referencesOfHorse, referencesOfOwners } from './references/references-of.ts';
import { writtenColumns } from './repository/horse-rows.ts';
import { completeHorse, insertHorse } from './repository/horses.ts';
import { insertPeriod } from './repository/ownership.ts';
import { lockPedigrees } from './repository/pedigree.ts';
import type { Horse } from './schemas/horse.ts';
import type { NewHorseBody, WrittenHorse } from './schemas/horse-body.ts';

interface Registration extends Call {
	readonly body: NewHorseBody;
}

/**
 * Registers a horse with its first owners.
 * @throws ApiError OUT_OF_SCOPE, FORBIDDEN, MEMBER_NOT_ACTIVE, VALIDATION_ERROR, the 422 rules, …_TAKEN; errors of peer
 * calls. Nothing is stored then.
 */
export function registerHorse(call: Registration, deps: HorsesDeps): Promise<Horse> {
	const { body, now, principal } = call;
	const today = dayInVienna(now);
	const registeredOn = body.registeredOn ?? today;
	return once(deps.db, call, {
		operationId: 'registerHorse',
		input: body,
		check: async () => {
			requireEntrusted(principal, body);
			officeValues(principal, body);
			refuseInvalid(dayErrors(birthOf(body), registeredOn, today));
			requireIdentification(body);
			await requireActingMember(call, deps.directory.members);
			const references = [...referencesOfHorse(body), ...referencesOfOwners(body.owners)];
			await requireReferences(references, call, deps);
		},
		effect: (transaction) =>
			insertRegistration(
				transaction,
				{ ...body, ...birthOf(body), ...officeValues(principal, body), registeredOn },
				now,
			),
	});
}

function dayErrors(birth: Birth, registeredOn: string, today: string): FieldError[] {
	const wrongBirth = birthErrors(birth, today);
	const error = (message: string): FieldError[] => [
		...wrongBirth,
		{ field: 'registeredOn', code: 'INVALID_RANGE', message },
	];
	if (registeredOn > today) return error('must not lie in the future');
	// An invalid birth cannot be compared with the registration day.
	if (wrongBirth.length > 0) return wrongBirth;
	return registeredOn < firstDayOf(birth) ? error('must not lie before the birth') : [];
}

async function insertRegistration(
	db: HorsesQueryable,
	{ owners, ...horse }: WrittenHorse & Pick<NewHorseBody, 'owners'> & { readonly registeredOn: string },
	now: Date,
): Promise<Horse> {
	if (horse.sireId !== null || horse.damId !== null) {
		await lockPedigrees(db);
		await checkParents(db, parentageOf(horse));
	}
	const { registeredOn } = horse;
	const row = await insertHorse(db, { ...writtenColumns(horse), registeredOn, status: 'ACTIVE' }, now);
	await insertPeriod(db, row.id, { from: registeredOn, owners });
	return completeHorse(db, row);
}
